/** Creates the playground data of an operation. */
import {
  asArray,
  asObject,
  asText,
  followReference,
  type Json,
  type JsonObject,
} from '../../openapi/api-json.ts'
import { splitDescription } from '../../openapi/description.ts'
import { createExample } from '../../openapi/example-value.ts'
import type {
  FieldEncoding,
  OAuthFlow,
  PlaygroundBody,
  PlaygroundData,
  PlaygroundParameter,
  PlaygroundScheme,
  PlaygroundServer,
} from '../../openapi/playground-data.ts'
import type { SiteConfig } from '../../site/settings/config.ts'
import { plainText } from '../html/inline-markup.ts'
import { createSchemaCompactor, type SchemaCompactor } from './compact-schema.ts'
import type { FieldScope } from './field-scope.ts'
import { formatExample, listGivenExamples } from './media.ts'

export interface PlaygroundSource {
  id: string
  method: string
  path: string
  servers: readonly PlaygroundServer[]
  /** References are resolved. */
  parameters: readonly JsonObject[]
  body: JsonObject
  /** Messages of a channel, which replace the body. */
  messages?: readonly ChannelMessage[]
  /** Alternatives for authentication, each with schemes by name. */
  ways: readonly JsonObject[]
  schemes: JsonObject
}

export interface ChannelMessage {
  name: string
  type: string
  /** Schema and example, in the format of a media type object. */
  media: JsonObject
}

const MAX_PARAMETERS = 300
const MAX_BODIES = 20
const MAX_REQUIREMENTS = 20
/** Maximum length of the description of a parameter or scheme. */
const MAX_TEXT_CHARACTERS = 160
const MAX_EXAMPLE_CHARACTERS = 60_000

export function playgroundData(scope: FieldScope, source: PlaygroundSource): PlaygroundData {
  const schemas = createSchemaCompactor(scope.root)
  const parameters = source.parameters
    .slice(0, MAX_PARAMETERS)
    .flatMap((one) => createParameter(scope, schemas, one) ?? [])
  const messages = source.messages?.slice(0, MAX_BODIES)
  const contents = messages?.map(({ type, media }) => [type, media] as const)
  const bodies = createBodies(scope, schemas, contents ?? Object.entries(asObject(source.body.content)))
  const ways = source.ways
    .slice(0, MAX_REQUIREMENTS)
    .map((requirement) => createSchemes(scope, requirement, source.schemes))
  return {
    id: source.id,
    method: source.method,
    path: source.path,
    servers: source.servers,
    parameters,
    bodies,
    isBodyRequired: source.body.required === true,
    messages: messages?.map(({ name }) => name) ?? null,
    ways,
    ...readSettings(scope.settings),
    defs: schemas.defs(),
  }
}

function readSettings({ examples, credentials }: SiteConfig['api']) {
  return {
    languages: examples.isGenerated ? examples.languages : [],
    isPrefilled: examples.isPrefilled,
    isRequiredOnly: examples.isRequiredOnly,
    sendsCookies: credentials,
  }
}

const PARAMETER_LOCATIONS = new Set(['path', 'query', 'header', 'cookie', 'querystring'])
/** Headers that OpenAPI ignores as parameters, because other parts of the request define them. */
const RESERVED_HEADERS = new Set(['accept', 'content-type', 'authorization'])

function createParameter(
  scope: FieldScope,
  schemas: SchemaCompactor,
  parameter: JsonObject,
): PlaygroundParameter | null {
  const name = asText(parameter.name)
  const locationName = String(parameter.in)
  if (name === null || !PARAMETER_LOCATIONS.has(locationName)) return null
  if (locationName === 'header' && RESERVED_HEADERS.has(name.toLowerCase())) return null
  const [content] = Object.entries(asObject(parameter.content))
  const holder = content ? asObject(content[1]) : parameter
  return {
    name,
    place: locationName as PlaygroundParameter['place'],
    isRequired: parameter.required === true || locationName === 'path',
    isDeprecated: parameter.deprecated === true,
    description: shortenText(parameter.description),
    schema: schemas.compact(parameter.schema ?? asObject(content?.[1]).schema),
    style: asText(parameter.style),
    explode: typeof parameter.explode === 'boolean' ? parameter.explode : null,
    allowsReserved: parameter.allowReserved === true,
    mediaType: content?.[0] ?? null,
    example: omitIfTooLarge(listGivenExamples(scope, holder)[0]?.value),
  }
}

function createBodies(
  scope: FieldScope,
  schemas: SchemaCompactor,
  contents: readonly (readonly [type: string, media: Json])[],
): PlaygroundBody[] {
  return contents.slice(0, MAX_BODIES).map(([type, value]) => {
    const media = asObject(value)
    const example = listGivenExamples(scope, media)[0]?.value
    return {
      type,
      schema: schemas.compact(media.schema),
      example: omitIfTooLarge(example),
      text: isPlainTextType(type) ? asText(requestBodyText(scope, type, media, example)) : null,
      encoding: readEncodings(media.encoding),
    }
  })
}

function isPlainTextType(type: string): boolean {
  return !/json|x-www-form-urlencoded|multipart\//i.test(type)
}

function requestBodyText(
  scope: FieldScope,
  type: string,
  media: JsonObject,
  example: Json | undefined,
): string | null {
  const { format, type: kind } = asObject(media.schema)
  const isBinary = format === 'binary' || /octet-stream|^(?:image|audio|video)\/|pdf|zip/i.test(type)
  if (isBinary || (example === undefined && !/xml/i.test(type) && kind !== 'string')) return null
  const value = example ?? createExample(scope, media.schema, { direction: 'request', isRequiredOnly: false })
  return formatExample(scope, type, media.schema, value)?.code ?? null
}

function readEncodings(value: Json | undefined): Record<string, FieldEncoding> {
  const fields = Object.entries(asObject(value)).map(([name, one]) => {
    const { contentType, style, explode } = asObject(one)
    const fieldEncoding: FieldEncoding = {
      contentType: asText(contentType),
      style: asText(style),
      explode: typeof explode === 'boolean' ? explode : null,
    }
    return [name, fieldEncoding] as const
  })
  return Object.fromEntries(fields)
}

function createSchemes(scope: FieldScope, requirement: JsonObject, schemes: JsonObject): PlaygroundScheme[] {
  return Object.entries(requirement).map(([name, scopes]) => {
    const scheme = Object.hasOwn(schemes, name) ? followReference(scope.root, schemes[name]) : {}
    const scopeNames = asArray(scopes).filter((one) => typeof one === 'string')
    return { name, description: shortenText(scheme.description), ...createScheme(name, scheme, scopeNames) }
  })
}

type SchemeKind = PlaygroundScheme extends infer One
  ? One extends unknown
    ? Omit<One, 'name' | 'description'>
    : never
  : never

function createScheme(name: string, scheme: JsonObject, scopes: string[]): SchemeKind {
  const initial = asText(scheme['x-default']) ?? ''
  const method = String(scheme.scheme ?? '').toLowerCase()
  switch (scheme.type) {
    case 'apiKey':
    case 'httpApiKey': {
      if (scheme.in === 'user' || scheme.in === 'password') return { kind: 'other', scheme: '' }
      const locationName = scheme.in === 'query' || scheme.in === 'cookie' ? scheme.in : 'header'
      return { kind: 'key', place: locationName, parameter: asText(scheme.name) ?? name, initial }
    }
    case 'oauth2':
      return { kind: 'oauth2', flows: listFlows(scheme.flows), scopes }
    case 'openIdConnect': {
      const discovery = readWebUrl(scheme.openIdConnectUrl)
      return discovery === null ? { kind: 'bearer', initial } : { kind: 'openid', discovery, scopes }
    }
    case 'http':
      if (method === 'basic') return { kind: 'basic', initial }
      if (method === 'bearer' || method === '') return { kind: 'bearer', initial }
      return { kind: 'other', scheme: asText(scheme.scheme) ?? method }
    default:
      return { kind: 'other', scheme: '' }
  }
}

/** Returns the flows that a page can perform. For other flows, readers enter a token. */
function listFlows(value: Json | undefined): OAuthFlow[] {
  const flows = asObject(value)
  return (['authorizationCode', 'clientCredentials'] as const).flatMap((kind) => {
    const { authorizationUrl, tokenUrl, scopes } = asObject(flows[kind])
    const token = readWebUrl(tokenUrl)
    const authorization = kind === 'authorizationCode' ? readWebUrl(authorizationUrl) : null
    if (token === null || (kind === 'authorizationCode' && authorization === null)) return []
    return [{ kind, authorizationUrl: authorization, tokenUrl: token, scopes: Object.keys(asObject(scopes)) }]
  })
}

/** Returns null for unsafe URLs, such as `javascript:`. */
function readWebUrl(value: Json | undefined): string | null {
  const url = URL.parse(asText(value) ?? '')
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}

function shortenText(value: Json | undefined): string {
  const text = plainText(splitDescription(asText(value)).subtitle ?? '').trim()
  return text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS - 1).trimEnd()}…` : text
}

function omitIfTooLarge(value: Json | undefined): Json | null {
  if (value === undefined || value === null) return null
  return JSON.stringify(value).length > MAX_EXAMPLE_CHARACTERS ? null : value
}
