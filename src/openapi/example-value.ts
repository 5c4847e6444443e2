/** Creates a value for a schema: the author's example, or one generated from types, formats and limits. */
import { asArray, asObject, isNumber, isScalar, type Json, type JsonObject } from './api-json.ts'
import { createPatternExample } from './pattern-example.ts'
import { flatten, isRequiredIn, listItems, listVariants, type SchemaScope, tupleItems } from './schema.ts'

export interface ExampleOptions {
  /** Read-only properties are omitted in requests, write-only properties in responses. */
  direction: 'request' | 'response'
  isRequiredOnly: boolean
}

/** If exceeded, the example is built again with optional properties on fewer levels. */
const SOFT_MAX_VALUES = 60
/** Numbers of levels with optional properties, from the first to the last attempt. */
const FULL_DEPTHS = [7, 4, 3, 2]
/** Maximum number of values in the last attempt. */
const MAX_VALUES = 250
const MAX_DEPTH = 7

export function createExample(scope: SchemaScope, schema: Json | undefined, options: ExampleOptions): Json {
  for (const fullDepth of FULL_DEPTHS) {
    const isLast = fullDepth === FULL_DEPTHS.at(-1)
    const builder: ExampleBuilder = {
      scope,
      options,
      fullDepth,
      level: 0,
      remainingValues: isLast ? MAX_VALUES : SOFT_MAX_VALUES,
    }
    const result = build(builder, schema, [])
    if (isLast || builder.remainingValues >= 0) return result ?? null
  }
  return null
}

interface ExampleBuilder {
  scope: SchemaScope
  options: ExampleOptions
  fullDepth: number
  /** Number of enclosing objects. */
  level: number
  remainingValues: number
}

/** Returns undefined if a limit is reached or the schema contains itself. */
function build(builder: ExampleBuilder, value: Json | undefined, chain: readonly Json[]): Json | undefined {
  const flat = flatten(builder.scope, value)
  const { schema, origin } = flat
  if (builder.remainingValues-- <= 0 || chain.length > MAX_DEPTH) return undefined
  const given = findGivenExample(schema)
  if (given !== undefined) return given
  if (origin !== null && chain.includes(origin)) return undefined
  const below = [...chain, origin]
  const items = listItems(schema)
  const tuple = tupleItems(schema)
  if (tuple.length > 0) return tuple.map((one) => build(builder, one, below) ?? null)
  if (items !== null) return buildItems(builder, schema, items, below)
  const fields = buildObject(builder, schema, below)
  for (const { schemas, discriminator } of listVariants(flat)) {
    const found = buildFirstVariant(builder, schemas, below)
    if (found === undefined) continue
    const { variant, name } = found
    if (fields === null && (discriminator === null || Array.isArray(variant))) return variant
    if (!(isScalar(variant) || Array.isArray(variant))) {
      const whole: JsonObject = Object.assign(fields ?? {}, variant)
      if (discriminator !== null && name !== null && hasNoGivenValue(whole[discriminator.field]))
        whole[discriminator.field] = discriminator.values.get(name) ?? name
      if (fields === null) return whole
    } else if (fields === null) return variant
  }
  return fields ?? buildPrimitive(schema, flat.isNullable)
}

/** Limits the items that are generated for `minItems`. */
const MAX_ITEMS = 20

/** Returns one item, or as many as `minItems` requires. */
function buildItems(
  builder: ExampleBuilder,
  schema: JsonObject,
  items: Json,
  chain: readonly Json[],
): Json[] {
  const item = build(builder, items, chain)
  if (item === undefined || schema.maxItems === 0) return []
  const count = isNumber(schema.minItems) ? Math.min(schema.minItems, MAX_ITEMS) : 1
  const result = [item]
  const { enum: options } = flatten(builder.scope, items).schema
  const others = schema.uniqueItems === true ? asArray(options).filter((one) => one !== item) : []
  while (result.length < count) {
    const next = others.shift() ?? (schema.uniqueItems === true ? vary(item, result.length) : item)
    result.push(next)
  }
  return result
}

function vary(item: Json, index: number): Json {
  if (isNumber(item)) return Number(item) + index
  if (typeof item === 'string') return `${item}${index + 1}`
  if (typeof item === 'boolean') return !item
  const [field] = Object.entries(asObject(item)).filter(([, one]) => isNumber(one) || typeof one === 'string')
  return field ? { ...asObject(item), [field[0]]: vary(field[1], index) } : item
}

function buildFirstVariant(
  builder: ExampleBuilder,
  schemas: Json[],
  chain: readonly Json[],
): { variant: Json; name: string | null } | undefined {
  for (const schema of schemas) {
    const variant = build(builder, schema, chain)
    if (variant !== undefined && variant !== null)
      return { variant, name: flatten(builder.scope, schema).name }
  }
  return undefined
}

/** Returns whether the value is not from the author, but missing or generated. */
function hasNoGivenValue(value: Json | undefined): boolean {
  return value === undefined || value === '<string>'
}

function findGivenExample(schema: JsonObject): Json | undefined {
  if (schema.example !== undefined) return schema.example
  const [first] = asArray(schema.examples)
  if (first !== undefined) return first
  if (schema['x-example'] !== undefined) return schema['x-example']
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined && schema.default !== null) return schema.default
  return asArray(schema.enum)[0]
}

function buildObject(builder: ExampleBuilder, schema: JsonObject, chain: readonly Json[]): JsonObject | null {
  const extra = schema.additionalProperties
  if (schema.properties === undefined && schema.type !== 'object' && typeof extra !== 'object') return null
  const result: JsonObject = {}
  const hidden = builder.options.direction === 'request' ? 'readOnly' : 'writeOnly'
  const isRequiredOnly = builder.options.isRequiredOnly || builder.level >= builder.fullDepth
  for (const [name, property] of Object.entries(asObject(schema.properties))) {
    if (isRequiredOnly && !isRequiredIn(schema, name)) continue
    if (flatten(builder.scope, property).schema[hidden] === true) continue
    const value = buildNested(builder, property, chain)
    if (value !== undefined) Object.defineProperty(result, name, { value, enumerable: true, writable: true })
  }
  if (Object.keys(result).length > 0 || typeof extra !== 'object' || isRequiredOnly) return result
  const value = buildNested(builder, extra, chain)
  return value === undefined ? result : { key: value }
}

function buildNested(builder: ExampleBuilder, value: Json, chain: readonly Json[]): Json | undefined {
  builder.level += 1
  const result = build(builder, value, chain)
  builder.level -= 1
  return result
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

function buildPrimitive(schema: JsonObject, isNullable: boolean): Json {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'integer' || type === 'number') return buildNumber(schema, type === 'integer')
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'string') return buildText(schema)
  return type === undefined && isNullable ? null : '<any>'
}

/** Limits the text that is generated for `minLength`. */
const MAX_CHARACTERS = 1000

function buildText({ format, pattern, minLength, maxLength }: JsonObject): string {
  const low = isNumber(minLength) ? Number(minLength) : 0
  const high = isNumber(maxLength) ? Number(maxLength) : Number.POSITIVE_INFINITY
  const formatExample = FORMATS[String(format)]
  if (formatExample !== undefined && format !== 'password') return formatExample
  const fitting = typeof pattern === 'string' ? createPatternExample(pattern, low) : null
  if (fitting !== null && fitting.length <= high) return fitting
  const text = formatExample ?? '<string>'
  if (text.length >= low && text.length <= high) return text
  const bare = text.slice(1, -1)
  const preferred = Math.min(Math.max(low, Math.min(bare.length, high)), MAX_CHARACTERS)
  return bare.repeat(Math.ceil(preferred / bare.length)).slice(0, preferred)
}

/** Returns a typical number. Respects limits and `multipleOf` if possible. */
function buildNumber(schema: JsonObject, isWhole: boolean): number {
  const { low, high, isLowOpen, isHighOpen } = numberBounds(schema)
  const given = schema.multipleOf
  const step = isNumber(given) && given > 0 ? Number(given) : isWhole ? 1 : null
  const preferred = step !== null && step !== 1 ? step : isWhole ? 123 : 12.5
  const isInside = (one: number) =>
    (isLowOpen ? one > low : one >= low) && (isHighOpen ? one < high : one <= high)
  if (step === null) {
    const middle = (low + high) / 2
    const candidates = [preferred, low, high, low + 1, high - 1, middle]
    return candidates.find((one) => Number.isFinite(one) && isInside(one)) ?? preferred
  }
  const up = Math.ceil(Math.max(preferred, low) / step)
  const down = Math.floor(Math.min(preferred, high) / step)
  const steps = [up, up + 1, down, down - 1].map((count) => Number((count * step).toPrecision(12)))
  return steps.find((one) => Number.isFinite(one) && isInside(one)) ?? preferred
}

/** Reads limits. An exclusive limit is `true` in OpenAPI 3.0 and a number in later versions. */
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
