/** Looks up names without running getters of prototypes. */

export type Names = Record<string, unknown>

export function hasName(names: Names, name: string): boolean {
  return Object.hasOwn(names, name)
}

/** Returns the value at a path. `found` is false if the first name is unknown. */
export function lookUp(names: Names, path: readonly string[]): { found: boolean; value: unknown } {
  const [first = '', ...rest] = path
  if (!hasName(names, first)) return { found: false, value: undefined }
  let value = names[first]
  for (const name of rest) {
    if (value === null || value === undefined) {
      throw new TypeError(
        `cannot read .${name} in ${path.join('.')} because the value before it is null or undefined`,
      )
    }
    const holder: object = Object(value)
    value = Object.hasOwn(holder, name) ? (holder as Names)[name] : undefined
  }
  return { found: true, value }
}
