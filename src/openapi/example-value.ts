/** Builds a value that fits a schema: the author's example, or else one derived from types, formats and limits. */
import { fieldsOf, isNumber, isScalar, type Json, type JsonObject, listOf } from './api-json.ts'
import { patternExample } from './pattern-example.ts'
import { flatten, isRequiredIn, listItems, type SchemaScope, tupleItems, variantsOf } from './schema.ts'

export interface ExampleOptions {
  /** Requests omit read-only properties, responses omit write-only ones. */
  direction: 'request' | 'response'
  isRequiredOnly: boolean
}

/** Values in one example; above this it is built again with fewer optional values below the top level. */
const MANY_VALUES = 60
/** Levels of objects shown with all properties; deeper ones show required properties only. Tried in this order. */
const FULL_DEPTHS = [7, 4, 3, 2]
/** Limit of the last attempt. */
const MOST_VALUES = 250
const DEPTH = 7

export function exampleOf(scope: SchemaScope, schema: Json | undefined, options: ExampleOptions): Json {
  for (const fullDepth of FULL_DEPTHS) {
    const isLast = fullDepth === FULL_DEPTHS.at(-1)
    const making: Making = { scope, options, fullDepth, level: 0, left: isLast ? MOST_VALUES : MANY_VALUES }
    const made = make(making, schema, [])
    if (isLast || making.left >= 0) return made ?? null
  }
  return null
}

interface Making {
  scope: SchemaScope
  options: ExampleOptions
  fullDepth: number
  /** Number of enclosing objects. */
  level: number
  left: number
}

/** Returns undefined if no fitting value exists: limits are reached, or a model contains itself. */
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
  if (items !== null) return listOfItems(making, schema, items, below)
  const fields = objectOf(making, schema, below)
  for (const { schemas, discriminator } of variantsOf(flat)) {
    const found = firstVariant(making, schemas, below)
    if (found === undefined) continue
    const { variant, name } = found
    if (fields === null && (discriminator === null || Array.isArray(variant))) return variant
    if (!(isScalar(variant) || Array.isArray(variant))) {
      const whole: JsonObject = Object.assign(fields ?? {}, variant)
      if (discriminator !== null && name !== null && isUnsaid(whole[discriminator.field]))
        whole[discriminator.field] = discriminator.values.get(name) ?? name
      if (fields === null) return whole
    } else if (fields === null) return variant
  }
  return fields ?? primitive(schema, flat.isNullable)
}

/** Maximum number of items generated to satisfy `minItems`. */
const MOST_ITEMS = 20

/** Returns one item, or more if the schema requires them. */
function listOfItems(making: Making, schema: JsonObject, items: Json, chain: readonly Json[]): Json[] {
  const item = make(making, items, chain)
  if (item === undefined || schema.maxItems === 0) return []
  const count = isNumber(schema.minItems) ? Math.min(schema.minItems, MOST_ITEMS) : 1
  const made = [item]
  const { enum: options } = flatten(making.scope, items).schema
  const others = schema.uniqueItems === true ? listOf(options).filter((one) => one !== item) : []
  while (made.length < count) {
    const next = others.shift() ?? (schema.uniqueItems === true ? varied(item, made.length) : item)
    made.push(next)
  }
  return made
}

/** Returns a copy of the item that differs in one value. */
function varied(item: Json, index: number): Json {
  if (isNumber(item)) return Number(item) + index
  if (typeof item === 'string') return `${item}${index + 1}`
  if (typeof item === 'boolean') return !item
  const [field] = Object.entries(fieldsOf(item)).filter(([, one]) => isNumber(one) || typeof one === 'string')
  return field ? { ...fieldsOf(item), [field[0]]: varied(field[1], index) } : item
}

function firstVariant(
  making: Making,
  schemas: Json[],
  chain: readonly Json[],
): { variant: Json; name: string | null } | undefined {
  for (const schema of schemas) {
    const variant = make(making, schema, chain)
    if (variant !== undefined && variant !== null)
      return { variant, name: flatten(making.scope, schema).name }
  }
  return undefined
}

/** True if no author gave a value. */
function isUnsaid(value: Json | undefined): boolean {
  return value === undefined || value === '<string>'
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

/** Returns null if the schema is not an object. */
function objectOf(making: Making, schema: JsonObject, chain: readonly Json[]): JsonObject | null {
  const extra = schema.additionalProperties
  if (schema.properties === undefined && schema.type !== 'object' && typeof extra !== 'object') return null
  const made: JsonObject = {}
  const hidden = making.options.direction === 'request' ? 'readOnly' : 'writeOnly'
  const isRequiredOnly = making.options.isRequiredOnly || making.level >= making.fullDepth
  for (const [name, property] of Object.entries(fieldsOf(schema.properties))) {
    if (isRequiredOnly && !isRequiredIn(schema, name)) continue
    if (flatten(making.scope, property).schema[hidden] === true) continue
    const value = inside(making, property, chain)
    if (value !== undefined) Object.defineProperty(made, name, { value, enumerable: true, writable: true })
  }
  if (Object.keys(made).length > 0 || typeof extra !== 'object' || isRequiredOnly) return made
  const value = inside(making, extra, chain)
  return value === undefined ? made : { key: value }
}

function inside(making: Making, value: Json, chain: readonly Json[]): Json | undefined {
  making.level += 1
  const made = make(making, value, chain)
  making.level -= 1
  return made
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
  'json-pointer': '/path',
  'relative-json-pointer': '0',
  'uri-template': '/orders/{id}',
  iri: 'https://example.com',
  'idn-hostname': 'example.com',
  regex: '^a+$',
  binary: '<file>',
  password: '<password>',
}

function primitive(schema: JsonObject, isNullable: boolean): Json {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'integer' || type === 'number') return numberIn(schema, type === 'integer')
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'string') return textIn(schema)
  return type === undefined && isNullable ? null : '<any>'
}

/** Maximum length of a text that is padded to satisfy `minLength`. */
const MOST_CHARACTERS = 1000

function textIn({ format, pattern, minLength, maxLength }: JsonObject): string {
  const low = isNumber(minLength) ? Number(minLength) : 0
  const high = isNumber(maxLength) ? Number(maxLength) : Number.POSITIVE_INFINITY
  const known = FORMATS[String(format)]
  if (known !== undefined && format !== 'password') return known
  const fitting = typeof pattern === 'string' ? patternExample(pattern, low) : null
  if (fitting !== null && fitting.length <= high) return fitting
  const text = known ?? '<string>'
  if (text.length >= low && text.length <= high) return text
  const bare = text.slice(1, -1)
  const wanted = Math.min(Math.max(low, Math.min(bare.length, high)), MOST_CHARACTERS)
  return bare.repeat(Math.ceil(wanted / bare.length)).slice(0, wanted)
}

/** Returns a typical number that respects limits and `multipleOf` if these can be satisfied. */
function numberIn(schema: JsonObject, isWhole: boolean): number {
  const { low, high, isLowOpen, isHighOpen } = numberBounds(schema)
  const given = schema.multipleOf
  const step = isNumber(given) && given > 0 ? Number(given) : isWhole ? 1 : null
  const wanted = step !== null && step !== 1 ? step : isWhole ? 123 : 12.5
  const isInside = (one: number) =>
    (isLowOpen ? one > low : one >= low) && (isHighOpen ? one < high : one <= high)
  if (step === null) {
    const middle = (low + high) / 2
    const near = [wanted, low, high, low + 1, high - 1, middle]
    return near.find((one) => Number.isFinite(one) && isInside(one)) ?? wanted
  }
  const up = Math.ceil(Math.max(wanted, low) / step)
  const down = Math.floor(Math.min(wanted, high) / step)
  const steps = [up, up + 1, down, down - 1].map((count) => Number((count * step).toPrecision(12)))
  return steps.find((one) => Number.isFinite(one) && isInside(one)) ?? wanted
}

/** OpenAPI 3.0 marks an exclusive bound with `true`; later versions give it as a number. */
function numberBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject) {
  const numberOr = (value: Json | undefined, other: number) => (isNumber(value) ? Number(value) : other)
  const least = numberOr(minimum, Number.NEGATIVE_INFINITY)
  const above = numberOr(exclusiveMinimum, Number.NEGATIVE_INFINITY)
  const most = numberOr(maximum, Number.POSITIVE_INFINITY)
  const below = numberOr(exclusiveMaximum, Number.POSITIVE_INFINITY)
  return {
    low: Math.max(least, above),
    high: Math.min(most, below),
    isLowOpen: exclusiveMinimum === true || above >= least,
    isHighOpen: exclusiveMaximum === true || below <= most,
  }
}
