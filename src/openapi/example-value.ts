/** A value that fits a schema: what an author gave as an example, else one made from types, formats and bounds. */
import { fieldsOf, type Json, type JsonObject, listOf } from './api-json.ts'
import { flatten, isRequiredIn, listItems, type SchemaScope, tupleItems, variantsOf } from './schema.ts'

export interface ExampleOptions {
  /** Fields that only answers have are left out of requests, and the other way round. */
  direction: 'request' | 'response'
  isRequiredOnly: boolean
}

/** Values in one example, and how deep they lie in each other. */
const MOST_VALUES = 250
const DEPTH = 7

export function exampleOf(scope: SchemaScope, schema: Json | undefined, options: ExampleOptions): Json {
  const making: Making = { scope, options, left: MOST_VALUES }
  return make(making, schema, []) ?? null
}

interface Making {
  scope: SchemaScope
  options: ExampleOptions
  left: number
}

/** Undefined where nothing fitting can be made: beyond the bounds, and where a model would hold itself. */
function make(making: Making, value: Json | undefined, chain: readonly Json[]): Json | undefined {
  const flat = flatten(making.scope, value)
  const { schema, origin } = flat
  if (making.left-- <= 0 || chain.length > DEPTH) return undefined
  const given = givenExample(schema)
  if (given !== undefined) return given
  if (origin !== null && chain.includes(origin)) return undefined
  const below = [...chain, origin]
  const items = listItems(schema)
  const tuple = tupleItems(schema)
  if (tuple.length > 0) return tuple.map((one) => make(making, one, below) ?? null)
  if (items !== null) {
    const item = make(making, items, below)
    return item === undefined ? [] : [item]
  }
  const fields = objectOf(making, schema, below)
  for (const { schemas } of variantsOf(flat)) {
    const variant = firstVariant(making, schemas, below)
    if (variant === undefined) continue
    if (fields === null) return variant
    Object.assign(fields, typeof variant === 'object' && !Array.isArray(variant) ? variant : {})
  }
  return fields ?? primitive(schema, flat.isNullable)
}

function firstVariant(making: Making, schemas: Json[], chain: readonly Json[]): Json | undefined {
  for (const schema of schemas) {
    const value = make(making, schema, chain)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

function givenExample(schema: JsonObject): Json | undefined {
  if (schema.example !== undefined) return schema.example
  const [first] = listOf(schema.examples)
  if (first !== undefined) return first
  if (schema['x-example'] !== undefined) return schema['x-example']
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined && schema.default !== null) return schema.default
  return listOf(schema.enum)[0]
}

/** Null for what is no object. */
function objectOf(making: Making, schema: JsonObject, chain: readonly Json[]): JsonObject | null {
  const extra = schema.additionalProperties
  if (schema.properties === undefined && schema.type !== 'object' && typeof extra !== 'object') return null
  const made: JsonObject = {}
  const hidden = making.options.direction === 'request' ? 'readOnly' : 'writeOnly'
  for (const [name, property] of Object.entries(fieldsOf(schema.properties))) {
    if (making.options.isRequiredOnly && !isRequiredIn(schema, name)) continue
    if (flatten(making.scope, property).schema[hidden] === true) continue
    const value = make(making, property, chain)
    if (value !== undefined) Object.defineProperty(made, name, { value, enumerable: true, writable: true })
  }
  if (Object.keys(made).length > 0 || typeof extra !== 'object' || making.options.isRequiredOnly) return made
  const value = make(making, extra, chain)
  return value === undefined ? made : { key: value }
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:30:00Z',
  date: '2026-01-15',
  time: '09:30:00Z',
  duration: 'P1D',
  email: 'ada@example.com',
  'idn-email': 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  url: 'https://example.com',
  'uri-reference': '/path',
  uuid: '7f3d9a52-1c64-4e0b-9a57-2b8f0e6c1d34',
  byte: 'aGVsbG8=',
  binary: '<file>',
  password: '<password>',
}

function primitive(schema: JsonObject, isNullable: boolean): Json {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'integer' || type === 'number') return numberIn(schema, type === 'integer')
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'string') return FORMATS[String(schema.format)] ?? '<string>'
  return type === undefined && isNullable ? null : '<any>'
}

function numberIn(schema: JsonObject, isWhole: boolean): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const low = typeof minimum === 'number' ? minimum : Number.NEGATIVE_INFINITY
  const above = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : Number.NEGATIVE_INFINITY
  const high = typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY
  const below = typeof exclusiveMaximum === 'number' ? exclusiveMaximum - 1 : Number.POSITIVE_INFINITY
  const wanted = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : isWhole ? 123 : 12.5
  const fitting = Math.max(low, above, Math.min(wanted, high, below))
  return isWhole ? Math.ceil(fitting) : fitting
}
