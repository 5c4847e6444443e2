/** Values of a form: JSON, files, and undefined for what a reader left out. */
import { fieldsOf, type Json, type JsonObject, listOf } from './api-json.ts'
import { exampleOf } from './example-value.ts'
import type { PlaygroundBody, PlaygroundData, PlaygroundParameter } from './playground-data.ts'
import {
  createSchemaScope,
  type FlatSchema,
  flatten,
  isFileSchema,
  isRequiredIn,
  listItems,
  type SchemaScope,
  tupleItems,
  variantsOf,
} from './schema.ts'

/** Undefined is omitted from the request; null is sent. */
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

export function playgroundScope({ defs }: Pick<PlaygroundData, 'defs'>): SchemaScope {
  return createSchemaScope({ defs })
}

/** Returns the kind of form control for a schema. */
export function fieldKind({ schema }: FlatSchema): FieldKind {
  if (schema.const !== undefined) return 'constant'
  if (isFileSchema(schema)) return 'file'
  if (Array.isArray(schema.enum) && schema.enum.every((one) => typeof one !== 'object' || one === null)) {
    return 'choice'
  }
  const [variants] = variantsOf({ schema } as FlatSchema)
  if (variants && variants.schemas.length > 0 && schema.properties === undefined) return 'variants'
  if (tupleItems(schema).length > 0) return 'json'
  const items = listItems(schema)
  if (items !== null) return isFileSchema(fieldsOf(items)) ? 'files' : 'list'
  if (schema.properties !== undefined) return variants ? 'json' : 'object'
  if (schema.type === 'object')
    return typeof schema.additionalProperties === 'object' || schema.properties ? 'object' : 'json'
  if (schema.type === 'boolean') return 'boolean'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  return schema.type === 'string' ? 'text' : schema.type === undefined && schema.format ? 'text' : 'json'
}

/** Maximum nesting; nobody fills in more by hand. */
const DEPTH = 8

/** Initial value of a form: required properties and defaults. Undefined if the reader has to choose. */
export function initialValue(scope: SchemaScope, schema: Json, isRequired: boolean, depth = 0): FormValue {
  const flat = flatten(scope, schema)
  const { default: initial, const: constant } = flat.schema
  if (constant !== undefined) return isRequired ? constant : undefined
  if (initial !== undefined && initial !== null) return structuredClone(initial)
  if (!isRequired || depth > DEPTH) return undefined
  switch (fieldKind(flat)) {
    case 'choice': {
      const options = listOf(flat.schema.enum)
      return options.length === 1 ? options[0] : undefined
    }
    case 'list':
      return []
    case 'object':
      return initialFields(scope, flat, depth)
    case 'variants': {
      const [first] = variantsOf(flat)[0]?.schemas ?? []
      return first === undefined ? undefined : initialValue(scope, first, true, depth + 1)
    }
    default:
      return undefined
  }
}

function initialFields(scope: SchemaScope, { schema }: FlatSchema, depth: number): FormFields {
  const fields: FormFields = {}
  for (const [name, property] of requestProperties(scope, schema)) {
    const value = initialValue(scope, property, isRequiredIn(schema, name), depth + 1)
    if (value !== undefined) setField(fields, name, value)
  }
  return fields
}

/** Returns the properties allowed in a request, without read-only ones. */
export function requestProperties(scope: SchemaScope, schema: JsonObject): [string, Json][] {
  return Object.entries(fieldsOf(schema.properties)).filter(
    ([, property]) => flatten(scope, property).schema.readOnly !== true,
  )
}

/** Sets a property; a name like `__proto__` is treated as any other. */
export function setField(fields: FormFields, name: string, value: FormValue): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })
}

/** Returns the example from the description, or one generated from the schema. */
export function exampleParameter(
  scope: SchemaScope,
  { schema, example, isRequired }: PlaygroundParameter,
  isRequiredOnly: boolean,
): FormValue {
  if (!isRequired && isRequiredOnly) return undefined
  if (example !== null) return example
  const { schema: flat } = flatten(scope, schema)
  const known = flat.example ?? flat.default
  if (known !== undefined && known !== null) return known
  return isRequired ? exampleOf(scope, schema, { direction: 'request', isRequiredOnly: false }) : undefined
}

export function exampleBody(scope: SchemaScope, body: PlaygroundBody, isRequiredOnly: boolean): Json {
  if (body.example === null) return exampleOf(scope, body.schema, { direction: 'request', isRequiredOnly })
  if (typeof body.example !== 'string' || flatten(scope, body.schema).schema.type === 'string')
    return body.example
  // Some authors write the JSON as a string.
  try {
    return JSON.parse(body.example) as Json
  } catch {
    return body.example
  }
}

/** Returns the index of the variant whose shape fits a value best; 0 if none fits. */
export function variantOf(scope: SchemaScope, schemas: readonly Json[], value: FormValue): number {
  const scores = schemas.map((schema) => fitOf(scope, schema, value))
  return Math.max(0, scores.indexOf(Math.max(...scores)))
}

function fitOf(scope: SchemaScope, schema: Json, value: FormValue): number {
  const flat = flatten(scope, schema)
  const kind = fieldKind(flat)
  if (value === undefined || value === null || value instanceof Blob) return 0
  if (kind === 'constant') return flat.schema.const === value ? 3 : -1
  if (kind === 'choice') return listOf(flat.schema.enum).some((one) => one === value) ? 2 : -1
  if (Array.isArray(value)) return kind === 'list' ? 1 : -1
  if (typeof value !== 'object') {
    const wanted = { text: 'string', number: 'number', boolean: 'boolean' }[kind as 'text']
    return wanted === typeof value ? 1 : -1
  }
  if (kind !== 'object') return -1
  const properties = fieldsOf(flat.schema.properties)
  let score = 0
  for (const [name, one] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) continue
    score +=
      fieldKind(flatten(scope, properties[name])) === 'constant'
        ? 2 * fitOf(scope, properties[name] as Json, one)
        : 1
  }
  const missing = listOf(flat.schema.required).filter((name) => !Object.hasOwn(value, String(name)))
  return score - missing.length
}
