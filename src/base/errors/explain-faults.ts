/**
 * Explains in plain words why a value does not match its schema. Reports one fault for each mistake, all together.
 * Supports the subset of JSON Schema used by the API. Only the compiled validator decides whether a value is
 * valid.
 */
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { LINE_PATTERN } from '../api/line.ts'
import { closestName } from '../text/closest-name.ts'
import { createFault, type Fault, faultAt } from './fault.ts'
import type { ErrorRef } from './format-error.ts'

/** Maximum number of faults: enough for honest mistakes, but a hostile body cannot cause a huge response. */
export const MAX_FAULTS = 50

/**
 * Faults in a `body` name fields by JSON pointer (`/features/search`). Faults in a `query` or in tool `arguments` name
 * parameters (`limit`).
 */
export type FaultSource = 'body' | 'query' | 'arguments'

type JsonSchema = {
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  format?: string
  pattern?: string
  examples?: readonly unknown[]
}

/** Returns at least one fault for a value that does not match the schema, and none for a matching value. */
export function explainFaults(schema: TSchema, value: unknown, source: FaultSource): Fault[] {
  const faults: Fault[] = []
  explain(schema as JsonSchema, value, { source, pointer: '' }, faults)
  return faults
}

interface ValueLocation {
  source: FaultSource
  pointer: string
}

function explain(schema: JsonSchema, value: unknown, location: ValueLocation, faults: Fault[]): void {
  if (faults.length >= MAX_FAULTS || isValid(schema, value)) return
  const inner = selectChoice(schema.anyOf ?? [], value) ?? schema
  if (inner.type === 'array' && isList(value) && hasAllowedLength(inner, value)) {
    value.forEach((item, index) => {
      explain(inner.items ?? {}, item, childLocation(location, String(index)), faults)
    })
    return
  }
  if (inner.type === 'object' && isRecord(value)) {
    explainObject(inner, value, location, faults)
    return
  }
  faults.push(invalidValue(location, expectedValues(schema)))
}

/**
 * Selects the schema of a union for a value. Objects with a discriminator are matched by its value; an
 * unknown value is reported as the fault.
 */
function selectChoice(choices: readonly JsonSchema[], value: unknown): JsonSchema | undefined {
  const candidates = choices.filter(({ type }) => type === typeName(value))
  const [first] = candidates
  if (candidates.length < 2 || !isRecord(value)) return first
  const [tag] =
    Object.entries(first?.properties ?? {}).find(([, { enum: words }]) => words?.length === 1) ?? []
  if (tag === undefined) return first
  const tagValue = ({ properties }: JsonSchema) => properties?.[tag]?.enum?.[0]
  const words = { enum: candidates.map(tagValue) }
  return (
    candidates.find((choice) => tagValue(choice) === value[tag]) ?? {
      type: 'object',
      required: [tag],
      properties: { ...Object.fromEntries(Object.keys(value).map((name) => [name, {}])), [tag]: words },
    }
  )
}

function explainObject(
  schema: JsonSchema,
  value: Record<string, unknown>,
  location: ValueLocation,
  faults: Fault[],
): void {
  const known = schema.properties ?? {}
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) faults.push(faultAt(fieldOf(childLocation(location, name)), 'required'))
  }
  for (const [name, item] of Object.entries(value)) {
    if (faults.length >= MAX_FAULTS) return
    if (Object.hasOwn(known, name)) {
      explain(known[name] as JsonSchema, item, childLocation(location, name), faults)
      continue
    }
    if (typeof schema.additionalProperties === 'object') {
      explain(schema.additionalProperties, item, childLocation(location, name), faults)
      continue
    }
    const suggestion = closestName(name, Object.keys(known))
    const field = fieldOf(childLocation(location, name))
    const kind = location.source
    faults.push(
      suggestion === null
        ? faultAt(field, 'unknown_field', { kind })
        : faultAt(field, 'unknown_field_similar', { kind, suggestion }),
    )
  }
}

export function expectedValues(schema: JsonSchema): ErrorRef[] {
  if (schema.enum !== undefined) return [choices(schema.enum)]
  if (schema.const !== undefined) return [choices([schema.const])]
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(expectedValues)
  switch (schema.type) {
    case 'integer':
      return [createRangeRef('integer', schema.minimum, schema.maximum)]
    case 'number':
      return [createRangeRef(schema.multipleOf === 1 ? 'integer' : 'number', schema.minimum, schema.maximum)]
    case 'boolean':
    case 'null':
    case 'object':
      return [{ code: schema.type }]
    case 'string':
      return [expectedText(schema)]
    case 'array':
      return [createRangeRef('list', schema.minItems, schema.maxItems)]
    default:
      return [{ code: 'other' }]
  }
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'date_time', email: 'email', uri: 'url' }

function expectedText({ format, minLength, maxLength, pattern, examples }: JsonSchema): ErrorRef {
  const code = FORMATS[format ?? '']
  if (code !== undefined) return { code }
  const text = createRangeRef('text', minLength, maxLength)
  if (pattern === undefined) return text
  const withText = (code: string, more = {}): ErrorRef => ({ code, params: { text: [text], ...more } })
  if (pattern === '\\S') return withText('not_blank')
  if (pattern === LINE_PATTERN) return withText('one_line')
  const [example] = examples ?? []
  return example === undefined
    ? withText('matching', { pattern })
    : withText('like', { example: String(example) })
}

function choices(values: readonly unknown[]): ErrorRef {
  const shown = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return { code: shown.length === 1 ? 'value' : 'one_of', params: { values: shown } }
}

function createRangeRef(code: string, min: number | undefined, max: number | undefined): ErrorRef {
  if (min !== undefined && max !== undefined) return { code: `${code}_range`, params: { min, max } }
  if (min !== undefined) return { code: `${code}_min`, params: { min } }
  return max === undefined ? { code } : { code: `${code}_max`, params: { max } }
}

function hasAllowedLength(schema: JsonSchema, value: readonly unknown[]): boolean {
  return (
    value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Number.POSITIVE_INFINITY)
  )
}

function childLocation(location: ValueLocation, name: string): ValueLocation {
  const short = name.length > 80 ? `${name.slice(0, 80)}…` : name
  return { ...location, pointer: `${location.pointer}/${short.replaceAll('~', '~0').replaceAll('/', '~1')}` }
}

function invalidValue(location: ValueLocation, expected: ErrorRef[]): Fault {
  if (location.pointer !== '') return faultAt(fieldOf(location), 'invalid_value', { expected })
  return createFault('invalid_part', { part: location.source, expected })
}

function fieldOf({ source, pointer }: ValueLocation): string {
  return source === 'body' ? pointer : pointer.slice(1)
}

function isValid(schema: JsonSchema, value: unknown): boolean {
  return Check(schema as TSchema, value)
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return value === null ? 'null' : typeof value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeName(value) === 'object'
}
