/** Reduces schemas to the keywords that forms require. Omits descriptions and includes referenced schemas. */
import { asArray, asObject, type Json, type JsonObject, resolvePointer } from '../../openapi/api-json.ts'
import { CHILDREN_KEY, listChildSchemas } from '../../openapi/schema.ts'

const FORM_SCHEMA_KEYWORDS = new Set(
  'type format enum const default example title properties required items prefixItems additionalProperties oneOf anyOf allOf nullable discriminator readOnly writeOnly deprecated minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems uniqueItems multipleOf pattern contentMediaType contentEncoding x-example'.split(
    ' ',
  ),
)
const NAMED_SCHEMA_KEYWORDS = new Set(['properties'])
const SCHEMA_LIST_KEYWORDS = new Set(['oneOf', 'anyOf', 'allOf', 'prefixItems'])
const SINGLE_SCHEMA_KEYWORDS = new Set(['items', 'additionalProperties'])

/** Maximum number of schemas per operation and maximum nesting. Schemas beyond these accept any JSON. */
const MAX_NODES = 6000
const MAX_DEPTH = 40
/** Maximum length of a value in a description. */
const MAX_VALUE_CHARACTERS = 20_000

export interface SchemaCompactor {
  compact(schema: Json | undefined): Json
  /** Returns all directly or indirectly referenced schemas. Must be called last. */
  defs(): JsonObject
}

export function createSchemaCompactor(root: JsonObject): SchemaCompactor {
  const names = new Map<string, string>()
  const usedNames = new Set<string>()
  const pending: string[] = []
  let remainingNodes = MAX_NODES

  const assignName = (reference: string): string => {
    const assignedName = names.get(reference)
    if (assignedName !== undefined) return assignedName
    const last = (reference.split('/').at(-1) ?? '').replace(/[^\w.$-]/g, '_') || 'schema'
    let name = last
    for (let count = 2; usedNames.has(name); count++) name = `${last}_${count}`
    usedNames.add(name)
    names.set(reference, name)
    pending.push(reference)
    return name
  }

  const compact = (value: Json | undefined, depth: number): Json => {
    if (typeof value === 'boolean') return value
    const schema = asObject(value)
    if (remainingNodes-- <= 0 || depth > MAX_DEPTH) return {}
    const compacted: JsonObject = {}
    const reference = typeof schema.$ref === 'string' ? schema.$ref : null
    if (reference !== null && resolvePointer(root, reference) === undefined) return {}
    if (reference !== null) compacted.$ref = `#/defs/${assignName(reference)}`
    for (const [key, field] of Object.entries(schema)) {
      if (key === 'examples') {
        const [first] = asArray(field)
        if (first !== undefined && isShort(first)) compacted.example ??= first
      } else if (FORM_SCHEMA_KEYWORDS.has(key)) compacted[key] = compactField(key, field, depth + 1)
    }
    const children = listChildSchemas(root, schema, value ?? null).map((one) => compact(one, depth + 1))
    if (children.length > 0) compacted[CHILDREN_KEY] = children
    return compacted
  }

  const compactField = (key: string, field: Json, depth: number): Json => {
    if (NAMED_SCHEMA_KEYWORDS.has(key)) {
      const all = Object.entries(asObject(field)).map(([name, one]) => [name, compact(one, depth)] as const)
      return Object.fromEntries(all)
    }
    const isList = SCHEMA_LIST_KEYWORDS.has(key) || key === 'items'
    if (isList && Array.isArray(field)) return field.map((one) => compact(one, depth))
    if (SINGLE_SCHEMA_KEYWORDS.has(key)) return compact(field, depth)
    if (key === 'discriminator') return compactDiscriminator(field)
    return isShort(field) ? field : ''
  }

  return {
    compact: (schema) => compact(schema, 0),
    defs: () => {
      const defs: [string, Json][] = []
      // Breadth-first, so that the limit omits only deeply nested schemas.
      for (let reference = pending.shift(); reference !== undefined; reference = pending.shift())
        defs.push([names.get(reference) as string, compact(resolvePointer(root, reference), 0)])
      return Object.fromEntries(defs)
    },
  }
}

/**
 * Preserves the names in the mapping, because discriminator values are looked up by the last segment of these names.
 */
function compactDiscriminator(field: Json): Json {
  const { propertyName, mapping } = asObject(field)
  if (typeof propertyName !== 'string') return {}
  return mapping === undefined ? { propertyName } : { propertyName, mapping: asObject(mapping) }
}

function isShort(value: Json): boolean {
  return typeof value !== 'object' || value === null
    ? String(value).length <= MAX_VALUE_CHARACTERS
    : JSON.stringify(value).length <= MAX_VALUE_CHARACTERS
}
