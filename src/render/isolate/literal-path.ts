/** Looks up names without running prototype getters. */

export type Names = Record<string, unknown>

export function hasName(names: Names, name: string): boolean {
  return Object.hasOwn(names, name)
}

/** Returns the value at the end of a path of names; `found` is false if the first name is unknown. */
export function lookUp(names: Names, path: readonly string[]): { found: boolean; value: unknown } {
  const [first = '', ...rest] = path
  if (!hasName(names, first)) return { found: false, value: undefined }
  let value = names[first]
  for (const name of rest) {
    if (value === null || value === undefined) {
      throw new TypeError(`${path.join('.')} has nothing before .${name}`)
    }
    const holder: object = Object(value)
    value = Object.hasOwn(holder, name) ? (holder as Names)[name] : undefined
  }
  return { found: true, value }
}
