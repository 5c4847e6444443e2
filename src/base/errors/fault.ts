/** Errors within a request, which are all reported together as `details`. */
import { DETAIL_ERRORS, EXPECTED_VALUES, FIELD_ERRORS } from './catalogue.ts'
import { type ErrorFormat, formatError, type Params, type ParamsOf } from './format-error.ts'

export interface Fault {
  message: string
  /** Parameter (`limit`) or JSON pointer (`/domain`) at fault; absent if the fault concerns several. */
  field?: string
  code: string
  params?: Params
}

type Fields = typeof FIELD_ERRORS
type Details = typeof DETAIL_ERRORS
export type FieldErrorCode = keyof Fields
export type DetailErrorCode = keyof Details

export const ENGLISH: ErrorFormat = {
  language: 'en',
  expected: (code) => (EXPECTED_VALUES as Readonly<Record<string, string>>)[code],
}

/** Creates a fault whose message begins with the field. */
export function faultAt<Code extends FieldErrorCode>(
  field: string,
  code: Code,
  ...[params]: ParamsOf<Fields[Code]>
): Fault {
  const message = `\`${field}\` ${formatError(FIELD_ERRORS[code], params ?? {}, ENGLISH)}`
  return { message, field, code, ...(params && { params }) }
}

/** Creates a fault whose message is a complete sentence. */
export function createFault<Code extends DetailErrorCode>(
  code: Code,
  ...[params]: ParamsOf<Details[Code]>
): Fault {
  return { message: formatError(DETAIL_ERRORS[code], params ?? {}, ENGLISH), code, ...(params && { params }) }
}

/** Parsed part of a request; valid only if there are no faults. */
export interface Parsed<Value> {
  value: Value
  faults: Fault[]
}

/** Returns a fault for each text in a JSON value that contains U+0000, which PostgreSQL texts cannot contain. */
export function findNulFaults(value: unknown, pointer = ''): Fault[] {
  if (typeof value === 'string') return value.includes('\0') ? [faultAt(pointer, 'nul_character')] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => findNulFaults(item, `${pointer}/${name}`))
}
