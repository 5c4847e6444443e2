/**
 * Explains in plain words why a value does not match its schema: one sentence per fault, all at once. Supports the
 * subset of JSON Schema used by the API. The compiled validator decides; this only explains.
 */
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { LINE_PATTERN } from '../api/line.ts'
import { closestName } from '../text/closest-name.ts'
import { type Fault, faultAt } from './fault.ts'

/** Enough for honest mistakes, but keeps a hostile body from causing a response of megabytes. */
export const MAX_FAULTS = 50

/**
 * Faults in a `body` name JSON pointers (`/features/search`); in a `query` or tool `arguments`, parameters (`limit`).
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

/** Returns at least one sentence for a value that does not match the schema, and none for one that does. */
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
  if (inner.type === 'array' && isList(value) && isLengthRight(inner, value)) {
    value.forEach((item, index) => {
      explain(inner.items ?? {}, item, childLocation(location, String(index)), faults)
    })
    return
  }
  if (inner.type === 'object' && isRecord(value)) {
    explainObject(inner, value, location, faults)
    return
  }
  faults.push(createFault(location, `must be ${describe(schema)}`))
}

/**
 * Selects the schema of a union for a value. Objects with a discriminator select by it; otherwise the unknown
 * discriminator is the fault.
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
    if (!Object.hasOwn(value, name)) faults.push(createFault(childLocation(location, name), 'is required'))
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
    const noun = NOUNS[location.source]
    const suggestion = closestName(name, Object.keys(known))
    const hint = suggestion === null ? '' : `; did you mean \`${suggestion}\`?`
    faults.push(createFault(childLocation(location, name), `is not a known ${noun}${hint}`))
  }
}

/** Describes a schema in words that can follow "must be". */
export function describe(schema: JsonSchema): string {
  if (schema.enum !== undefined) return describeChoices(schema.enum)
  if (schema.const !== undefined) return describeChoices([schema.const])
  if (schema.anyOf !== undefined) return schema.anyOf.map(describe).join(' or ')
  switch (schema.type) {
    case 'integer':
      return `a whole number${describeRange(schema.minimum, schema.maximum)}`
    case 'number':
      if (schema.multipleOf === 1) return `a whole number${describeRange(schema.minimum, schema.maximum)}`
      return `a number${describeRange(schema.minimum, schema.maximum)}`
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    case 'string':
      return describeString(schema)
    case 'array':
      return `a list${describeCount(schema.minItems, schema.maxItems, 'item')}`
    case 'object':
      return 'a JSON object'
    default:
      return 'another value'
  }
}

function describeString(schema: JsonSchema): string {
  if (schema.format === 'date-time') return 'a date and time such as 2026-11-21T09:30:00Z'
  if (schema.format === 'email') return 'an e-mail address'
  if (schema.format === 'uri') return 'a URL'
  const text = `a text${describeCount(schema.minLength, schema.maxLength, 'character')}`
  if (schema.pattern === undefined) return text
  if (schema.pattern === '\\S') return `${text}, not all of them spaces`
  if (schema.pattern === LINE_PATTERN) return `${text} in one line, not all of them spaces`
  const [example] = schema.examples ?? []
  return example === undefined ? `${text} that fits ${schema.pattern}` : `${text} such as \`${example}\``
}

function describeChoices(values: readonly unknown[]): string {
  const shown = values.map((value) => (typeof value === 'string' ? `\`${value}\`` : JSON.stringify(value)))
  return shown.length === 1 ? String(shown[0]) : `one of ${shown.join(', ')}`
}

function describeRange(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}

function describeCount(min: number | undefined, max: number | undefined, noun: string): string {
  if (min !== undefined && max !== undefined) return ` of ${min} to ${max} ${noun}s`
  if (min !== undefined) return ` of at least ${min} ${noun}${min === 1 ? '' : 's'}`
  return max === undefined ? '' : ` of at most ${max} ${noun}s`
}

function isLengthRight(schema: JsonSchema, value: readonly unknown[]): boolean {
  return (
    value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Number.POSITIVE_INFINITY)
  )
}

function childLocation(location: ValueLocation, name: string): ValueLocation {
  const short = name.length > 80 ? `${name.slice(0, 80)}…` : name
  return { ...location, pointer: `${location.pointer}/${short.replaceAll('~', '~0').replaceAll('/', '~1')}` }
}

function createFault({ source, pointer }: ValueLocation, words: string): Fault {
  if (pointer === '') return { message: `The ${source} ${words}` }
  return faultAt(source === 'body' ? pointer : pointer.slice(1), words)
}

const NOUNS: Readonly<Record<FaultSource, string>> = {
  body: 'field',
  query: 'parameter',
  arguments: 'argument',
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
