/** Builds the request that a form describes, and the corresponding request for code samples. */
import type { Json } from './api-json.ts'
import type { FormFields, FormValue } from './form-value.ts'
import { setField } from './form-value.ts'
import type { FieldEncoding, PlaygroundBody, PlaygroundData } from './playground-data.ts'
import type { SampleBody, SampleRequest } from './sample-call.ts'
import {
  isMissing,
  serializeCookieParts,
  serializeHeader,
  serializePathPart,
  serializeQueryParts,
  toPlainText,
} from './serialize-parameter.ts'

export interface SentCredential {
  place: 'header' | 'query' | 'cookie'
  name: string
  value: string
}

export type BodyValue =
  | { kind: 'value'; value: FormValue }
  /** Sent unchanged. Includes JSON that the reader has edited as text. */
  | { kind: 'text'; text: string }
  | { kind: 'file'; file: Blob | null }

export interface FilledForm {
  /** Server URL with values in place of variables. */
  server: string
  /** Keyed by `<location> <name>`, for example `query limit`. */
  parameters: Readonly<Record<string, FormValue>>
  /** Null to send no body. */
  body: { media: PlaygroundBody; value: BodyValue } | null
  credentials: readonly SentCredential[]
}

export interface BuiltRequest {
  method: string
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  /** In the form `name=value`. Only for samples, because pages cannot set cookies on requests. */
  cookies: readonly string[]
  body: BuiltBody | null
  /** Required values that are missing: `<location> <name>` of a parameter, `server` or `body`. */
  missing: readonly string[]
}

export type BuiltBody =
  | { kind: 'json'; text: string; type: string }
  | { kind: 'text'; text: string; type: string }
  | { kind: 'form'; fields: readonly (readonly [name: string, value: string])[]; type: string }
  | { kind: 'multipart'; parts: readonly BodyPart[] }
  | { kind: 'file'; file: Blob; type: string }

export interface BodyPart {
  name: string
  value: string | Blob
  /** Content type. If it is set, text is sent as a file. */
  type: string | null
}

export function parameterKey({ place, name }: { place: string; name: string }): string {
  return `${place} ${name}`
}

export function buildRequest(data: PlaygroundData, form: FilledForm): BuiltRequest {
  const query: string[] = []
  const headers: [string, string][] = []
  const cookies: string[] = []
  const missing: string[] = []
  let path = data.path
  for (const { place, name, value } of form.credentials) {
    if (place === 'query') query.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    else if (place === 'cookie') cookies.push(`${name}=${value}`)
    else headers.push([name, value])
  }
  for (const parameter of data.parameters) {
    const key = parameterKey(parameter)
    const value = form.parameters[key]
    if (parameter.isRequired && isMissing(value)) missing.push(key)
    if (parameter.place === 'path') {
      const part = serializePathPart(parameter, value)
      if (part === null && !missing.includes(key)) missing.push(key)
      if (part !== null) path = path.replaceAll(`{${parameter.name}}`, () => part)
    } else if (parameter.place === 'header') {
      const text = serializeHeader(parameter, value)
      if (text !== null) headers.push([parameter.name, text])
    } else if (parameter.place === 'cookie') cookies.push(...serializeCookieParts(parameter, value))
    else query.push(...serializeQueryParts(parameter, value))
  }
  const body = form.body && buildBody(form.body.media, form.body.value)
  if (data.isBodyRequired && data.bodies.length > 0 && body === null) missing.push('body')
  const type = body && 'type' in body ? body.type : null
  if (type !== null) headers.push(['Content-Type', type])
  return {
    method: data.method,
    url: appendQuery(form.server.replace(/(?<!\/)\/+$/, '') + path, query),
    headers: dropDuplicateHeaders(headers),
    cookies,
    body,
    missing,
  }
}

/** Appends query parameters to a URL, which may already contain a query. */
function appendQuery(address: string, parts: readonly string[]): string {
  const query = parts.filter((part) => part !== '').join('&')
  return query === '' ? address : address + (address.includes('?') ? '&' : '?') + query
}

/** Removes duplicate headers. The last value is used. */
function dropDuplicateHeaders(headers: readonly [string, string][]): [string, string][] {
  return headers.filter(
    ([name], index) =>
      !headers.slice(index + 1).some(([other]) => other.toLowerCase() === name.toLowerCase()),
  )
}

export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'file'

export function bodyKind({ type, text, schema }: Pick<PlaygroundBody, 'type' | 'text' | 'schema'>): BodyKind {
  if (/json/i.test(type)) return 'json'
  if (/x-www-form-urlencoded/i.test(type)) return 'form'
  if (/multipart\//i.test(type)) return 'multipart'
  if (text !== null || /^text\/|xml|yaml|graphql|csv/i.test(type)) return 'text'
  // With `*/*`, any type is accepted. If the schema is an object, JSON is the best choice.
  const {
    type: kind,
    $ref,
    properties,
  } = (typeof schema === 'object' && schema !== null ? schema : {}) as Record<string, Json>
  return type === '*/*' && (kind === 'object' || properties !== undefined || $ref !== undefined)
    ? 'json'
    : 'file'
}

function buildBody(media: PlaygroundBody, bodyValue: BodyValue): BuiltBody | null {
  const kind = bodyKind(media)
  const type = /\*/.test(media.type)
    ? kind === 'json'
      ? 'application/json'
      : 'application/octet-stream'
    : media.type
  if (bodyValue.kind === 'file') return bodyValue.file && { kind: 'file', file: bodyValue.file, type }
  if (bodyValue.kind === 'text') {
    if (bodyValue.text === '') return null
    return { kind: kind === 'json' ? 'json' : 'text', text: bodyValue.text, type }
  }
  const { value } = bodyValue
  if (value === undefined) return null
  if (kind === 'form') return { kind: 'form', fields: formFields(media, value), type }
  if (kind === 'multipart') return { kind: 'multipart', parts: formParts(media, value) }
  if (value instanceof Blob) return { kind: 'file', file: value, type }
  return { kind: 'json', text: JSON.stringify(withoutUndefined(value), null, 2), type }
}

/** Removes undefined properties and replaces undefined items with null, because JSON has no undefined. */
function withoutUndefined(value: FormValue): FormValue {
  if (Array.isArray(value)) return value.map((one) => withoutUndefined(one) ?? null)
  if (typeof value !== 'object' || value === null || value instanceof Blob) return value
  const fields: FormFields = {}
  for (const [name, one] of Object.entries(value))
    if (one !== undefined) setField(fields, name, withoutUndefined(one))
  return fields
}

function listSentFields(value: FormValue): [string, FormValue][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Blob) return []
  return Object.entries(value).filter(([, one]) => !isMissing(one))
}

const NO_ENCODING: FieldEncoding = { contentType: null, style: null, explode: null }

function getFieldEncoding({ encoding }: PlaygroundBody, name: string): FieldEncoding {
  return (Object.hasOwn(encoding, name) ? encoding[name] : undefined) ?? NO_ENCODING
}

/** Serializes fields by their `style`. By default, lists repeat their name and objects are JSON. */
function formFields(media: PlaygroundBody, value: FormValue): [string, string][] {
  return listSentFields(value).flatMap(([name, one]): [string, string][] => {
    const { style, explode, contentType } = getFieldEncoding(media, name)
    const isObject = typeof one === 'object' && !Array.isArray(one)
    if (contentType !== null && style === null && typeof one === 'object') return [[name, toPlainText(one)]]
    if (isObject && style === null && explode === null) return [[name, toPlainText(one)]]
    const parameter = {
      name,
      place: 'query' as const,
      style,
      explode,
      allowsReserved: false,
      mediaType: null,
    }
    return serializeQueryParts(parameter, one).map((part) => {
      const [key = '', text = ''] = part.split('=')
      return [decodeURIComponent(key), decodeURIComponent(text)]
    })
  })
}

function formParts(media: PlaygroundBody, value: FormValue): BodyPart[] {
  return listSentFields(value).flatMap(([name, one]): BodyPart[] => {
    const { contentType } = getFieldEncoding(media, name)
    const items = Array.isArray(one) ? one.filter((item) => !isMissing(item)) : [one]
    return items.map((item) => {
      if (item instanceof Blob) return { name, value: item, type: choosePartType(contentType, item.type) }
      const type = choosePartType(contentType, '')
      const isJson = typeof item === 'object' || (type !== null && /json/i.test(type))
      const text = isJson ? JSON.stringify(item) : toPlainText(item)
      return { name, value: text, type: type ?? (typeof item === 'object' ? 'application/json' : null) }
    })
  })
}

/**
 * Returns the type of a form part, or null if the file's own type is allowed or no specific type is required.
 */
function choosePartType(allowed: string | null, own: string): string | null {
  const types = (allowed ?? '').split(',').map((one) => one.trim().toLowerCase())
  const isOwn = types.some((one) => one === own || one === '*/*' || one === own.replace(/\/.*/, '/*'))
  return own !== '' && isOwn ? null : (types.find((one) => one !== '' && !one.includes('*')) ?? null)
}

/** Returns the body for `fetch`. The browser adds the content type of a form, including its boundary. */
export function toFetchBody(body: BuiltBody): string | Blob | FormData | URLSearchParams {
  switch (body.kind) {
    case 'json':
    case 'text':
      return body.text
    case 'form':
      return new URLSearchParams(body.fields.map(([name, value]) => [name, value]))
    case 'file':
      return body.file
    case 'multipart': {
      const form = new FormData()
      for (const { name, value, type } of body.parts) {
        if (typeof value === 'string' && type === null) form.append(name, value)
        else if (typeof value === 'string') form.append(name, new Blob([value], { type: type as string }))
        else
          form.append(
            name,
            type === null || value.type === type ? value : new Blob([value], { type }),
            getFileName(value),
          )
      }
      return form
    }
  }
}

function getFileName(file: Blob): string {
  return file instanceof File ? file.name : 'file'
}

export function toSampleRequest({ method, url, headers, cookies, body }: BuiltRequest): SampleRequest {
  const all = cookies.length > 0 ? [...headers, ['Cookie', cookies.join('; ')] as const] : headers
  return { method, url, headers: all, body: body && sampleBody(body) }
}

function sampleBody(body: BuiltBody): SampleBody {
  switch (body.kind) {
    case 'json': {
      const value = parseJsonText(body.text)
      return value === undefined
        ? { kind: 'text', text: body.text }
        : { kind: 'json', text: body.text, value }
    }
    case 'text':
      return { kind: 'text', text: body.text }
    case 'file':
      return { kind: 'file' }
    case 'form':
      return { kind: 'form', fields: body.fields.map(([name, value]) => ({ name, value })) }
    case 'multipart':
      return {
        kind: 'multipart',
        fields: body.parts.map(({ name, value }) => ({
          name,
          value: typeof value === 'string' ? value : '',
          isFile: typeof value !== 'string',
        })),
      }
  }
}

function parseJsonText(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
