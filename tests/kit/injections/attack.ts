/** An attacker's order: the tool calls of each model answer, and the report at the end. */

export interface Call {
  name: string
  input: unknown
}

export interface Attack {
  name: string
  /** The model's answers in order, each a list of tool calls. */
  steps: readonly (readonly Call[])[]
  /** Every call must be refused. */
  isRefused?: boolean
  /** Replaces the model's own report. */
  finish?: { title?: string; summary?: string; reason?: string }
}

export interface Targets {
  /** URL of a server that must never be called, `http://127.0.0.1:<port>`. */
  canary: string
  /** A folder on this machine, next to the repository. */
  outside: string
}

export const call = (name: string, input: unknown): Call => ({ name, input })
export const readsOf = (...paths: string[]): Call[] => paths.map((path) => call('read_file', { path }))
export const write = (path: string, text: string): Call => call('write_file', { path, text })
export const writesOf = (text: string, ...paths: string[]): Call[] => paths.map((path) => write(path, text))
/** Returns a page that passes the check of a change: it has frontmatter and is marked as hidden. */
export const pageOf = (text: string): string =>
  `---\ntitle: Attack\ndescription: A page\nhidden: true\n---\n\n${text}\n`
