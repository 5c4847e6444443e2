/** Compares data with a schema of an API description: types, fields, values and limits. Formats are not checked. */
import {
  asArray,
  asObject,
  followReference,
  isNumber,
  type Json,
  type JsonObject,
} from '../../openapi/api-json.ts'

/** Maximum number of values compared over all branches, and of nested ones, because schemas can refer to themselves. */
const MAX_STEPS = 20_000
const MAX_DEPTH = 500

/** Returns the first mismatch as a message without a full stop, or null. */
export function findMismatch(root: JsonObject, schema: Json | undefined, value: unknown): string | null {
  return compare({ root, steps: MAX_STEPS, depth: 0 }, schema, value, 'it')
}

/** Returns the first message, or null. */
export function findFirst<Item>(items: Iterable<Item>, check: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = check(item)
    if (found !== null) return found
  }
  return null
}

interface Scope {
  root: JsonObject
  steps: number
  depth: number
}

function compare(scope: Scope, written: unknown, value: unknown, at: string): string | null {
  if (--scope.steps < 0 || scope.depth > MAX_DEPTH || typeof written !== 'object' || written === null)
    return null
  scope.depth += 1
  const found = compareWith(scope, followReference(scope.root, written), value, at)
  scope.depth -= 1
  return found
}

function compareWith(scope: Scope, schema: JsonObject, value: unknown, at: string): string | null {
  const inherited = findFirst(asArray(schema.allOf), (part) => compare(scope, part, value, at))
  if (inherited !== null) return inherited
  for (const key of ['oneOf', 'anyOf']) {
    const branches = asArray(schema[key])
    if (branches.length === 0) continue
    const found = branches.map((branch) => compare(scope, branch, value, at))
    if (!found.includes(null))
      return branches.length === 1 ? (found[0] ?? null) : `${at} does not match any of the allowed variants`
  }
  if (value === null && schema.nullable === true) return null
  const types = [schema.type].flat().filter((type) => typeof type === 'string')
  const own = typeOf(value)
  if (
    types.length > 0 &&
    !types.some((type) => type === own || (type === 'integer' && Number.isInteger(value)))
  )
    return `${at} is ${own === 'null' ? own : `${/^[ao]/.test(own) ? 'an' : 'a'} ${own}`} instead of ${types.join(' or ')}`
  const allowed = asArray(schema.enum)
  if (allowed.length > 0 && !allowed.some((one) => isSame(one, value)))
    return `${at} is ${JSON.stringify(value)?.slice(0, 60)}, not one of ${allowed
      .slice(0, 10)
      .map((one) => JSON.stringify(one))
      .join(', ')}`
  if (schema.const !== undefined && !isSame(schema.const, value))
    return `${at} must be ${JSON.stringify(schema.const)}`
  return findLimitMismatch(schema, value, at) ?? compareParts(scope, schema, value, at)
}

function findLimitMismatch(schema: JsonObject, value: unknown, at: string): string | null {
  const [size, least, most] =
    typeof value === 'string'
      ? [[...value].length, 'minLength', 'maxLength']
      : Array.isArray(value)
        ? [value.length, 'minItems', 'maxItems']
        : [value, 'minimum', 'maximum']
  if (typeof size !== 'number') return null
  const [min, max] = [schema[least], schema[most]]
  if (isNumber(min) && size < min) return `${at} is less than its ${least} ${Number(min)}`
  if (isNumber(max) && size > max) return `${at} is more than its ${most} ${Number(max)}`
  return null
}

function compareParts(scope: Scope, schema: JsonObject, value: unknown, at: string): string | null {
  if (Array.isArray(value))
    return findFirst(value.entries(), ([index, item]) =>
      compare(scope, schema.items, item, `${at === 'it' ? '' : at}[${index}]`),
    )
  if (typeOf(value) !== 'object') return null
  const fields = value as Record<string, unknown>
  const known = asObject(schema.properties)
  const path = (name: string) => (at === 'it' ? name : `${at}.${name}`)
  for (const name of asArray(schema.required))
    if (typeof name === 'string' && !Object.hasOwn(fields, name)) return `${path(name)} is missing`
  // Few schemas forbid additional fields, but an unknown field in a sample is usually a typo or out of date. Each part
  // of a composed schema lists only some of the fields, so a field unknown to one part is valid.
  const { additionalProperties: other = Object.keys(known).length === 0 } = schema
  const isOpen = other !== false || ['allOf', 'oneOf', 'anyOf'].some((key) => asArray(schema[key]).length > 0)
  return findFirst(Object.entries(fields), ([name, one]) => {
    if (Object.hasOwn(known, name)) return compare(scope, known[name], one, path(name))
    return isOpen ? compare(scope, other, one, path(name)) : `${path(name)} is not defined in the schema`
  })
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function isSame(one: unknown, other: unknown): boolean {
  return isNumber(one) ? Number(one) === other : JSON.stringify(one) === JSON.stringify(other)
}
