/** Provides authentication and code samples for operations without a description (`api: POST /path`). */
import type { JsonObject } from '../../openapi/api-json.ts'
import { asObject } from '../../openapi/api-json.ts'
import { writeSamples } from '../../openapi/samples.ts'
import { claimOtherIds, type FieldScope } from './field-scope.ts'
import { createLibrarySample } from './library-sample.ts'
import { section } from './operation.ts'
import type { DescribedReference } from './reference.ts'
import { sampleRequest } from './sample-request.ts'
import { describeScheme, type Security } from './security.ts'
import { EXAMPLE_SERVER } from './servers.ts'

export interface HandWrittenInput {
  /** In upper case. */
  method: string
  /** URL or path, as written by the author. */
  address: string
  /** `bearer`, `basic`, `key` or `none`; null if not set. */
  auth: string | null
  /** Name of the header that contains the key. */
  authName: string | null
  text: string
}

export async function createHandWrittenReference(
  scope: FieldScope,
  input: HandWrittenInput,
): Promise<DescribedReference> {
  const { words, settings } = scope
  const security = readAuth(scope, input)
  const { parameters, body } = readFields(input.text)
  const [server = EXAMPLE_SERVER] = settings.baseUrls
  const isWhole = /^[a-z][a-z0-9+.-]*:\/\//i.test(input.address)
  const request = sampleRequest(scope, {
    method: input.method,
    server: isWhole ? '' : server,
    path: input.address.replace(/(?<=\/):([A-Za-z_]\w*)/g, '{$1}'),
    parameters,
    body,
    credentials: security.credentials,
  })
  const samples = settings.examples.isGenerated
    ? await writeSamples(request, settings.examples.languages, createLibrarySample)
    : []
  claimOtherIds(scope)
  const title = isWhole ? input.address.replace(/^[^:]+:\/\/[^/]+(?=.)/, '') : input.address
  return {
    words,
    blocks: section(scope, words.apiAuthorization, 'authorization', security.blocks),
    request:
      samples.length === 0
        ? null
        : { title, method: input.method, label: words.apiLanguage, samples, isRemembered: true },
    bodies: null,
    responses: null,
  }
}

const SCHEMES: Readonly<Record<string, JsonObject>> = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
}

function readAuth(scope: FieldScope, input: HandWrittenInput): Security {
  const named = createHandWrittenScheme(input)
  if (!named) return { blocks: [], credentials: [] }
  const { name, scheme } = named
  const { field, credential } = describeScheme(scope, name, scheme, [])
  return { blocks: [{ kind: 'fields', fields: [field] }], credentials: credential ? [credential] : [] }
}

/** Returns a security scheme in the format of OpenAPI, or null if no credentials are required. */
export function createHandWrittenScheme({
  auth,
  authName,
}: Pick<HandWrittenInput, 'auth' | 'authName'>): { name: string; scheme: JsonObject } | null {
  const name = authName ?? 'Authorization'
  const scheme = auth === 'key' ? { type: 'apiKey', in: 'header', name } : SCHEMES[auth ?? '']
  return scheme ? { name, scheme } : null
}

const PARAM_FIELD = /<ParamField\b((?:[^<>"'{]|"[^"]*"|'[^']*'|\{[^{}]*\})*)>/g
const ATTRIBUTE = /([A-Za-z]+)(?:=(?:"([^"]*)"|'([^']*)'|\{([^{}]*)\}))?/g
const MAX_FIELDS = 500

/** Parses the `ParamField` components of a page to parameters and a body schema. */
export function readFields(text: string): { parameters: JsonObject[]; body: JsonObject } {
  const parameters: JsonObject[] = []
  const properties: JsonObject = {}
  const required: string[] = []
  for (const [, written = ''] of [...text.matchAll(PARAM_FIELD)].slice(0, MAX_FIELDS)) {
    const props = new Map<string, string>()
    for (const [, key = '', double, single, braces] of written.matchAll(ATTRIBUTE)) {
      props.set(key, double ?? single ?? braces?.replace(/^["']|["']$/g, '') ?? 'true')
    }
    const parameterLocation = ['path', 'query', 'header', 'cookie', 'body'].find((one) => props.has(one))
    const name = parameterLocation === undefined ? undefined : props.get(parameterLocation)
    if (parameterLocation === undefined || name === undefined) continue
    const schema = createSchema(props)
    const isRequired = props.has('required') && props.get('required') !== 'false'
    if (parameterLocation !== 'body')
      parameters.push({ in: parameterLocation, name, schema, required: isRequired })
    else {
      Object.defineProperty(properties, name, { value: schema, enumerable: true, configurable: true })
      if (isRequired) required.push(name)
    }
  }
  const isEmpty = Object.keys(properties).length === 0
  const schema = { type: 'object', properties, required }
  return { parameters, body: isEmpty ? {} : asObject({ content: { 'application/json': { schema } } }) }
}

function createSchema(props: ReadonlyMap<string, string>): JsonObject {
  const written = props.get('type')?.toLowerCase() ?? 'string'
  const initial = props.get('default') ?? props.get('placeholder')
  const type = written.endsWith('[]') || written.startsWith('array') ? 'array' : normalizeType(written)
  const schema: JsonObject = { type }
  if (type === 'array') schema.items = { type: normalizeType(written.replace(/\[\]$/, '')) }
  if (initial !== undefined) schema.default = parseTypedValue(type, initial)
  return schema
}

function normalizeType(written: string): string {
  if (/^(?:int|integer|long)/.test(written)) return 'integer'
  if (/^(?:number|float|double)/.test(written)) return 'number'
  if (/^bool/.test(written)) return 'boolean'
  return /^(?:object|map|dict)/.test(written) ? 'object' : 'string'
}

function parseTypedValue(type: string, text: string): string | number | boolean {
  if (type === 'boolean') return text === 'true'
  const number = Number(text)
  return (type === 'integer' || type === 'number') && Number.isFinite(number) ? number : text
}
