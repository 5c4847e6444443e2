/** Server variables set by scripts of the site, overriding those of the API description. */
export type GivenVariables = Readonly<Record<string, string>>

/** Event that notifies an open form of changes. */
export const VARIABLES_EVENT = 'octavo-server-variables'

export function givenVariables(): GivenVariables {
  return (globalThis as { __octavoServerVariables?: GivenVariables }).__octavoServerVariables ?? {}
}
