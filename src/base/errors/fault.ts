/** Faults of a request, all reported at once. */
export interface Fault {
  message: string
  /** Parameter (`limit`) or JSON pointer (`/domain`) at fault; absent if the fault concerns several. */
  field?: string
}

/** Creates a fault whose sentence begins with the field. */
export function faultAt(field: string, words: string): Fault {
  return { message: `\`${field}\` ${words}`, field }
}

export const CURSOR_FAULT = faultAt(
  'cursor',
  'is not one that this list gave: send `nextCursor` as it came, or leave it out.',
)

/** Parsed part of a request; valid only if there are no faults. */
export interface Parsed<Value> {
  value: Value
  faults: Fault[]
}

/** PostgreSQL text cannot contain U+0000, so such texts must be rejected before any query. */
export const NO_NUL = 'must not contain the character U+0000'

/** Returns a fault for each text within a JSON value that contains U+0000. */
export function findNulFaults(value: unknown, pointer = ''): Fault[] {
  if (typeof value === 'string') return value.includes('\0') ? [faultAt(pointer, NO_NUL)] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => findNulFaults(item, `${pointer}/${name}`))
}
