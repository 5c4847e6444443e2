/**
 * Validates requests to a forge and its responses against the forge's published description, OpenAPI 3.0 or Swagger
 * 2.0. Unknown parameters and properties are also errors, although the descriptions allow them.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

type Json = { [key: string]: unknown }

export interface DescribedRequest {
  method: string
  /** Encoded path, relative to the server's base and without the query. */
  path: string
  query: URLSearchParams
  /** Parsed body; undefined when there is none. */
  body: unknown
}

export interface ForgeDescription {
  /** Returns one message per mismatch. */
  requestFaults(request: DescribedRequest): string[]
  answerFaults(request: DescribedRequest, status: number, body: unknown): string[]
  /** Returns a copy of the named example. */
  example(name: string): Json
}

export interface DescriptionOptions {
  /** Whether response properties may be null even if the description does not say so. */
  hasSilentNulls: boolean
  /** Schema of error responses whose status is not listed for the operation. */
  errorSchema?: unknown
}

export function createForgeDescription(document: Json, options: DescriptionOptions): ForgeDescription {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, logger: false })
  ajv.addFormat('repo.nwo', /^[^/]+\/[^/]+$/)
  addFormats.default(ajv)
  const compiled = new Map<unknown, ValidateFunction>()
  const templates = Object.keys((document.paths ?? {}) as Json).map((path) => ({ path, ...toPattern(path) }))

  function validate(schema: unknown, value: unknown, what: string): string[] {
    let check = compiled.get(schema)
    if (check === undefined) {
      check = ajv.compile(inlined(document, schema) as Json)
      compiled.set(schema, check)
    }
    if (check(value)) return []
    return (check.errors ?? []).map((error) => `${what}${error.instancePath} ${error.message}`)
  }

  function find({ method, path }: DescribedRequest): { operation: Json; values: Json } | null {
    // Prefer the template with the fewest placeholders, then the longest one.
    const fitting = templates
      .filter(({ pattern }) => pattern.test(path))
      .sort((a, b) => a.names.length - b.names.length || b.path.length - a.path.length)
    for (const { path: template, pattern, names } of fitting) {
      const operation = ((document.paths as Json)[template] as Json)[method.toLowerCase()] as Json | undefined
      if (operation === undefined) continue
      const found = pattern.exec(path) ?? []
      const values = names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')])
      return { operation, values: Object.fromEntries(values) }
    }
    return null
  }

  return {
    requestFaults(request) {
      const found = find(request)
      const name = `${request.method} ${request.path}`
      if (found === null) return [`${name} is not described`]
      const parameters = ((found.operation.parameters ?? []) as Json[]).map((one) => deref(document, one))
      const faults: string[] = []
      for (const { name: parameter, in: place, schema, required } of parameters as Json[]) {
        if (place !== 'query' && place !== 'path') continue
        const text = place === 'path' ? found.values[String(parameter)] : request.query.get(String(parameter))
        const shape = schema ?? parameterSchema(parameters.find((one) => one.name === parameter))
        if (typeof text !== 'string') {
          if (required) faults.push(`${name}: ${parameter} is missing`)
        } else faults.push(...validate(shape, fromText(document, shape, text), `${name}: ${parameter}`))
      }
      const known = parameters.filter((one) => one.in === 'query').map((one) => one.name)
      for (const key of request.query.keys())
        if (!known.includes(key)) faults.push(`${name}: ${key} is unknown`)
      return [...faults, ...bodyFaults(found.operation, parameters, request, name)]
    },

    answerFaults(request, status, body) {
      const found = find(request)
      if (found === null) return []
      const listed = (found.operation.responses as Json)[status]
      const schema = listed === undefined ? options.errorSchema : answerSchema(deref(document, listed))
      const name = `${request.method} ${request.path} ${status}`
      if (listed === undefined && status < 400) return [`${name} is not described`]
      if (schema === undefined) return []
      const value = options.hasSilentNulls ? withoutNulls(body) : body
      return [...validate(schema, value, name), ...unknownMembers(document, schema, body, name)]
    },

    example(name) {
      const examples = ((document.components as Json).examples ?? {}) as Record<string, { value: Json }>
      return structuredClone(examples[name]?.value ?? {})
    },
  }

  function bodyFaults(
    operation: Json,
    parameters: Json[],
    { body }: DescribedRequest,
    name: string,
  ): string[] {
    const old = parameters.find((one) => one.in === 'body')?.schema
    const content = (operation.requestBody as { content?: Json } | undefined)?.content?.['application/json']
    const schema = old ?? (content as Json | undefined)?.schema
    if (body === undefined) return schema === undefined ? [] : [`${name}: the body is missing`]
    if (schema === undefined) return [`${name} takes no body`]
    return [
      ...validate(schema, body, `${name} body`),
      ...unknownMembers(document, schema, body, `${name} body`),
    ]
  }
}

function toPattern(path: string): { pattern: RegExp; names: string[] } {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  // Branch names may contain slashes and are always the last segment.
  const source = escaped.replace(/\{head\}$/, '(.+)').replace(/\{\w+\}/g, '([^/]+)')
  return { pattern: new RegExp(`^${source}$`), names }
}

/** In Swagger 2.0, a parameter is also its own schema. */
function parameterSchema(parameter: Json | undefined): unknown {
  const { name: _name, in: _in, required: _required, description: _description, ...schema } = parameter ?? {}
  return schema
}

function fromText(document: Json, schema: unknown, text: string): unknown {
  const { type } = deref(document, schema)
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}

function answerSchema(answer: Json): unknown {
  const content = answer.content as Record<string, Json> | undefined
  return answer.schema ?? content?.['application/json']?.schema
}

/** Checks the top level only, and only objects whose properties are described. */
function unknownMembers(document: Json, schema: unknown, value: unknown, what: string): string[] {
  const known = deref(document, schema)
  if (Array.isArray(value)) return value.flatMap((one) => unknownMembers(document, known.items, one, what))
  if (typeof value !== 'object' || value === null || known.properties === undefined) return []
  const names = Object.keys(known.properties as Json)
  return Object.keys(value)
    .filter((name) => !names.includes(name))
    .map((name) => `${what}: ${name} is unknown`)
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNulls(inner)]))
}

function deref(document: Json, value: unknown): Json {
  const { $ref } = (value ?? {}) as { $ref?: string }
  if ($ref === undefined) return (value ?? {}) as Json
  return $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, name) => (inner as Json)[name], document) as Json
}

/**
 * Converts to JSON Schema: references become definitions and `nullable` becomes a type. Includes only the definitions
 * the schema uses, since compiling a whole description takes long.
 */
function inlined(document: Json, schema: unknown): unknown {
  const definitions: Json = {}
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, nullable, example: _example, examples: _examples, ...rest } = value as Json
    if (typeof $ref === 'string') {
      const name = $ref.replace(/\W+/g, '_')
      if (definitions[name] === undefined) {
        definitions[name] = {}
        definitions[name] = convert(deref(document, value))
      }
      return { $ref: `#/definitions/${name}` }
    }
    const converted = Object.fromEntries(
      Object.entries(rest).map(([name, inner]) => [name, name === 'enum' ? inner : convert(inner)]),
    )
    return nullable === true ? { anyOf: [{ type: 'null' }, converted] } : converted
  }
  const root = convert(schema) as Json
  return { ...root, definitions }
}
