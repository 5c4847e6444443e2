/** Reduces schemas to the parts that a form requires: no descriptions, referenced schemas included. */
import { fieldsOf, type Json, type JsonObject, listOf, pointTo } from '../../openapi/api-json.ts'
import { CHILDREN, childrenOf } from '../../openapi/schema.ts'

/** Keywords used by forms and examples. */
const KEPT = new Set(
  'type format enum const default example title properties required items prefixItems additionalProperties oneOf anyOf allOf nullable discriminator readOnly writeOnly deprecated minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems uniqueItems multipleOf pattern contentMediaType contentEncoding x-example'.split(
    ' ',
  ),
)
const OF_NAMES = new Set(['properties'])
const OF_SCHEMAS = new Set(['oneOf', 'anyOf', 'allOf', 'prefixItems'])
const ONE_SCHEMA = new Set(['items', 'additionalProperties'])

/** Limits: schema nodes per operation, and nesting depth; anything beyond accepts any JSON. */
const MOST_NODES = 6000
const DEPTH = 40
/** Characters of one value given by an author. */
const VALUE_CHARACTERS = 20_000

export interface SchemaCompactor {
  compact(schema: Json | undefined): Json
  /** Returns all schemas referenced directly or indirectly. Call it once, at the end. */
  defs(): JsonObject
}

export function createSchemaCompactor(root: JsonObject): SchemaCompactor {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const waiting: string[] = []
  let nodesLeft = MOST_NODES

  const nameOf = (reference: string): string => {
    const known = names.get(reference)
    if (known !== undefined) return known
    const last = (reference.split('/').at(-1) ?? '').replace(/[^\w.$-]/g, '_') || 'schema'
    let name = last
    for (let count = 2; taken.has(name); count++) name = `${last}_${count}`
    taken.add(name)
    names.set(reference, name)
    waiting.push(reference)
    return name
  }

  const compact = (value: Json | undefined, depth: number): Json => {
    if (typeof value === 'boolean') return value
    const schema = fieldsOf(value)
    if (nodesLeft-- <= 0 || depth > DEPTH) return {}
    const made: JsonObject = {}
    const reference = typeof schema.$ref === 'string' ? schema.$ref : null
    if (reference !== null && pointTo(root, reference) === undefined) return {}
    if (reference !== null) made.$ref = `#/defs/${nameOf(reference)}`
    for (const [key, field] of Object.entries(schema)) {
      if (key === 'examples') {
        const [first] = listOf(field)
        if (first !== undefined && isShort(first)) made.example ??= first
      } else if (KEPT.has(key)) made[key] = compactField(key, field, depth + 1)
    }
    const children = childrenOf(root, schema, value ?? null).map((one) => compact(one, depth + 1))
    if (children.length > 0) made[CHILDREN] = children
    return made
  }

  const compactField = (key: string, field: Json, depth: number): Json => {
    if (OF_NAMES.has(key)) {
      const all = Object.entries(fieldsOf(field)).map(([name, one]) => [name, compact(one, depth)] as const)
      return Object.fromEntries(all)
    }
    const isList = OF_SCHEMAS.has(key) || key === 'items'
    if (isList && Array.isArray(field)) return field.map((one) => compact(one, depth))
    if (ONE_SCHEMA.has(key)) return compact(field, depth)
    if (key === 'discriminator') return compactDiscriminator(field)
    return isShort(field) ? field : ''
  }

  return {
    compact: (schema) => compact(schema, 0),
    defs: () => {
      const defs: [string, Json][] = []
      // Direct references of the operation come first, so that the outer levels are complete.
      for (let reference = waiting.shift(); reference !== undefined; reference = waiting.shift())
        defs.push([names.get(reference) as string, compact(pointTo(root, reference), 0)])
      return Object.fromEntries(defs)
    },
  }
}

/** Keeps the model names in a mapping, because values are looked up by the last part of those names. */
function compactDiscriminator(field: Json): Json {
  const { propertyName, mapping } = fieldsOf(field)
  if (typeof propertyName !== 'string') return {}
  return mapping === undefined ? { propertyName } : { propertyName, mapping: fieldsOf(mapping) }
}

function isShort(value: Json): boolean {
  return typeof value !== 'object' || value === null
    ? String(value).length <= VALUE_CHARACTERS
    : JSON.stringify(value).length <= VALUE_CHARACTERS
}
