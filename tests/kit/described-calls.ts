/** Generates random API calls from an OpenAPI description, either valid or with one error. Deterministic for a seed. */

type Json = { [key: string]: unknown }

export interface DescribedCall {
  /** `METHOD /path/{template}` */
  operation: string
  path: string
  init: RequestInit
}

export type Random = () => number

/** mulberry32 */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  '💥'.repeat(50),
  'x'.repeat(5000),
  "'; DROP TABLE x; --",
  '../../etc',
  '%00',
  '0',
  '-1',
  'null',
]
const ODD_VALUES: unknown[] = [
  null,
  true,
  -1,
  1e308,
  0.5,
  '',
  'x'.repeat(20_000),
  [],
  {},
  [[]],
  { a: { b: 1 } },
  ...ODD_TEXTS,
]

/** Collects ids from earlier responses, grouped by prefix (`prj`). */
export class KnownIds {
  readonly #ids = new Map<string, string[]>()
  add(text: string): void {
    for (const [id, prefix = ''] of text.matchAll(/\b([a-z]{2,8})_[0-9a-z]{16,40}\b/g)) {
      const ids = this.#ids.get(prefix) ?? []
      if (ids.includes(id)) continue
      ids.push(id)
      if (ids.length > 20) ids.splice(1, 1)
      this.#ids.set(prefix, ids)
    }
  }
  pick(prefixes: readonly string[], random: Random): string | null {
    const ids = prefixes.flatMap((prefix) => this.#ids.get(prefix) ?? [])
    return ids[Math.floor(random() * ids.length)] ?? null
  }
}

export interface CallOptions {
  random: Random
  ids: KnownIds
  /** Returns the id prefixes that fit a path parameter of an operation. */
  prefixesOf(parameter: string, path: string): readonly string[]
  /** Returns values for fields that cannot be generated from the schema, such as a domain. */
  valuesOf(field: string): unknown
  headers: Record<string, string>
}

export class CallMaker {
  readonly operations: { name: string; path: string; method: string; described: Json; shared: Json[] }[]
  readonly #root: Json
  constructor(root: Json, isWanted: (name: string) => boolean) {
    this.#root = root
    this.operations = Object.entries(root.paths as Record<string, Json>).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, described]) => (described as Json)?.operationId !== undefined)
        .map(([method, described]) => ({
          name: `${method.toUpperCase()} ${path}`,
          path,
          method: method.toUpperCase(),
          described: described as Json,
          shared: (item.parameters ?? []) as Json[],
        }))
        .filter(({ name }) => isWanted(name)),
    )
  }

  /** Makes a call that matches the description if `isRight`, otherwise one with a single invalid part. */
  make(index: number, isRight: boolean, options: CallOptions): DescribedCall {
    const operation = this.operations[index % this.operations.length] as CallMaker['operations'][number]
    const { random } = options
    const wrong = isRight ? -1 : Math.floor(random() * 4) // path, query, body, headers
    const parameters = [...operation.shared, ...((operation.described.parameters ?? []) as Json[])].map(
      (one) => this.#follow(one),
    )
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (wrong === 0 && random() < 0.7) return encodeURIComponent(pick(ODD_TEXTS, random))
      const id = options.ids.pick(options.prefixesOf(name, operation.path), random)
      return encodeURIComponent(id ?? String(options.valuesOf(name) ?? 'none'))
    })
    const query = new URLSearchParams()
    for (const { in: where, name, schema, required } of parameters) {
      if (where !== 'query' || (required !== true && random() < 0.6)) continue
      if (name === 'cursor' && wrong !== 1) continue // only an answer has a right one
      const value = wrong === 1 ? pick(ODD_VALUES, random) : this.#value(schema, String(name), options, 0)
      query.append(String(name), queryText(value))
      if (wrong === 1 && random() < 0.2) query.append(String(name), 'twice')
    }
    const headers: Record<string, string> = { ...options.headers }
    if (wrong === 3) Object.assign(headers, pick(ODD_HEADERS, random))
    const hasBody = operation.method !== 'GET' && operation.method !== 'HEAD'
    const body = hasBody ? this.#body(operation.described, wrong === 2, options) : undefined
    if (body !== undefined && !('Content-Type' in headers)) headers['Content-Type'] = 'application/json'
    const text = query.toString()
    return {
      operation: operation.name,
      path: text === '' ? path : `${path}?${text}`,
      init: {
        method: operation.method,
        headers,
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
      },
    }
  }

  #body(described: Json, isWrong: boolean, options: CallOptions): string | undefined {
    if (described.requestBody === undefined) return isWrong ? '{"unasked":1}' : undefined
    const content = (this.#follow(described.requestBody).content ?? {}) as Record<string, Json>
    const schema = (content['application/json'] ?? Object.values(content)[0])?.schema
    const { random } = options
    const value = this.#value(schema, 'body', options, 0)
    if (!isWrong) return JSON.stringify(value)
    if (random() < 0.2)
      return pick(['{', '', 'null', '[]', '{"a":1}{', '"text"', '{"__proto__":{"a":1}}'], random)
    if (typeof value !== 'object' || value === null) return JSON.stringify(pick(ODD_VALUES, random))
    const fields = Object.keys(value)
    const changed = { ...value, [pick(fields.length > 0 ? fields : ['x'], random)]: pick(ODD_VALUES, random) }
    return JSON.stringify(changed)
  }

  #value(given: unknown, field: string, options: CallOptions, depth: number): unknown {
    const known = options.valuesOf(field)
    if (known !== undefined) return known
    const { random } = options
    const schema = this.#follow(given as Json)
    if (schema.const !== undefined) return schema.const
    if (Array.isArray(schema.enum)) return pick(schema.enum, random)
    if (Array.isArray(schema.examples)) return pick(schema.examples, random)
    const variants = (schema.anyOf ?? schema.oneOf) as unknown[] | undefined
    if (variants && depth < 6) return this.#value(pick(variants, random), field, options, depth + 1)
    if (Array.isArray(schema.allOf))
      return Object.assign({}, ...schema.allOf.map((one) => this.#value(one, field, options, depth + 1)))
    const type = Array.isArray(schema.type) ? pick(schema.type, random) : schema.type
    const {
      minimum = 0,
      maximum = 100,
      minLength = 1,
      maxLength = 40,
      minItems = 0,
      maxItems = 3,
    } = schema as Record<string, number>
    switch (type) {
      case 'null':
        return null
      case 'boolean':
        return random() < 0.5
      case 'integer':
        return Math.floor(minimum + random() * Math.min(50, maximum - minimum))
      case 'number':
        return minimum
      case 'array': {
        const length = Math.min(maxItems, minItems + Math.floor(random() * 3))
        return Array.from({ length }, () => this.#value(schema.items, field, options, depth + 1))
      }
      case 'object': {
        const required = new Set((schema.required ?? []) as string[])
        const properties = Object.entries((schema.properties ?? {}) as Record<string, unknown>)
        return Object.fromEntries(
          properties
            .filter(([name]) => required.has(name) || (depth < 4 && random() < 0.4))
            .map(([name, one]) => [name, this.#value(one, name, options, depth + 1)]),
        )
      }
      default:
        return textOf(schema, Math.min(maxLength, minLength + Math.floor(random() * 20)))
    }
  }

  #follow(given: Json | unknown): Json {
    let schema = given as Json
    for (let step = 0; step < 20 && typeof schema?.$ref === 'string'; step++)
      schema = schema.$ref
        .slice(2)
        .split('/')
        .reduce<Json>(
          (at, part) => at[decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~')] as Json,
          this.#root,
        )
    return schema ?? {}
  }
}

const ODD_HEADERS: Record<string, string>[] = [
  { Authorization: '' },
  { Authorization: 'Bearer oct_wrong' },
  { Authorization: 'Basic YTpi' },
  { 'Content-Type': 'text/xml' },
  { 'Content-Type': 'multipart/form-data' },
  { Accept: 'image/png' },
  { 'Idempotency-Key': 'x'.repeat(300) },
  { 'Last-Event-ID': 'nonsense' },
  { Range: 'bytes=5-1' },
  { 'If-None-Match': '*' },
  { Origin: 'null' },
]

function textOf({ format, pattern }: Json, length: number): string {
  if (format === 'date-time') return '2026-01-02T03:04:05.000Z'
  if (format === 'date') return '2026-01-02'
  if (format === 'uri') return 'https://example.com/hook'
  if (format === 'email') return 'reader@example.com'
  if (typeof pattern === 'string' && pattern.includes('/')) return '/'
  return 'a'.repeat(Math.max(1, length))
}

function queryText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random() * items.length)] as Item
}
