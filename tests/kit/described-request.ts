/**
 * Checks a request against an API description: URL, parameters, body and credentials. It uses libraries independent of
 * the playground: openapi-enforcer for parameter styles, Ajv for schemas and the runtime for forms.
 */
import Enforcer from 'openapi-enforcer'
import { asArray, asObject, followReference, type Json, type JsonObject } from '../../src/openapi/api-json.ts'
import { type DescribedSchemas, describedSchemas } from './described-schema.ts'
import type { RecordedRequest } from './recording-server.ts'

/** Credential entered for every security scheme. */
export const SECRET = 'secret'

export interface RequestJudge {
  /** Returns the errors of a request sent for `METHOD /path`; empty when it is valid. */
  faults(operation: string, request: RecordedRequest): Promise<string[]>
}

/** `base` is the server's path. `canSendCookies` is false for requests from a page. */
export function requestJudge(
  root: JsonObject,
  { base = '', canSendCookies = false }: { base?: string; canSendCookies?: boolean } = {},
): RequestJudge {
  const schemas = describedSchemas(root)
  return {
    async faults(operation, request) {
      const [method = '', path = ''] = operation.split(' ')
      const item = followReference(root, asObject(root.paths)[path])
      const described = asObject(item[method.toLowerCase()])
      const seen: Seen = { root, schemas, request, canSendCookies }
      const parameters = parametersOf(root, item, described)
      const found = matchPath(base + path, request.target)
      if (request.method !== method) return [`sent as ${request.method}`]
      if (found === null) return [`sent to ${request.target}`]
      return [
        ...parameters.flatMap((one) => parameterFaults(seen, one, found)),
        ...unknownNames(seen, parameters, described),
        ...(await bodyFaults(seen, described)),
        ...proofFaults(seen, described),
      ]
    },
  }
}

interface Seen {
  root: JsonObject
  schemas: DescribedSchemas
  request: RecordedRequest
  canSendCookies: boolean
}

function parametersOf(root: JsonObject, item: JsonObject, operation: JsonObject): JsonObject[] {
  const all = [...asArray(item.parameters), ...asArray(operation.parameters)].map((one) =>
    followReference(root, one),
  )
  const byPlace = new Map(all.map((one) => [`${one.in} ${one.name}`, one]))
  return [...byPlace.values()].filter(
    ({ in: place, name }) =>
      place !== 'header' || !/^(?:accept|content-type|authorization)$/i.test(String(name)),
  )
}

/** Returns the raw values of the path parameters. */
function matchPath(template: string, target: string): Map<string, string> | null {
  const names: string[] = []
  const [bare = ''] = template.split('?')
  const pattern = bare.replace(/[.+*^$()|[\]\\]|\{([^{}]+)\}/g, (sign, name: string | undefined) => {
    if (name === undefined) return `\\${sign}`
    names.push(name)
    return '([^/]*)'
  })
  const match = new RegExp(`^${pattern}$`).exec(target.split('?')[0] ?? '')
  return match && new Map(names.map((name, index) => [name, match[index + 1] ?? '']))
}

const queryOf = ({ request }: Seen) => request.target.split('?').slice(1).join('?')

function parameterFaults(seen: Seen, parameter: JsonObject, path: ReadonlyMap<string, string>): string[] {
  const { name: given, in: place, required } = parameter
  const name = String(given)
  const raw = rawOf(seen, parameter, path)
  if (raw === null) {
    const isSent = required === true && (place !== 'cookie' || seen.canSendCookies)
    return isSent ? [`no ${place} ${name}`] : []
  }
  const [content] = Object.values(asObject(parameter.content))
  const schema = content === undefined ? parameter.schema : asObject(content).schema
  try {
    const value = content === undefined ? readStyled(seen, parameter, raw) : readContent(seen, parameter, raw)
    return seen.schemas.faults(schema, value, true).map((fault) => `${place} ${name}${fault}`)
  } catch (error) {
    return [`${place} ${name} cannot be read: ${(error as Error).message}`]
  }
}

/** Returns the raw value of a parameter, or null when it was not sent. */
function rawOf(seen: Seen, parameter: JsonObject, path: ReadonlyMap<string, string>): string | null {
  const name = String(parameter.name)
  switch (parameter.in) {
    case 'path':
      return path.get(name) ?? null
    case 'header': {
      const value = seen.request.headers[name.toLowerCase()]
      return value === undefined ? null : String(value)
    }
    case 'cookie':
      return seen.request.headers.cookie?.includes(`${name}=`) ? seen.request.headers.cookie : null
    default: {
      const names = namesOf(seen, parameter)
      return [...new URLSearchParams(queryOf(seen)).keys()].some(names) ? queryOf(seen) : null
    }
  }
}

/** Returns a filter for the query names that belong to a parameter. */
function namesOf(seen: Seen, parameter: JsonObject): (key: string) => boolean {
  const { type, properties, additionalProperties } = shapeOf(seen.root, parameter.schema)
  const style = parameter.style ?? 'form'
  if (style === 'deepObject') return (key) => key.startsWith(`${parameter.name}[`)
  if (type !== 'object' || style !== 'form' || parameter.explode === false || parameter.content !== undefined)
    return (key) => key === parameter.name
  return (key) => Object.hasOwn(asObject(properties), key) || additionalProperties !== undefined
}

/** Reduces a schema to the keywords that openapi-enforcer needs for parsing. */
function shapeOf(root: JsonObject, schema: unknown, depth = 0): JsonObject {
  const { type, items, properties, additionalProperties, anyOf, oneOf, allOf } = followReference(root, schema)
  if (depth > 4) return {}
  const parts = asArray(allOf).map((one) => shapeOf(root, one, depth + 1))
  const [variant] = [...asArray(anyOf), ...asArray(oneOf)]
    .map((one) => shapeOf(root, one, depth + 1))
    .filter((one) => one.type !== undefined && one.type !== 'null')
  const kind = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  const made: JsonObject = { type: kind ?? parts.find((one) => one.type)?.type ?? variant?.type ?? 'string' }
  if (made.type === 'array')
    made.items = shapeOf(root, items ?? parts.find((one) => one.items)?.items ?? variant?.items, depth + 1)
  if (made.type !== 'object') return made
  const fields = Object.assign(
    {},
    ...[...parts, variant].map((one) => asObject(one?.properties)),
    asObject(properties),
  )
  const shaped = Object.entries(fields).map(([name, one]) => [name, shapeOf(root, one, depth + 1)] as const)
  if (shaped.length > 0) made.properties = Object.fromEntries(shaped)
  if (typeof additionalProperties === 'object' || shaped.length === 0)
    made.additionalProperties = shapeOf(root, additionalProperties, depth + 1)
  return made
}

function readStyled(seen: Seen, parameter: JsonObject, raw: string): unknown {
  const { name, in: place, style, explode } = parameter
  const definition = {
    ...{ name, in: place, required: place === 'path' },
    ...(style === undefined ? {} : { style }),
    ...(explode === undefined ? {} : { explode }),
    schema: shapeOf(seen.root, parameter.schema),
  }
  const [reader, objection] = new Enforcer.v3_0.Parameter(definition)
  if (!reader) throw new Error(String(objection))
  const [value, fault] =
    place === 'query' ? reader.parse(raw, listsOf(new URLSearchParams(raw))) : reader.parse(raw)
  if (fault) throw new Error(String(fault))
  return value
}

function listsOf(params: URLSearchParams): Record<string, string[]> {
  return Object.fromEntries([...params.keys()].map((key) => [key, params.getAll(key)]))
}

function readContent(seen: Seen, { name, in: place }: JsonObject, raw: string): unknown {
  const text =
    place === 'query'
      ? new URLSearchParams(queryOf(seen)).get(String(name))
      : place === 'path'
        ? decodeURIComponent(raw)
        : raw
  return JSON.parse(text ?? '')
}

/** Reports query parameters that are not in the description. */
function unknownNames(seen: Seen, parameters: readonly JsonObject[], operation: JsonObject): string[] {
  const keys = schemesOf(seen.root, operation).flatMap(({ type, in: place, name }) =>
    type === 'apiKey' && place === 'query' ? [String(name)] : [],
  )
  const known = parameters.filter(({ in: place }) => place === 'query').map((one) => namesOf(seen, one))
  return [...new URLSearchParams(queryOf(seen)).keys()]
    .filter((key) => !keys.includes(key) && !known.some((isOwn) => isOwn(key)))
    .map((key) => `${key} is not described`)
}

/** Returns the schemes of the first security requirement, which the form selects. */
function schemesOf(root: JsonObject, operation: JsonObject): JsonObject[] {
  const [way] = asArray(operation.security ?? root.security)
  const schemes = asObject(asObject(root.components).securitySchemes)
  // Some descriptions refer to undefined schemes.
  return Object.keys(asObject(way)).flatMap((name) =>
    schemes[name] === undefined ? [] : [followReference(root, schemes[name])],
  )
}

function proofFaults({ root, request, canSendCookies }: Seen, operation: JsonObject): string[] {
  return schemesOf(root, operation).flatMap((scheme): string[] => {
    const { type, in: place, name, scheme: given } = scheme
    if (type === 'apiKey' && place === 'cookie') {
      const isThere = request.headers.cookie?.split('; ').includes(`${name}=${SECRET}`) ?? false
      return isThere || !canSendCookies ? [] : [`no cookie ${name}`]
    }
    if (type === 'apiKey' && place === 'query') {
      const [, query = ''] = request.target.split('?')
      return new URLSearchParams(query).get(String(name)) === SECRET ? [] : [`no key ${name}`]
    }
    if (type === 'apiKey')
      return request.headers[String(name).toLowerCase()] === SECRET ? [] : [`no header ${name}`]
    const method = String(given ?? 'bearer').toLowerCase()
    const expected =
      method === 'basic'
        ? `Basic ${btoa(`${SECRET}:${SECRET}`)}`
        : method === 'bearer'
          ? `Bearer ${SECRET}`
          : null
    const sent = request.headers.authorization ?? ''
    const isRight = expected === null ? sent.toLowerCase() === `${method} ${SECRET}` : sent === expected
    return isRight ? [] : [`Authorization is ${sent}`]
  })
}

async function bodyFaults(seen: Seen, operation: JsonObject): Promise<string[]> {
  const { root, request } = seen
  const { content, required } = followReference(root, operation.requestBody)
  const described = Object.entries(asObject(content))
  if (described.length === 0) return request.bytes.length > 0 ? ['a body is not described'] : []
  if (request.bytes.length === 0) return required === true && request.method !== 'GET' ? ['no body'] : []
  const type = (request.headers['content-type'] ?? '').split(';')[0] ?? ''
  const media = described.find(([name]) => isType(name, type))?.[1]
  if (media === undefined) return [`a body of type ${type}`]
  const { schema, encoding } = asObject(media)
  if (/json/.test(type))
    return seen.schemas.faults(schema, JSON.parse(request.body)).map((one) => `body${one}`)
  if (/x-www-form-urlencoded/.test(type)) return formFaults(seen, schema, asObject(encoding))
  if (/^multipart\//.test(type)) return partFaults(seen, schema, asObject(encoding))
  if (/xml/.test(type)) {
    const name = asObject(followReference(root, schema).xml).name
    const isRight = request.body.replace(/^<\?xml[^>]*>\s*/, '').startsWith(`<${name ?? ''}`)
    return isRight ? [] : [`body is ${request.body.slice(0, 80)}`]
  }
  return []
}

function isType(described: string, type: string): boolean {
  const bare = described.split(';')[0]?.trim() ?? ''
  return bare === type || new RegExp(`^${bare.replace(/[.+]/g, '\\$&').replaceAll('*', '.*')}$`).test(type)
}

function formFaults(seen: Seen, schema: Json | undefined, encoding: JsonObject): string[] {
  const sent = new URLSearchParams(seen.request.body)
  const properties = asObject(shapeOf(seen.root, schema).properties)
  const value: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries(properties)) {
    const { style, explode } = asObject(encoding[name])
    const isObject = asObject(shape).type === 'object'
    if (isObject && style === undefined && explode === undefined) {
      if (sent.has(name)) value[name] = JSON.parse(sent.get(name) ?? '')
      continue
    }
    const parameter: JsonObject = { name, in: 'query', schema: shape }
    if (style !== undefined) parameter.style = style
    if (explode !== undefined) parameter.explode = explode
    const names = namesOf(seen, parameter)
    if ([...sent.keys()].some(names)) value[name] = readStyled(seen, parameter, seen.request.body)
  }
  return seen.schemas.faults(schema, value, true).map((fault) => `body${fault}`)
}

async function partFaults(seen: Seen, schema: Json | undefined, encoding: JsonObject): Promise<string[]> {
  const { headers, bytes } = seen.request
  const type = headers['content-type'] ?? ''
  const form = await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type } }).formData()
  const properties = asObject(shapeOf(seen.root, schema).properties)
  const value: Record<string, unknown> = {}
  const faults: string[] = []
  for (const name of new Set(form.keys())) {
    const shape = asObject(properties[name])
    const { contentType } = asObject(encoding[name])
    const parts = await Promise.all(
      form.getAll(name).map(async (part) => {
        if (typeof part === 'string') return part
        if (
          typeof contentType === 'string' &&
          !contentType.split(/,\s*/).some((one) => isType(one, part.type))
        )
          faults.push(`part ${name} is of type ${part.type}`)
        const text = await part.text()
        return part.type === 'application/json' ? (JSON.parse(text) as Json) : text
      }),
    )
    value[name] = shape.type === 'array' ? parts : parts[0]
  }
  return [...faults, ...seen.schemas.faults(schema, value, true).map((fault) => `body${fault}`)]
}
