/** Input of the playground form of an operation, written as JSON next to its page. */
import type { Json, JsonObject } from './api-json.ts'

export interface PlaygroundData {
  /** Unique within the site. */
  id: string
  /** In upper case. */
  method: string
  /** Contains parameters in braces. */
  path: string
  servers: readonly PlaygroundServer[]
  parameters: readonly PlaygroundParameter[]
  /** One for each media type, in the order of the description. */
  bodies: readonly PlaygroundBody[]
  isBodyRequired: boolean
  /** Names of `bodies` for a WebSocket channel, where each body is a message. Null for HTTP. */
  messages: readonly string[] | null
  /**
   * Alternatives for authentication. The reader chooses one, and the credentials of all its schemes are sent. An empty
   * alternative requires no credentials.
   */
  ways: readonly (readonly PlaygroundScheme[])[]
  /** Targets of the references in the schemas. Each reference has the form `#/defs/<name>`. */
  defs: JsonObject
  languages: readonly string[]
  /** Whether the form initially contains the examples of the description. */
  isPrefilled: boolean
  /** Whether examples contain required values only. */
  isRequiredOnly: boolean
  /** Whether the browser sends its cookies for the server. */
  sendsCookies: boolean
}

export interface PlaygroundServer {
  /** Contains variables in braces. Without a trailing slash. */
  url: string
  description: string
  variables: readonly ServerVariable[]
}

export interface ServerVariable {
  name: string
  initial: string
  description: string
  options: readonly string[]
}

export interface PlaygroundParameter {
  name: string
  place: 'path' | 'query' | 'header' | 'cookie' | 'querystring'
  isRequired: boolean
  isDeprecated: boolean
  /** Shortened plain text. */
  description: string
  schema: Json
  /** Serialization style; null for the default of the location. */
  style: string | null
  explode: boolean | null
  allowsReserved: boolean
  /** If set, the value is serialized as this type instead of by `style`. */
  mediaType: string | null
  example: Json | null
}

export interface PlaygroundBody {
  type: string
  schema: Json
  example: Json | null
  /** Example for types that are neither JSON nor forms, or null. */
  text: string | null
  /** Keyed by form field. */
  encoding: Readonly<Record<string, FieldEncoding>>
}

export interface FieldEncoding {
  /** Comma-separated if there are several; may contain `*`. */
  contentType: string | null
  style: string | null
  explode: boolean | null
}

export type PlaygroundScheme = { name: string; description: string } & (
  | { kind: 'bearer'; initial: string }
  | { kind: 'basic'; initial: string }
  | { kind: 'key'; place: 'header' | 'query' | 'cookie'; parameter: string; initial: string }
  | { kind: 'oauth2'; flows: readonly OAuthFlow[]; scopes: readonly string[] }
  | { kind: 'openid'; discovery: string; scopes: readonly string[] }
  /** Any other scheme. The reader enters the value of the `Authorization` header. */
  | { kind: 'other'; scheme: string }
)

export interface OAuthFlow {
  kind: 'clientCredentials' | 'authorizationCode'
  authorizationUrl: string | null
  tokenUrl: string
  scopes: readonly string[]
}

/** Global property that scripts of a page use to pass the data and texts of the form. */
export const PLAYGROUND_GLOBAL = '__octavoPlayground'
export const PLAYGROUND_TEXTS_GLOBAL = '__octavoPlaygroundWords'
