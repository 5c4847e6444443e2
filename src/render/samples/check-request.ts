/**
 * Compares a request in a code sample with the site's API descriptions: path, parameters, body and response.
 */
import {
  asArray,
  asObject,
  asText,
  followReference,
  type Json,
  type JsonObject,
} from '../../openapi/api-json.ts'
import { METHODS } from '../../site/reference/list-operations.ts'
import type { ApiDocument } from '../../site/reference/spec-document.ts'
import { findFirst, findMismatch } from './match-schema.ts'
import type { SampleRequest } from './read-request.ts'

type Apis = ReadonlyMap<string, ApiDocument>

interface Operation {
  root: JsonObject
  item: JsonObject
  operation: JsonObject
  values: Map<string, string>
}

/**
 * Returns the first mistake as a message without a full stop, or null. `answer` is the expected response as
 * JSON.
 */
export function checkRequest(apis: Apis, request: SampleRequest, answer: string | null): string | null {
  const [address = '', query = ''] = request.url.split('#', 1)[0]?.split('?') ?? []
  const path = address.replace(/^[a-z]+:\/\/[^/]+/i, '').replace(/^\$?\{?[A-Z_]+\}?(?=\/)/, '') || '/'
  const found = findOperation(apis, request.method, path)
  if (typeof found === 'string') return found
  return (
    checkParameters(found, request, new URLSearchParams(query)) ??
    checkBody(found, request) ??
    (answer === null ? null : checkResponse(found, answer))
  )
}

/** Finds an operation. `path` may include the base path of a server. */
function findOperation(apis: Apis, method: string, path: string): Operation | string {
  let others: string[] = []
  for (const { root, kind } of apis.values()) {
    if (kind !== 'openapi') continue
    const bases = asArray(root.servers).map((server) => {
      const url = asText(asObject(server).url) ?? ''
      return url.replace(/^[a-z]+:\/\/[^/]+/i, '').replace(/\/$/, '')
    })
    // Paths with fixed segments take precedence over paths with parameters.
    const paths = Object.entries(asObject(root.paths)).sort(
      ([a], [b]) => a.split('{').length - b.split('{').length,
    )
    for (const base of new Set([...bases, ''])) {
      if (!path.startsWith(base)) continue
      for (const [template, value] of paths) {
        const values = matchPath(template, path.slice(base.length) || '/')
        if (values === null) continue
        const item = followReference(root, value)
        const operation = item[method.toLowerCase()]
        if (operation !== undefined) return { root, item, operation: asObject(operation), values }
        others = METHODS.filter((name) => item[name.toLowerCase()] !== undefined)
      }
    }
  }
  return others.length > 0
    ? `The API has no ${method} ${path}, only ${others.join(', ')}`
    : `The API has no path ${path}`
}

function matchPath(template: string, path: string): Map<string, string> | null {
  const [parts, given] = [template.split('/'), path.replace(/(?<=.)\/$/, '').split('/')]
  if (parts.length !== given.length) return null
  const values = new Map<string, string>()
  for (const [index, part] of parts.entries()) {
    const name = /^\{([^}]+)\}$/.exec(part)?.[1]
    if (name !== undefined && given[index] !== '') values.set(name, given[index] as string)
    else if (part !== given[index]) return null
  }
  return values
}

/** Matches a placeholder value: `{id}`, `$ID`, `<id>`, `YOUR_ID`. */
const PLACEHOLDER_VALUE = /[{}<>$]|^:|YOUR|^\.\.\.$/

function checkParameters(
  { root, item, operation, values }: Operation,
  request: SampleRequest,
  query: URLSearchParams,
): string | null {
  const parameters = [...asArray(item.parameters), ...asArray(operation.parameters)].map((one) =>
    followReference(root, one),
  )
  const known = new Set(parameters.filter((one) => one.in === 'query').map((one) => String(one.name)))
  for (const name of query.keys()) {
    const bare = name.split('[', 1)[0] as string
    if (!known.has(name) && !known.has(bare)) return `The operation has no query parameter ${name}`
  }
  return findFirst(parameters, ({ name: named, in: where, required, schema }) => {
    const name = String(named)
    const given = new Map([
      ['query', query.get(name)],
      ['path', values.get(name)],
      ['header', request.headers.get(name.toLowerCase())],
    ])
    const value = given.get(String(where)) ?? null
    if (value === null)
      return required === true && (where === 'query' || where === 'header')
        ? `The required ${where} parameter ${name} is missing`
        : null
    const mismatch = PLACEHOLDER_VALUE.test(value) ? null : checkText(root, schema, value)
    return mismatch && `The parameter ${name} is invalid: ${mismatch}`
  })
}

/** Checks a text value, such as a query parameter. `5` and `true` also match a number or boolean schema. */
function checkText(root: JsonObject, schema: Json | undefined, text: string): string | null {
  const asIs = findMismatch(root, schema, text)
  if (asIs === null) return null
  if (/^(?:-?\d+(?:\.\d+)?|true|false)$/.test(text))
    return findMismatch(root, schema, parseJson(text) ?? text)
  const list = followReference(root, schema)
  return list.type === 'array' ? findFirst(text.split(','), (one) => checkText(root, list.items, one)) : asIs
}

function checkBody({ root, operation }: Operation, { body, headers }: SampleRequest): string | null {
  const wanted = followReference(root, operation.requestBody)
  const content = asObject(wanted.content)
  if (body === null) return wanted.required === true ? 'The request body is required but missing' : null
  if (Object.keys(content).length === 0) return 'The operation does not accept a request body'
  const json = Object.keys(content).find((type) => /\bjson\b/.test(type))
  if (json === undefined || body.startsWith('@') || /form|xml|text/.test(headers.get('content-type') ?? ''))
    return null
  const value = parseJson(body)
  if (value === undefined) return 'The request body is not valid JSON'
  const mismatch = findMismatch(root, asObject(content[json]).schema, value)
  return mismatch === null ? null : `The request body is invalid: ${mismatch}`
}

function checkResponse({ root, operation }: Operation, answer: string): string | null {
  const value = parseJson(answer)
  if (value === undefined) return 'The response is not valid JSON'
  const responses = Object.entries(asObject(operation.responses))
    .filter(([status]) => /^(?:2|default)/.test(status))
    .map(([, response]) => asObject(followReference(root, response).content))
    .flatMap((content) => Object.entries(content).filter(([type]) => /\bjson\b/.test(type)))
  const found = responses.map(([, media]) => findMismatch(root, asObject(media).schema, value))
  return found.length === 0 || found.includes(null) ? null : `The response is invalid: ${found[0]}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
