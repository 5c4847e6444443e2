/** Reads the JSON of API descriptions. It may be malformed, but no function throws. */

export type Json = string | number | boolean | null | Json[] | JsonObject
export interface JsonObject {
  [name: string]: Json
}

/**
 * Number that JavaScript would print with other digits, such as 1.10 or an integer beyond 2^53. Has the
 * nearest numeric value, but prints the original digits as text and JSON. `typeof` is `object`, so use
 * `isNumber`.
 */
export class ExactNumber extends Number {
  readonly #digits: string
  constructor(digits: string) {
    super(digits)
    this.#digits = digits
  }
  override toString(): string {
    return this.#digits
  }
  toJSON(): unknown {
    return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(this.#digits)
  }
}

/** Numbers with more digits are not preserved as written. */
const MAX_DIGITS = 100
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

/** Returns an ExactNumber if a plain number would be printed with other digits. */
export function toExactNumber(value: number, digits: string): Json {
  if (String(value) === digits || digits.length > MAX_DIGITS || !JSON_NUMBER.test(digits)) return value
  return new ExactNumber(digits) as unknown as number
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' || value instanceof ExactNumber
}

export function isScalar(value: Json): value is string | number | boolean | null {
  return typeof value !== 'object' || value === null || value instanceof ExactNumber
}

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

export function asArray(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}

/** Returns trimmed text, or null for blank text and other types. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** Returns the value of an own property. Never reads the prototype. */
export function getOwnField(value: unknown, name: string): Json | undefined {
  const fields = asObject(value)
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** Resolves a reference such as `#/components/schemas/X`. Returns undefined if the target does not exist. */
export function resolvePointer(root: Json, reference: string): Json | undefined {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let value: Json | undefined = root
  for (const part of reference.slice(2).split('/')) {
    const name = decodePointerSegment(part)
    if (Array.isArray(value)) value = /^\d+$/.test(name) ? value[Number(name)] : undefined
    else value = getOwnField(value, name)
    if (value === undefined) return undefined
  }
  return value
}

function decodePointerSegment(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~')
  if (!plain.includes('%')) return plain
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

const MAX_HOPS = 20

/** Follows chains of `$ref`. Properties next to a `$ref` override those of the target. */
export function followReference(root: Json, value: unknown): JsonObject {
  let fields = asObject(value)
  const overrides: JsonObject[] = []
  for (let hops = 0; typeof fields.$ref === 'string' && hops < MAX_HOPS; hops++) {
    const { $ref, ...rest } = fields
    overrides.push(rest)
    fields = asObject(resolvePointer(root, String($ref)))
  }
  if (typeof fields.$ref === 'string') return {}
  return overrides.every((one) => Object.keys(one).length === 0)
    ? fields
    : Object.assign({}, fields, ...overrides.reverse())
}
