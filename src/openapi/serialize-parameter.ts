/** Serializes parameters for URLs, headers and cookies, with every `style` and `explode` of OpenAPI. */
import type { FormValue } from './form-value.ts'
import type { PlaygroundParameter } from './playground-data.ts'

type SerializedParameter = Pick<
  PlaygroundParameter,
  'name' | 'place' | 'style' | 'explode' | 'allowsReserved' | 'mediaType'
>

/** Returns the replacement for `{name}`, or null if there is no value. */
export function serializePathPart(parameter: SerializedParameter, value: FormValue): string | null {
  const { name, mediaType } = parameter
  if (isMissing(value)) return null
  if (mediaType !== null) return encode(serializeContent(value))
  const style = parameter.style ?? 'simple'
  const explode = parameter.explode ?? false
  const lead = style === 'label' ? '.' : style === 'matrix' ? ';' : ''
  if (Array.isArray(value)) {
    const items = value.filter((one) => !isMissing(one)).map((one) => encode(toPlainText(one)))
    if (items.length === 0) return null
    if (style === 'matrix') {
      return explode
        ? items.map((item) => `;${encode(name)}=${item}`).join('')
        : `;${encode(name)}=${items.join(',')}`
    }
    return lead + items.join(style === 'label' && explode ? '.' : ',')
  }
  const fields = listSentFields(value)
  if (fields) {
    if (fields.length === 0) return null
    const pairs = fields.map(([key, one]) => [encode(key), encode(toPlainText(one))] as const)
    const joined = explode ? pairs.map((pair) => pair.join('=')) : pairs.flat()
    if (style === 'matrix' && !explode) return `;${encode(name)}=${joined.join(',')}`
    return lead + joined.join(explode && lead !== '' ? lead : ',')
  }
  const text = toPlainText(value)
  if (style === 'matrix') return text === '' ? `;${encode(name)}` : `;${encode(name)}=${encode(text)}`
  return text === '' ? null : lead + encode(text)
}

/** Returns encoded parts of a query, to be joined with `&`. */
export function serializeQueryParts(parameter: SerializedParameter, value: FormValue): string[] {
  const { name, mediaType } = parameter
  if (isMissing(value)) return []
  if (parameter.place === 'querystring') return [serializeWholeQuery(mediaType, value)]
  const write = parameter.allowsReserved ? encodeUnreserved : encode
  const pair = (key: string, text: string) => `${encode(key)}=${write(text)}`
  if (mediaType !== null) return [pair(name, serializeContent(value))]
  const style = parameter.style ?? 'form'
  const explode = parameter.explode ?? style === 'form'
  if (Array.isArray(value)) {
    const items = value.filter((one) => !isMissing(one)).map(toPlainText)
    if (items.length === 0) return []
    if (explode || style === 'deepObject') return items.map((item) => pair(name, item))
    return [`${encode(name)}=${items.map(write).join(DELIMITERS[style] ?? ',')}`]
  }
  const fields = listSentFields(value)
  if (!fields) return [pair(name, toPlainText(value))]
  if (fields.length === 0) return []
  if (style === 'deepObject')
    return fields.flatMap(([key, one]) => serializeDeepObject(`${name}[${key}]`, one, pair))
  if (explode) {
    return fields.flatMap(([key, one]) =>
      Array.isArray(one)
        ? one.filter((item) => !isMissing(item)).map((item) => pair(key, toPlainText(item)))
        : [pair(key, toPlainText(one))],
    )
  }
  const flat = fields.flatMap(([key, one]) => [key, toPlainText(one)])
  return [`${encode(name)}=${flat.map(write).join(DELIMITERS[style] ?? ',')}`]
}

const DELIMITERS: Readonly<Record<string, string>> = {
  form: ',',
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
}

function serializeDeepObject(
  name: string,
  value: FormValue,
  pair: (key: string, text: string) => string,
): string[] {
  if (Array.isArray(value))
    return value.flatMap((one) => (isMissing(one) ? [] : serializeDeepObject(name, one, pair)))
  const fields = listSentFields(value)
  if (fields) return fields.flatMap(([key, one]) => serializeDeepObject(`${name}[${key}]`, one, pair))
  return [pair(name, toPlainText(value))]
}

/** Serializes a value that is the whole query (OpenAPI 3.2). */
function serializeWholeQuery(mediaType: string | null, value: FormValue): string {
  const fields = listSentFields(value)
  if (fields && /x-www-form-urlencoded/i.test(mediaType ?? '')) {
    return new URLSearchParams(fields.map(([key, one]) => [key, toPlainText(one)])).toString()
  }
  return typeof value === 'string' ? encodeURI(value).replaceAll('#', '%23') : encode(serializeContent(value))
}

export function serializeHeader(parameter: SerializedParameter, value: FormValue): string | null {
  if (isMissing(value)) return null
  if (parameter.mediaType !== null) return serializeContent(value)
  if (Array.isArray(value)) {
    const items = value.filter((one) => !isMissing(one)).map(toPlainText)
    return items.length === 0 ? null : items.join(',')
  }
  const fields = listSentFields(value)
  if (!fields) return toPlainText(value)
  if (fields.length === 0) return null
  const pairs = fields.map(([key, one]) => [key, toPlainText(one)])
  return (parameter.explode ? pairs.map((pair) => pair.join('=')) : pairs.flat()).join(',')
}

/** Returns `name=value` pairs for a `Cookie` header. */
export function serializeCookieParts(parameter: SerializedParameter, value: FormValue): string[] {
  return serializeQueryParts({ ...parameter, place: 'query', style: 'form' }, value)
}

export function isMissing(value: FormValue): value is undefined | null {
  return value === undefined || value === null
}

/** Returns the defined properties of an object, or null for other values. */
function listSentFields(value: FormValue): [string, FormValue][] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Blob)
    return null
  return Object.entries(value).filter(([, one]) => !isMissing(one))
}

export function toPlainText(value: FormValue): string {
  if (value === undefined || value === null) return ''
  if (value instanceof Blob) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Serializes a parameter that has a media type. Text is unchanged, other values are JSON. */
function serializeContent(value: FormValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Encodes text. Leaves reserved characters as they are, except for the delimiters of a query. */
function encodeUnreserved(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(?:3A|2F|3F|40|24|2C|3B)/g, decodeURIComponent)
}
