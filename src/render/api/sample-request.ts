/** Builds a request with example values, for code samples in all languages. */
import { asObject, asText, isScalar, type Json, type JsonObject } from '../../openapi/api-json.ts'
import { createExample, type ExampleOptions } from '../../openapi/example-value.ts'
import type { SampleBody, SampleRequest } from '../../openapi/sample-call.ts'
import { formatJson } from './facts.ts'
import type { FieldScope } from './field-scope.ts'
import { createMediaExamples, formatExample, listGivenExamples } from './media.ts'
import type { Credential } from './security.ts'

export interface RequestSource {
  method: string
  server: string
  path: string
  /** References are resolved. */
  parameters: readonly JsonObject[]
  body: JsonObject
  credentials: readonly Credential[]
}

export function sampleRequest(scope: FieldScope, source: RequestSource): SampleRequest {
  const options: ExampleOptions = {
    direction: 'request',
    isRequiredOnly: scope.settings.examples.isRequiredOnly,
  }
  const headers: [string, string][] = []
  const query: string[] = []
  const cookies: string[] = []
  let path = source.path
  for (const { location, name, value } of source.credentials) {
    if (location === 'query') query.push(queryPart(name, value))
    else if (location === 'cookie') cookies.push(`${name}=${value}`)
    else headers.push([name, value])
  }
  for (const parameter of source.parameters) {
    const name = String(parameter.name ?? '')
    const value = chooseParameterValue(scope, parameter, options)
    if (value === undefined) continue
    if (parameter.in === 'path') path = path.replaceAll(`{${name}}`, () => pathParameterText(value, name))
    else if (parameter.in === 'query') query.push(...queryParts(name, value, parameter))
    else if (parameter.in === 'header') headers.push([name, formatPlainValue(value)])
    else if (parameter.in === 'cookie') cookies.push(`${name}=${formatPlainValue(value)}`)
  }
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')])
  const { type, body } = sampleBody(scope, source.body, options)
  if (type !== null && body?.kind !== 'multipart') headers.push(['Content-Type', type])
  const url = `${source.server.replace(/(?<!\/)\/+$/, '')}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
  return { method: source.method, url, headers: dropDuplicateHeaders(headers), body }
}

/** Removes duplicate headers, ignoring case. The last value is used. */
function dropDuplicateHeaders(headers: readonly [string, string][]): [string, string][] {
  return headers.filter(
    ([name], index) =>
      !headers.slice(index + 1).some(([other]) => other.toLowerCase() === name.toLowerCase()),
  )
}

/** Returns undefined for an optional parameter without an example or default. */
function chooseParameterValue(
  scope: FieldScope,
  parameter: JsonObject,
  options: ExampleOptions,
): Json | undefined {
  const [media] = Object.values(asObject(parameter.content))
  const holder = media === undefined ? parameter : asObject(media)
  const [givenExample] = listGivenExamples(scope, holder)
  const schema = parameter.schema ?? asObject(media).schema
  const isRequired = parameter.required === true || parameter.in === 'path'
  if (!isRequired && options.isRequiredOnly) return undefined
  if (givenExample) return givenExample.value
  if (parameter.in === 'path') return findSchemaValue(schema)
  const schemaValue = findSchemaValue(schema)
  if (schemaValue !== undefined || !isRequired) return schemaValue
  return createExample(scope, schema, options)
}

/** Returns the example or default of a schema, without generating a value. */
function findSchemaValue(schema: Json | undefined): Json | undefined {
  const { example, examples, default: initial } = asObject(schema)
  if (example !== undefined) return example
  if (Array.isArray(examples) && examples[0] !== undefined) return examples[0]
  return initial === null ? undefined : initial
}

function formatPlainValue(value: Json): string {
  return isScalar(value) ? String(value) : (formatJson(value, 0) ?? '')
}

/** Encodes a path parameter. Empty values become a placeholder in braces. */
function pathParameterText(value: Json, name: string): string {
  const text = formatPlainValue(value)
  return text === '' ? `{${name}}` : encodePart(text)
}

function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(?:3A|40|2C)/g, decodeURIComponent)
}

function queryPart(name: string, value: string): string {
  const shown = /^<[\w-]+>$/.test(value) ? value : encodePart(value)
  return `${encodePart(name)}=${shown}`
}

function queryParts(name: string, value: Json, parameter: JsonObject): string[] {
  const isExploded = parameter.explode !== false
  if (Array.isArray(value)) {
    const parts = value.map(formatPlainValue)
    return isExploded ? parts.map((part) => queryPart(name, part)) : [queryPart(name, parts.join(','))]
  }
  if (isScalar(value)) return [queryPart(name, formatPlainValue(value))]
  const fields = Object.entries(value)
  if (parameter.style === 'deepObject') {
    return fields.map(([key, one]) => queryPart(`${name}[${key}]`, formatPlainValue(one)))
  }
  return fields.map(([key, one]) => queryPart(key, formatPlainValue(one)))
}

function sampleBody(
  scope: FieldScope,
  requestBody: JsonObject,
  options: ExampleOptions,
): { type: string | null; body: SampleBody | null } {
  const types = Object.entries(asObject(requestBody.content))
  const found = types.find(([type]) => /json/i.test(type)) ?? types[0]
  if (!found) return { type: null, body: null }
  const [type, value] = found
  const media = asObject(value)
  const example = createMediaExamples(scope, media, options)[0]
  if (/x-www-form-urlencoded|multipart\//i.test(type)) {
    return { type, body: createFormBody(type, media, example?.value ?? {}) }
  }
  if (example === undefined) return { type, body: isText(type) ? null : { kind: 'file' } }
  const text = formatExample(scope, type, media.schema, example.value)
  if (text === null) return { type, body: null }
  if (text.language !== 'json') {
    return { type, body: text.code === '<file>' ? { kind: 'file' } : { kind: 'text', text: text.code } }
  }
  return { type, body: { kind: 'json', text: text.code, value: parseJsonText(example.value) } }
}

function isText(type: string): boolean {
  return /json|text|xml|yaml|\*\/\*/i.test(type)
}

/** Parses an example that the author wrote as a string of JSON. */
function parseJsonText(value: Json): Json {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}

function createFormBody(type: string, media: JsonObject, value: Json): SampleBody {
  const properties = asObject(asObject(media.schema).properties)
  const fields = Object.entries(asObject(value)).map(([name, one]) => {
    const { format, contentMediaType } = asObject(properties[name])
    const isFile = one === '<file>' || format === 'binary' || asText(contentMediaType) !== null
    return { name, value: formatPlainValue(one), isFile }
  })
  if (!/multipart/i.test(type)) return { kind: 'form', fields }
  return { kind: 'multipart', fields }
}
