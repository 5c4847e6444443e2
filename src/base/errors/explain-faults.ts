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
export type FaultPlace = 'body' | 'query' | 'arguments'

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
export function explainFaults(schema: TSchema, value: unknown, place: FaultPlace): Fault[] {
  const faults: Fault[] = []
  explain(schema as JsonSchema, value, { place, pointer: '' }, faults)
  return faults
}

interface Spot {
  place: FaultPlace
  pointer: string
}

function explain(schema: JsonSchema, value: unknown, spot: Spot, faults: Fault[]): void {
  if (faults.length >= MAX_FAULTS || isRight(schema, value)) return
  const inner = choiceFor(schema.anyOf ?? [], value) ?? schema
  if (inner.type === 'array' && isList(value) && isLengthRight(inner, value)) {
    value.forEach((item, index) => {
      explain(inner.items ?? {}, item, step(spot, String(index)), faults)
    })
    return
  }
  if (inner.type === 'object' && isRecord(value)) {
    explainObject(inner, value, spot, faults)
    return
  }
  faults.push(faultOf(spot, `must be ${describe(schema)}`))
}

/**
 * Selects the schema of a union for a value. Objects with a discriminator select by it; otherwise the unknown
 * discriminator is the fault.
 */
function choiceFor(choices: readonly JsonSchema[], value: unknown): JsonSchema | undefined {
  const fitting = choices.filter(({ type }) => type === typeName(value))
  const [first] = fitting
  if (fitting.length < 2 || !isRecord(value)) return first
  const [tag] =
    Object.entries(first?.properties ?? {}).find(([, { enum: words }]) => words?.length === 1) ?? []
  if (tag === undefined) return first
  const wordOf = ({ properties }: JsonSchema) => properties?.[tag]?.enum?.[0]
  const words = { enum: fitting.map(wordOf) }
  return (
    fitting.find((choice) => wordOf(choice) === value[tag]) ?? {
      type: 'object',
      required: [tag],
      properties: { ...Object.fromEntries(Object.keys(value).map((name) => [name, {}])), [tag]: words },
    }
  )
}

function explainObject(
  schema: JsonSchema,
  value: Record<string, unknown>,
  spot: Spot,
  faults: Fault[],
): void {
  const known = schema.properties ?? {}
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) faults.push(faultOf(step(spot, name), 'is required'))
  }
  for (const [name, item] of Object.entries(value)) {
    if (faults.length >= MAX_FAULTS) return
    if (Object.hasOwn(known, name)) {
      explain(known[name] as JsonSchema, item, step(spot, name), faults)
      continue
    }
    if (typeof schema.additionalProperties === 'object') {
      explain(schema.additionalProperties, item, step(spot, name), faults)
      continue
    }
    const noun = NOUNS[spot.place]
    const near = closestName(name, Object.keys(known))
    const hint = near === null ? '' : `; did you mean \`${near}\`?`
    faults.push(faultOf(step(spot, name), `is not a known ${noun}${hint}`))
  }
}

/** Describes a schema in words that can follow "must be". */
export function describe(schema: JsonSchema): string {
  if (schema.enum !== undefined) return oneOf(schema.enum)
  if (schema.const !== undefined) return oneOf([schema.const])
  if (schema.anyOf !== undefined) return schema.anyOf.map(describe).join(' or ')
  switch (schema.type) {
    case 'integer':
      return `a whole number${range(schema.minimum, schema.maximum)}`
    case 'number':
      if (schema.multipleOf === 1) return `a whole number${range(schema.minimum, schema.maximum)}`
      return `a number${range(schema.minimum, schema.maximum)}`
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    case 'string':
      return describeString(schema)
    case 'array':
      return `a list${count(schema.minItems, schema.maxItems, 'item')}`
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
  const text = `a text${count(schema.minLength, schema.maxLength, 'character')}`
  if (schema.pattern === undefined) return text
  if (schema.pattern === '\\S') return `${text}, not all of them spaces`
  if (schema.pattern === LINE_PATTERN) return `${text} in one line, not all of them spaces`
  const [example] = schema.examples ?? []
  return example === undefined ? `${text} that fits ${schema.pattern}` : `${text} such as \`${example}\``
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.map((value) => (typeof value === 'string' ? `\`${value}\`` : JSON.stringify(value)))
  return shown.length === 1 ? String(shown[0]) : `one of ${shown.join(', ')}`
}

function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}

function count(min: number | undefined, max: number | undefined, noun: string): string {
  if (min !== undefined && max !== undefined) return ` of ${min} to ${max} ${noun}s`
  if (min !== undefined) return ` of at least ${min} ${noun}${min === 1 ? '' : 's'}`
  return max === undefined ? '' : ` of at most ${max} ${noun}s`
}

function isLengthRight(schema: JsonSchema, value: readonly unknown[]): boolean {
  return (
    value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Number.POSITIVE_INFINITY)
  )
}

function step(spot: Spot, name: string): Spot {
  const short = name.length > 80 ? `${name.slice(0, 80)}…` : name
  return { ...spot, pointer: `${spot.pointer}/${short.replaceAll('~', '~0').replaceAll('/', '~1')}` }
}

function faultOf({ place, pointer }: Spot, words: string): Fault {
  if (pointer === '') return { message: `The ${place} ${words}` }
  return faultAt(place === 'body' ? pointer : pointer.slice(1), words)
}

const NOUNS: Readonly<Record<FaultPlace, string>> = {
  body: 'field',
  query: 'parameter',
  arguments: 'argument',
}

function isRight(schema: JsonSchema, value: unknown): boolean {
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
