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

/** What was read of a request; only right when there are no faults. */
export interface Parsed<Value> {
  value: Value
  faults: Fault[]
}
