/** Form data of an operation. */
import {
  fieldsOf,
  followReference,
  type Json,
  type JsonObject,
  listOf,
  textOf,
} from '../../openapi/api-json.ts'
import { splitDescription } from '../../openapi/description.ts'
import { exampleOf } from '../../openapi/example-value.ts'
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
import { exampleText, givenExamples } from './media.ts'

export interface PlaygroundSource {
  id: string
  method: string
  path: string
  servers: readonly PlaygroundServer[]
  /** With references resolved. */
  parameters: readonly JsonObject[]
  body: JsonObject
  /** Messages of a channel, instead of a body. */
  messages?: readonly ChannelMessage[]
  /** Alternatives for authentication, each with its schemes by name. */
  ways: readonly JsonObject[]
  schemes: JsonObject
}

export interface ChannelMessage {
  name: string
  type: string
  /** Schema and example, in the shape of a body. */
  media: JsonObject
}

const MOST_PARAMETERS = 300
const MOST_BODIES = 20
const MOST_WAYS = 20
/** Maximum length of a text about a parameter or scheme. */
const WORDS_CHARACTERS = 160
/** Maximum length of a body example. */
const EXAMPLE_CHARACTERS = 60_000

export function playgroundData(scope: FieldScope, source: PlaygroundSource): PlaygroundData {
  const schemas = createSchemaCompactor(scope.root)
  const parameters = source.parameters
    .slice(0, MOST_PARAMETERS)
    .flatMap((one) => parameterOf(scope, schemas, one) ?? [])
  const messages = source.messages?.slice(0, MOST_BODIES)
  const contents = messages?.map(({ type, media }) => [type, media] as const)
  const bodies = bodiesOf(scope, schemas, contents ?? Object.entries(fieldsOf(source.body.content)))
  const ways = source.ways.slice(0, MOST_WAYS).map((way) => schemesOf(scope, way, source.schemes))
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
    ...settingsOf(scope.settings),
    defs: schemas.defs(),
  }
}

function settingsOf({ examples, credentials }: SiteConfig['api']) {
  return {
    languages: examples.isGenerated ? examples.languages : [],
    isPrefilled: examples.isPrefilled,
    isRequiredOnly: examples.isRequiredOnly,
    sendsCookies: credentials,
  }
}

const PLACES = new Set(['path', 'query', 'header', 'cookie', 'querystring'])
/** Header parameters that descriptions must not define; other parts of the request set them. */
const OWN_HEADERS = new Set(['accept', 'content-type', 'authorization'])

function parameterOf(
  scope: FieldScope,
  schemas: SchemaCompactor,
  parameter: JsonObject,
): PlaygroundParameter | null {
  const name = textOf(parameter.name)
  const place = String(parameter.in)
  if (name === null || !PLACES.has(place)) return null
  if (place === 'header' && OWN_HEADERS.has(name.toLowerCase())) return null
  const [content] = Object.entries(fieldsOf(parameter.content))
  const holder = content ? fieldsOf(content[1]) : parameter
  return {
    name,
    place: place as PlaygroundParameter['place'],
    isRequired: parameter.required === true || place === 'path',
    isDeprecated: parameter.deprecated === true,
    description: firstWords(parameter.description),
    schema: schemas.compact(parameter.schema ?? fieldsOf(content?.[1]).schema),
    style: textOf(parameter.style),
    explode: typeof parameter.explode === 'boolean' ? parameter.explode : null,
    allowsReserved: parameter.allowReserved === true,
    mediaType: content?.[0] ?? null,
    example: bounded(givenExamples(scope, holder)[0]?.value),
  }
}

function bodiesOf(
  scope: FieldScope,
  schemas: SchemaCompactor,
  contents: readonly (readonly [type: string, media: Json])[],
): PlaygroundBody[] {
  return contents.slice(0, MOST_BODIES).map(([type, value]) => {
    const media = fieldsOf(value)
    const example = givenExamples(scope, media)[0]?.value
    return {
      type,
      schema: schemas.compact(media.schema),
      example: bounded(example),
      text: isOtherText(type) ? textOf(wireText(scope, type, media, example)) : null,
      encoding: encodingOf(media.encoding),
    }
  })
}

/** True for a type that is neither JSON nor a form and is entered as text. */
function isOtherText(type: string): boolean {
  return !/json|x-www-form-urlencoded|multipart\//i.test(type)
}

function wireText(
  scope: FieldScope,
  type: string,
  media: JsonObject,
  example: Json | undefined,
): string | null {
  const { format, type: kind } = fieldsOf(media.schema)
  const isBinary = format === 'binary' || /octet-stream|^(?:image|audio|video)\/|pdf|zip/i.test(type)
  if (isBinary || (example === undefined && !/xml/i.test(type) && kind !== 'string')) return null
  const value = example ?? exampleOf(scope, media.schema, { direction: 'request', isRequiredOnly: false })
  return exampleText(scope, type, media.schema, value)?.code ?? null
}

function encodingOf(value: Json | undefined): Record<string, FieldEncoding> {
  const fields = Object.entries(fieldsOf(value)).map(([name, one]) => {
    const { contentType, style, explode } = fieldsOf(one)
    const made: FieldEncoding = {
      contentType: textOf(contentType),
      style: textOf(style),
      explode: typeof explode === 'boolean' ? explode : null,
    }
    return [name, made] as const
  })
  return Object.fromEntries(fields)
}

function schemesOf(scope: FieldScope, way: JsonObject, schemes: JsonObject): PlaygroundScheme[] {
  return Object.entries(way).map(([name, scopes]) => {
    const scheme = Object.hasOwn(schemes, name) ? followReference(scope.root, schemes[name]) : {}
    const wanted = listOf(scopes).filter((one) => typeof one === 'string')
    return { name, description: firstWords(scheme.description), ...schemeOf(name, scheme, wanted) }
  })
}

type SchemeKind = PlaygroundScheme extends infer One
  ? One extends unknown
    ? Omit<One, 'name' | 'description'>
    : never
  : never

function schemeOf(name: string, scheme: JsonObject, scopes: string[]): SchemeKind {
  const initial = textOf(scheme['x-default']) ?? ''
  const method = String(scheme.scheme ?? '').toLowerCase()
  switch (scheme.type) {
    case 'apiKey':
    case 'httpApiKey': {
      if (scheme.in === 'user' || scheme.in === 'password') return { kind: 'other', scheme: '' }
      const place = scheme.in === 'query' || scheme.in === 'cookie' ? scheme.in : 'header'
      return { kind: 'key', place, parameter: textOf(scheme.name) ?? name, initial }
    }
    case 'oauth2':
      return { kind: 'oauth2', flows: flowsOf(scheme.flows), scopes }
    case 'openIdConnect': {
      const discovery = webAddress(scheme.openIdConnectUrl)
      return discovery === null ? { kind: 'bearer', initial } : { kind: 'openid', discovery, scopes }
    }
    case 'http':
      if (method === 'basic') return { kind: 'basic', initial }
      if (method === 'bearer' || method === '') return { kind: 'bearer', initial }
      return { kind: 'other', scheme: textOf(scheme.scheme) ?? method }
    default:
      return { kind: 'other', scheme: '' }
  }
}

/** Returns the two flows that a page can complete; tokens of other flows are pasted by the reader. */
function flowsOf(value: Json | undefined): OAuthFlow[] {
  const flows = fieldsOf(value)
  return (['authorizationCode', 'clientCredentials'] as const).flatMap((kind) => {
    const { authorizationUrl, tokenUrl, scopes } = fieldsOf(flows[kind])
    const token = webAddress(tokenUrl)
    const authorization = kind === 'authorizationCode' ? webAddress(authorizationUrl) : null
    if (token === null || (kind === 'authorizationCode' && authorization === null)) return []
    return [{ kind, authorizationUrl: authorization, tokenUrl: token, scopes: Object.keys(fieldsOf(scopes)) }]
  })
}

/** Returns null for URLs that are unsafe to open, such as `javascript:`. */
function webAddress(value: Json | undefined): string | null {
  const url = URL.parse(textOf(value) ?? '')
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}

function firstWords(value: Json | undefined): string {
  const text = plainText(splitDescription(textOf(value)).subtitle ?? '').trim()
  return text.length > WORDS_CHARACTERS ? `${text.slice(0, WORDS_CHARACTERS - 1).trimEnd()}…` : text
}

function bounded(value: Json | undefined): Json | null {
  if (value === undefined || value === null) return null
  return JSON.stringify(value).length > EXAMPLE_CHARACTERS ? null : value
}
