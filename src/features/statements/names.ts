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

export function isCoined(name: string): boolean {
  return (
    name.length > 3 &&
    (/[a-z0-9][A-Z]/.test(name) || /[A-Za-z0-9][_.:-][A-Za-z0-9]/.test(name) || /[A-Za-z]\d/.test(name))
  )
}

export const OPTION = /(?<![\w-])--[A-Za-z](?:[\w.-]{0,80}\w)?/g
export const ENVIRONMENT = /(?<![\w.])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w(])/g
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
