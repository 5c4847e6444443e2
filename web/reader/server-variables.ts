/** Server variables set by scripts of the site, overriding those of the API description. */
export type ServerVariables = Readonly<Record<string, string>>

/** Event that notifies an open form of changes. */
export const VARIABLES_EVENT = 'octavo-server-variables'

export function readServerVariables(): ServerVariables {
  return (globalThis as { __octavoServerVariables?: ServerVariables }).__octavoServerVariables ?? {}
}
