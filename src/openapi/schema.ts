/**
 * Normalizes JSON schemas of all versions: resolves references, merges `allOf`, separates null from the type.
 */
import {
  asArray,
  asObject,
  asText,
  getOwnField,
  isNumber,
  type Json,
  type JsonObject,
  resolvePointer,
} from './api-json.ts'

export interface SchemaScope {
  root: JsonObject
  /** Remaining number of schemas to visit. Limits the work for references that branch out or form cycles. */
  remainingVisits: number
  flattened: Map<Json, FlatSchema>
}

export interface FlatSchema {
  /** Without `$ref`, `allOf` and `nullable`. */
  schema: JsonObject
  /** Name of the data model; null if the schema is anonymous. */
  name: string | null
  isNullable: boolean
  /** Identity of the schema, to detect cycles. */
  origin: Json
}

export function createSchemaScope(root: JsonObject): SchemaScope {
  const flattened = flattenedByRoot.get(root) ?? new Map<Json, FlatSchema>()
  flattenedByRoot.set(root, flattened)
  return { root, remainingVisits: MAX_VISITS, flattened }
}

/** Shared between pages, because many pages use the same schemas. */
const flattenedByRoot = new WeakMap<JsonObject, Map<Json, FlatSchema>>()

const MAX_HOPS = 12
const MAX_VISITS = 60_000
const EMPTY: FlatSchema = { schema: {}, name: null, isNullable: false, origin: null }

export function flatten(scope: SchemaScope, value: Json | undefined, hops = 0): FlatSchema {
  if (value === undefined || value === true) return EMPTY
  if (value === false) return { ...EMPTY, schema: { not: {} } }
  const cached = scope.flattened.get(value)
  if (cached) return cached
  if (hops > MAX_HOPS || scope.remainingVisits-- <= 0) {
    // Enclosing schemas are incomplete from here on and must not be shared, so this page gets a separate cache.
    if (scope.flattened === flattenedByRoot.get(scope.root)) scope.flattened = new Map(scope.flattened)
    return EMPTY
  }
  const flat = flattenOnce(scope, asObject(value), value, hops)
  scope.flattened.set(value, flat)
  return flat
}

function flattenOnce(scope: SchemaScope, fields: JsonObject, origin: Json, hops: number): FlatSchema {
  const { $ref, allOf, nullable, ...own } = fields
  const children = listChildSchemas(scope.root, own, origin)
  if (children.length > 0) own[CHILDREN_KEY] = children
  // Removes the models that extend a part of `allOf`, because they do not extend this model.
  const extended = (part: FlatSchema) =>
    own.properties === undefined && asArray(allOf).length === 1 ? part : withoutChildren(part)
  const parts = asArray(allOf).map((part) => extended(flatten(scope, part, hops + 1)))
  if (typeof $ref === 'string') parts.unshift(flattenTarget(scope, $ref, hops))
  if (parts.length === 0) return withoutNull(scope, own, origin, nullable === true, hops)
  const schema = parts.reduceRight((merged, part) => merge(part.schema, merged), own)
  const only = parts.length === 1 ? parts[0] : undefined
  const isNullable = nullable === true || (parts.every((part) => part.isNullable) && parts.length > 0)
  const flat = withoutNull(scope, schema, origin, isNullable, hops)
  // A reference with additional keywords still refers to the same model.
  return only ? { ...flat, name: only.name, origin: only.origin } : flat
}

/**
 * Property that lists the models extending this one with `allOf`. In OpenAPI 3.x, only the discriminator refers to
 * these models.
 */
export const CHILDREN_KEY = 'x-octavo-children'

function withoutChildren(part: FlatSchema): FlatSchema {
  if (part.schema[CHILDREN_KEY] === undefined) return part
  const { [CHILDREN_KEY]: _, discriminator: __, ...schema } = part.schema
  return { ...part, schema }
}

/** Returns models in the mapping of the discriminator, then other models that extend this one. */
export function listChildSchemas(root: JsonObject, schema: JsonObject, origin: Json): Json[] {
  if (schema.discriminator === undefined || schema.oneOf !== undefined || schema.anyOf !== undefined)
    return []
  if (schema[CHILDREN_KEY] !== undefined) return asArray(schema[CHILDREN_KEY])
  const { propertyName, mapping } = asObject(schema.discriminator)
  if (asText(propertyName) === null) return []
  const named = Object.values(asObject(mapping)).flatMap((target) =>
    typeof target !== 'string' ? [] : target.includes('/') ? target : `#/components/schemas/${target}`,
  )
  const references = new Map<Json, string>()
  for (const reference of [...named, ...(indexExtensions(root).get(origin) ?? [])]) {
    const model = resolvePointer(root, reference)
    if (model !== undefined && model !== origin && !references.has(model)) references.set(model, reference)
  }
  return [...references.values()].map(($ref) => ({ $ref }))
}

const extensionsByRoot = new WeakMap<JsonObject, Map<Json, string[]>>()

/** Maps each extended model to references to the models that extend it. */
function indexExtensions(root: JsonObject): Map<Json, string[]> {
  const cached = extensionsByRoot.get(root)
  if (cached) return cached
  const found = new Map<Json, string[]>()
  for (const [name, model] of Object.entries(asObject(asObject(root.components).schemas))) {
    for (const part of asArray(getOwnField(model, 'allOf'))) {
      const reference = asText(getOwnField(part, '$ref'))
      const base = reference === null ? undefined : resolvePointer(root, reference)
      if (base === undefined) continue
      const escapedName = name.replaceAll('~', '~0').replaceAll('/', '~1')
      found.set(base, [...(found.get(base) ?? []), `#/components/schemas/${escapedName}`])
    }
  }
  extensionsByRoot.set(root, found)
  return found
}

function flattenTarget(scope: SchemaScope, reference: string, hops: number): FlatSchema {
  const target = resolvePointer(scope.root, reference)
  if (target === undefined) return { ...EMPTY, name: getReferenceName(reference) }
  const flat = flatten(scope, target, hops + 1)
  return { ...flat, name: flat.name ?? getReferenceName(reference), origin: flat.origin ?? target }
}

function getReferenceName(reference: string): string | null {
  const last = reference.split('/').at(-1) ?? ''
  return /^[A-Za-z_][\w.$-]*$/.test(last) ? last : null
}

/** Treats `type: [x, null]`, `anyOf: [x, { type: null }]` and `enum: [x, null]` as nullable. */
function withoutNull(
  scope: SchemaScope,
  schema: JsonObject,
  origin: Json,
  isNullable: boolean,
  hops: number,
): FlatSchema {
  let nonNull = schema
  let canBeNull = isNullable
  if (Array.isArray(nonNull.type)) {
    const types = nonNull.type.filter((type) => type !== 'null')
    canBeNull ||= types.length < nonNull.type.length
    nonNull = { ...nonNull, type: types.length === 1 ? (types[0] as Json) : types }
    if (types.length === 0) nonNull.type = 'null'
  }
  for (const key of ['anyOf', 'oneOf'] as const) {
    const variants = asArray(nonNull[key])
    const others = variants.filter((variant) => !isNull(variant))
    if (variants.length === 0) continue
    canBeNull ||= others.length < variants.length && others.length > 0
    if (others.length === 1) {
      const { [key]: _, ...rest } = nonNull
      const only = flatten(scope, others[0], hops + 1)
      return {
        schema: merge(only.schema, rest),
        name: only.name,
        isNullable: canBeNull || only.isNullable,
        origin: only.origin ?? origin,
      }
    }
    if (others.length < variants.length && others.length > 1) nonNull = { ...nonNull, [key]: others }
  }
  return { schema: nonNull, name: null, isNullable: canBeNull, origin }
}

function isNull(variant: Json): boolean {
  const { type, const: constant, enum: options } = asObject(variant)
  return (
    type === 'null' || constant === null || (Array.isArray(options) && options.every((one) => one === null))
  )
}

/** Converts numbers to their value, so that the notation does not matter. */
function toComparable(value: Json): Json {
  return isNumber(value) ? Number(value) : value
}

/**
 * Merges two schemas. `over` takes precedence. However, `properties` and `required` are combined, and the stricter
 * limits apply.
 */
function merge(under: JsonObject, over: JsonObject): JsonObject {
  const merged: JsonObject = { ...under, ...over }
  for (const key of ['properties', 'patternProperties'] as const) {
    if (under[key] !== undefined && over[key] !== undefined) {
      merged[key] = { ...asObject(under[key]), ...asObject(over[key]) }
    }
  }
  if (under.required !== undefined && over.required !== undefined) {
    merged.required = [...new Set([...asArray(under.required), ...asArray(over.required)])]
  }
  if (Array.isArray(under.enum) && Array.isArray(over.enum)) {
    const allowed = new Set(over.enum.map(toComparable))
    const shared = under.enum.filter((one) => allowed.has(toComparable(one)))
    merged.enum = shared.length > 0 ? shared : over.enum
  }
  for (const [key, pick] of BOUNDS) {
    const [a, b] = [under[key], over[key]]
    if (isNumber(a) && isNumber(b)) merged[key] = pick(Number(a), Number(b)) === Number(a) ? a : b
  }
  for (const key of ['readOnly', 'writeOnly', 'deprecated']) {
    if (under[key] === true || over[key] === true) merged[key] = true
  }
  for (const key of ['oneOf', 'anyOf'] as const) {
    // Both lists must apply, so they are stored separately.
    if (under[key] !== undefined && over[key] !== undefined) merged[`x-octavo-${key}`] = under[key]
  }
  return merged
}

const BOUNDS: readonly [string, (a: number, b: number) => number][] = [
  ['minimum', Math.max],
  ['maximum', Math.min],
  ['minLength', Math.max],
  ['maxLength', Math.min],
  ['minItems', Math.max],
  ['maxItems', Math.min],
]

export interface Variants {
  kind: 'oneOf' | 'anyOf'
  schemas: Json[]
  /** Property that selects a variant, and its value by model name. */
  discriminator: { field: string; values: ReadonlyMap<string, string> } | null
}

export function listVariants({ schema }: FlatSchema): Variants[] {
  const discriminator = readDiscriminator(schema.discriminator)
  const lists: [Variants['kind'], Json | undefined][] = [
    ['oneOf', schema.oneOf],
    ['oneOf', schema[CHILDREN_KEY]],
    ['oneOf', schema['x-octavo-oneOf']],
    ['anyOf', schema.anyOf],
    ['anyOf', schema['x-octavo-anyOf']],
  ]
  return lists.flatMap(([kind, list]) => {
    const schemas = asArray(list)
    return schemas.length > 0 ? [{ kind, schemas, discriminator }] : []
  })
}

function readDiscriminator(value: Json | undefined): Variants['discriminator'] {
  const { propertyName, mapping } = asObject(value)
  const field = asText(propertyName)
  if (field === null) return null
  const values = new Map<string, string>()
  for (const [name, target] of Object.entries(asObject(mapping))) {
    const model = typeof target === 'string' ? target.split('/').at(-1) : undefined
    if (model !== undefined && !values.has(model)) values.set(model, name)
  }
  return { field, values }
}

/** Returns the type as displayed: `string<date-time>`, `enum<string>`, `User[]`, `string | null`. */
export function describeType(scope: SchemaScope, flat: FlatSchema, depth = 0): string {
  const base = describeBaseType(scope, flat, depth)
  return flat.isNullable && base !== 'null' && base !== 'any' ? `${base} | null` : base
}

const MAX_TYPE_DEPTH = 5
const MAX_TYPE_NAMES = 4

function describeBaseType(scope: SchemaScope, flat: FlatSchema, depth: number): string {
  const { schema } = flat
  if (depth > MAX_TYPE_DEPTH) return 'any'
  if (isFileSchema(schema)) return 'file'
  const format = asText(schema.format)
  if (Array.isArray(schema.enum) && schema.items === undefined) return `enum<${describePlainType(schema)}>`
  const list = listItems(schema)
  if (list !== null) return `${addBrackets(describeType(scope, flatten(scope, list), depth + 1))}[]`
  const variants = listVariants(flat)[0]
  if (variants && schema.properties === undefined) {
    const names = variants.schemas.map((one) => describeType(scope, flatten(scope, one), depth + 1))
    const different = [...new Set(names)]
    return different.length <= MAX_TYPE_NAMES ? different.join(' | ') : 'any'
  }
  const type = describePlainType(schema)
  return format === null || type === 'object' ? type : `${type}<${format}>`
}

function addBrackets(type: string): string {
  return type.includes(' ') ? `(${type})` : type
}

function describePlainType(schema: JsonObject): string {
  const { type } = schema
  if (Array.isArray(type)) return type.map(String).join(' | ') || 'any'
  if (typeof type === 'string') return type
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return 'object'
  const options = Array.isArray(schema.enum) ? schema.enum : schema.const === undefined ? [] : [schema.const]
  const types = new Set(
    options.map((one) => (one === null ? 'null' : Array.isArray(one) ? 'array' : typeof one)),
  )
  return types.size === 1 ? ([...types][0] as string) : 'any'
}

/** Returns the schema of list items, or null for other schemas. */
export function listItems(schema: JsonObject): Json | null {
  if (schema.items !== undefined && !Array.isArray(schema.items)) return schema.items
  return schema.type === 'array' ? {} : null
}

export function tupleItems(schema: JsonObject): Json[] {
  return asArray(schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : undefined))
}

export function isFileSchema(schema: JsonObject): boolean {
  if (schema.format === 'binary' || schema.type === 'file') return true
  const media = asText(schema.contentMediaType)
  return (
    media !== null &&
    /^(?:image|video|audio)\/|octet-stream|pdf|zip|gzip|x-tar/.test(media) &&
    schema.type !== 'object'
  )
}

export function isRequiredIn(schema: JsonObject, name: string): boolean {
  return Array.isArray(schema.required) && schema.required.includes(name)
}

/** Returns the author's description of an enum value, from an extension such as `x-enumDescriptions`. */
export function findNote(value: Json | undefined, key: string, index: number): string {
  return asText(Array.isArray(value) ? value[index] : getOwnField(value, key)) ?? ''
}
