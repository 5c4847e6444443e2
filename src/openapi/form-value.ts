/** Values of a form: JSON, files, and undefined for empty fields. */
import { asArray, asObject, type Json, type JsonObject } from './api-json.ts'
import { createExample } from './example-value.ts'
import type { PlaygroundBody, PlaygroundData, PlaygroundParameter } from './playground-data.ts'
import {
  createSchemaScope,
  type FlatSchema,
  flatten,
  isFileSchema,
  isRequiredIn,
  listItems,
  listVariants,
  type SchemaScope,
  tupleItems,
} from './schema.ts'

/** Undefined is omitted from the request, null is sent. */
export type FormValue = undefined | null | string | number | boolean | Blob | FormValue[] | FormFields
export interface FormFields {
  [name: string]: FormValue
}

export type FieldKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'constant'
  | 'file'
  | 'files'
  | 'list'
  | 'object'
  | 'variants'
  | 'json'

export function createPlaygroundScope({ defs }: Pick<PlaygroundData, 'defs'>): SchemaScope {
  return createSchemaScope({ defs })
}

export function getFieldKind({ schema }: FlatSchema): FieldKind {
  if (schema.const !== undefined) return 'constant'
  if (isFileSchema(schema)) return 'file'
  if (Array.isArray(schema.enum) && schema.enum.every((one) => typeof one !== 'object' || one === null)) {
    return 'choice'
  }
  const [variants] = listVariants({ schema } as FlatSchema)
  if (variants && variants.schemas.length > 0 && schema.properties === undefined) return 'variants'
  if (tupleItems(schema).length > 0) return 'json'
  const items = listItems(schema)
  if (items !== null) return isFileSchema(asObject(items)) ? 'files' : 'list'
  if (schema.properties !== undefined) return variants ? 'json' : 'object'
  if (schema.type === 'object')
    return typeof schema.additionalProperties === 'object' || schema.properties ? 'object' : 'json'
  if (schema.type === 'boolean') return 'boolean'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  return schema.type === 'string' ? 'text' : schema.type === undefined && schema.format ? 'text' : 'json'
}

/** Maximum nesting of form fields. Sufficient for manual input. */
const MAX_DEPTH = 8

/**
 * Returns the initial value of a form: required properties and defaults. Undefined if the reader has to
 * choose.
 */
export function createInitialValue(
  scope: SchemaScope,
  schema: Json,
  isRequired: boolean,
  depth = 0,
): FormValue {
  const flat = flatten(scope, schema)
  const { default: initial, const: constant } = flat.schema
  if (constant !== undefined) return isRequired ? constant : undefined
  if (initial !== undefined && initial !== null) return structuredClone(initial)
  if (!isRequired || depth > MAX_DEPTH) return undefined
  switch (getFieldKind(flat)) {
    case 'choice': {
      const options = asArray(flat.schema.enum)
      return options.length === 1 ? options[0] : undefined
    }
    case 'list':
      return []
    case 'object':
      return createInitialFields(scope, flat, depth)
    case 'variants': {
      const [first] = listVariants(flat)[0]?.schemas ?? []
      return first === undefined ? undefined : createInitialValue(scope, first, true, depth + 1)
    }
    default:
      return undefined
  }
}

function createInitialFields(scope: SchemaScope, { schema }: FlatSchema, depth: number): FormFields {
  const fields: FormFields = {}
  for (const [name, property] of listRequestProperties(scope, schema)) {
    const value = createInitialValue(scope, property, isRequiredIn(schema, name), depth + 1)
    if (value !== undefined) setField(fields, name, value)
  }
  return fields
}

/** Returns the properties without read-only ones. */
export function listRequestProperties(scope: SchemaScope, schema: JsonObject): [string, Json][] {
  return Object.entries(asObject(schema.properties)).filter(
    ([, property]) => flatten(scope, property).schema.readOnly !== true,
  )
}

/** Sets an own property, even for names like `__proto__`. */
export function setField(fields: FormFields, name: string, value: FormValue): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })
}

export function createParameterExample(
  scope: SchemaScope,
  { schema, example, isRequired }: PlaygroundParameter,
  isRequiredOnly: boolean,
): FormValue {
  if (!isRequired && isRequiredOnly) return undefined
  if (example !== null) return example
  const { schema: flat } = flatten(scope, schema)
  const givenValue = flat.example ?? flat.default
  if (givenValue !== undefined && givenValue !== null) return givenValue
  return isRequired
    ? createExample(scope, schema, { direction: 'request', isRequiredOnly: false })
    : undefined
}

export function createBodyExample(scope: SchemaScope, body: PlaygroundBody, isRequiredOnly: boolean): Json {
  if (body.example === null)
    return createExample(scope, body.schema, { direction: 'request', isRequiredOnly })
  if (typeof body.example !== 'string' || flatten(scope, body.schema).schema.type === 'string')
    return body.example
  // Some authors write JSON as a string.
  try {
    return JSON.parse(body.example) as Json
  } catch {
    return body.example
  }
}

/** Returns the index of the variant that fits a value best; 0 if none fits. */
export function findBestVariant(scope: SchemaScope, schemas: readonly Json[], value: FormValue): number {
  const scores = schemas.map((schema) => scoreFit(scope, schema, value))
  return Math.max(0, scores.indexOf(Math.max(...scores)))
}

function scoreFit(scope: SchemaScope, schema: Json, value: FormValue): number {
  const flat = flatten(scope, schema)
  const kind = getFieldKind(flat)
  if (value === undefined || value === null || value instanceof Blob) return 0
  if (kind === 'constant') return flat.schema.const === value ? 3 : -1
  if (kind === 'choice') return asArray(flat.schema.enum).some((one) => one === value) ? 2 : -1
  if (Array.isArray(value)) return kind === 'list' ? 1 : -1
  if (typeof value !== 'object') {
    const expectedType = { text: 'string', number: 'number', boolean: 'boolean' }[kind as 'text']
    return expectedType === typeof value ? 1 : -1
  }
  if (kind !== 'object') return -1
  const properties = asObject(flat.schema.properties)
  let score = 0
  for (const [name, one] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) continue
    score +=
      getFieldKind(flatten(scope, properties[name])) === 'constant'
        ? 2 * scoreFit(scope, properties[name] as Json, one)
        : 1
  }
  const missing = asArray(flat.schema.required).filter((name) => !Object.hasOwn(value, String(name)))
  return score - missing.length
}
