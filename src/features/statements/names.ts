/** Compares names in code and on pages across the naming conventions of different languages. */

/** Returns equal keys for `maxIdleConns`, `max_idle_conns`, `MAX_IDLE_CONNS` and `--max-idle-conns`. */
export function nameKey(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
}

/** Splits a name into words: `maxIdleConns` into max, idle, conns. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
}

export function isCodeLikeName(name: string): boolean {
  return (
    name.length > 3 &&
    (/[a-z0-9][A-Z]/.test(name) || /[A-Za-z0-9][_.:-][A-Za-z0-9]/.test(name) || /[A-Za-z]\d/.test(name))
  )
}

export const OPTION = /(?<![\w-])--[A-Za-z](?:[\w.-]{0,80}\w)?/g
export const ENVIRONMENT_VARIABLE_PATTERN = /(?<![\w.])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w(])/g
/** Matches a path of a URL or file, with at least one slash and any syntax of parameters. */
export const PATH_WITH_SLASH = /^(?:\.{0,2}\/)?[\w.@{}:$*<>[\]~-]+(?:\/[\w.@{}:$*<>[\]~-]*)*$/

/** Normalizes the parameters of a path and removes its query: `/users/:id` equals `/users/{userId}`. */
export function pathKey(path: string): string {
  return (path.split(/[?#]/, 1)[0] as string)
    .split('/')
    .map((part) => (/^(?::\w+|\$?\{[^}]*\}|<[^>]*>|\[[^\]]*\])$/.test(part) ? '{}' : part))
    .join('/')
    .replace(/(?<=.)\/$/, '')
}

/** Pages about earlier states, such as changelogs, whose statements do not depend on the current code. */
export const HISTORY_PAGE =
  /(?:^|\/)(?:change-?logs?|releases?|release-?notes|blog|news|migrat\w*|upgrad\w*|whats-?new|history|roadmap|archive|rfcs?|adr|changes|breaking|internal|design)(?:[\w.-]*)(?:\/|\.mdx?$)|(?:^|\/)(?:v\d+(?:\.\d+)*|[\w-]*-v\d+(?:-to-v?\d+)?)(?:\/|\.mdx?$)|(?:^|\/)(?:[\w-]*migration[\w-]*|[\w-]*upgrad[\w-]*|updates|contributors?|sponsors|licenses?|security|code_of_conduct)\.mdx?$/i

/** Matches a sentence about an earlier state, or about both states. */
export const HISTORY_SENTENCE =
  /\b(?:deprecat\w*|removed|renamed|formerly|previously|no longer|used to|legacy|replaced by|superseded|before v?\d|prior to|since v?\d|obsolete)\b/i

/** A path and its ends with a folder: `src/cli/run.ts` is also named as `cli/run.ts`. */
export function listPathEndings(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(0, Math.max(1, parts.length - 1)).map((_, from) => parts.slice(from).join('/'))
}
