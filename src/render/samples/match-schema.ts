/** Compares data with a schema of an API description: types, fields, values and limits. Formats are not checked. */
import {
  asArray,
  asObject,
  followReference,
  isNumber,
  type Json,
  type JsonObject,
} from '../../openapi/api-json.ts'

/** Maximum number of values compared over all branches, because schemas can refer to themselves. */
const MAX_STEPS = 20_000

/** Returns the first mismatch as a message without a full stop, or null. */
export function findMismatch(root: JsonObject, schema: Json | undefined, value: unknown): string | null {
  return compare({ root, steps: MAX_STEPS }, schema, value, 'it')
}

interface Scope {
  root: JsonObject
  steps: number
}

function compare(scope: Scope, written: unknown, value: unknown, at: string): string | null {
  if (--scope.steps < 0 || written === true || typeof written !== 'object' || written === null) return null
  const schema = followReference(scope.root, written)
  for (const part of asArray(schema.allOf)) {
    const found = compare(scope, part, value, at)
    if (found !== null) return found
  }
  for (const key of ['oneOf', 'anyOf']) {
    const branches = asArray(schema[key])
    if (branches.length === 0) continue
    const found = branches.map((branch) => compare(scope, branch, value, at))
    if (!found.includes(null))
      return branches.length === 1 ? (found[0] ?? null) : `${at} does not match any of the allowed variants`
  }
  if (value === null && schema.nullable === true) return null
  const types = [schema.type].flat().filter((type) => typeof type === 'string')
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return `${at} is ${describeValueType(value)} instead of ${types.join(' or ')}`
  const allowed = asArray(schema.enum)
  if (allowed.length > 0 && !allowed.some((one) => isSame(one, value)))
    return `${at} is ${JSON.stringify(value)?.slice(0, 60)}, not one of ${allowed
      .slice(0, 10)
      .map((one) => JSON.stringify(one))
      .join(', ')}`
  if (schema.const !== undefined && !isSame(schema.const, value))
    return `${at} must be ${JSON.stringify(schema.const)}`
  return (
    findLimitMismatch(schema, value, at) ??
    (Array.isArray(value)
      ? compareItems(scope, schema, value, at)
      : isRecord(value)
        ? compareFields(scope, schema, value, at)
        : null)
  )
}

function findLimitMismatch(schema: JsonObject, value: unknown, at: string): string | null {
  const size = typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : value
  if (typeof size !== 'number') return null
  const [least, most] =
    typeof value === 'string'
      ? ['minLength', 'maxLength']
      : Array.isArray(value)
        ? ['minItems', 'maxItems']
        : ['minimum', 'maximum']
  const limit = (name = '') => (isNumber(schema[name]) ? Number(schema[name]) : null)
  const [min, max] = [limit(least), limit(most)]
  if (min !== null && size < min) return `${at} is less than its ${least} ${min}`
  if (max !== null && size > max) return `${at} is more than its ${most} ${max}`
  return null
}

function compareItems(
  scope: Scope,
  schema: JsonObject,
  value: readonly unknown[],
  at: string,
): string | null {
  for (const [index, item] of value.entries()) {
    const found = compare(scope, schema.items, item, `${at === 'it' ? '' : at}[${index}]`)
    if (found !== null) return found
  }
  return null
}

function compareFields(
  scope: Scope,
  schema: JsonObject,
  value: Record<string, unknown>,
  at: string,
): string | null {
  const known = asObject(schema.properties)
  const path = (name: string) => (at === 'it' ? name : `${at}.${name}`)
  for (const name of asArray(schema.required))
    if (typeof name === 'string' && !Object.hasOwn(value, name)) return `${path(name)} is missing`
  for (const [name, one] of Object.entries(value)) {
    const isKnown = Object.hasOwn(known, name)
    // Few schemas forbid additional fields, but an unknown field in a sample is usually a typo or out of
    // date.
    const isOpen =
      schema.additionalProperties !== undefined
        ? schema.additionalProperties !== false
        : Object.keys(known).length === 0
    if (!isKnown && !isOpen && !isComposed(schema)) return `${path(name)} is not defined in the schema`
    const found = compare(scope, isKnown ? known[name] : schema.additionalProperties, one, path(name))
    if (found !== null) return found
  }
  return null
}

/** Each part of a composed schema lists only some of the fields, so a field unknown to one part is valid. */
function isComposed(schema: JsonObject): boolean {
  return ['allOf', 'oneOf', 'anyOf'].some((key) => asArray(schema[key]).length > 0)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value)
  if (type === 'number') return typeof value === 'number'
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'object') return isRecord(value)
  return typeof value === type
}

function describeValueType(value: unknown): string {
  if (value === null) return 'null'
  const type = Array.isArray(value) ? 'array' : typeof value
  return `${/^[ao]/.test(type) ? 'an' : 'a'} ${type}`
}

function isSame(one: unknown, other: unknown): boolean {
  return isNumber(one) ? Number(one) === other : JSON.stringify(one) === JSON.stringify(other)
}
