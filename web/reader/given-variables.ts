/** Values of server variables that scripts of the site give, in place of those of the description. */
export type GivenVariables = Readonly<Record<string, string>>

/** Tells an open form that they have changed. */
export const VARIABLES_EVENT = 'octavo-server-variables'

export function givenVariables(): GivenVariables {
  return (globalThis as { __octavoServerVariables?: GivenVariables }).__octavoServerVariables ?? {}
}
