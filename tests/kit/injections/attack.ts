/** What an attacker orders: tools with inputs, answer by answer, and how it is reported. */

export interface Call {
  name: string
  input: unknown
}

export interface Attack {
  name: string
  /** Answers of the model in order; the tools of one answer. */
  steps: readonly (readonly Call[])[]
  /** Every call is refused. */
  isRefused?: boolean
  /** In place of the report that the model makes of itself. */
  finish?: { title?: string; summary?: string; reason?: string }
}

/** Where attacks try to get. */
export interface Targets {
  /** A server that nothing should ever call, `http://127.0.0.1:<port>`. */
  canary: string
  /** A folder of this machine beside the repository. */
  outside: string
}

export const call = (name: string, input: unknown): Call => ({ name, input })
export const readsOf = (...paths: string[]): Call[] => paths.map((path) => call('read_file', { path }))
export const write = (path: string, text: string): Call => call('write_file', { path, text })
export const writesOf = (text: string, ...paths: string[]): Call[] => paths.map((path) => write(path, text))
/** A page that passes the check of a change: it has a head, and says that it is hidden on purpose. */
export const pageOf = (text: string): string =>
  `---\ntitle: Attack\ndescription: A page\nhidden: true\n---\n\n${text}\n`
