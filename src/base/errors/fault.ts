/** What is wrong with a request: one for each thing, all of them at once. */
export interface Fault {
  message: string
  /** The parameter (`limit`) or JSON pointer (`/domain`) that it is about; none for what is about more than one. */
  field?: string
}

/** A sentence that begins with what it is about. */
export function faultAt(field: string, words: string): Fault {
  return { message: `\`${field}\` ${words}`, field }
}

export const CURSOR_FAULT = faultAt(
  'cursor',
  'is not one that this list gave: send `nextCursor` as it came, or leave it out.',
)

/** What was read of a request; only right when there are no faults. */
export interface Parsed<Value> {
  value: Value
  faults: Fault[]
}

/** PostgreSQL cannot hold U+0000 in a text, so no such text may get as far as a query. */
export const NO_NUL = 'must not contain the character U+0000'

/** One for each text within a JSON value that contains U+0000. */
export function nulFaults(value: unknown, pointer = ''): Fault[] {
  if (typeof value === 'string') return value.includes('\0') ? [faultAt(pointer, NO_NUL)] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => nulFaults(item, `${pointer}/${name}`))
}
