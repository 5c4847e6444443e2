/** Data from which the form of an operation is built; written as plain data next to the operation's page. */
import type { Json, JsonObject } from './api-json.ts'

export interface PlaygroundData {
  /** Identifies the form among all forms of the site. */
  id: string
  /** Upper case. */
  method: string
  /** With parameters in braces. */
  path: string
  servers: readonly PlaygroundServer[]
  parameters: readonly PlaygroundParameter[]
  /** One per media type, in the order of the description; empty if the operation has no body. */
  bodies: readonly PlaygroundBody[]
  isBodyRequired: boolean
  /** For a WebSocket channel, the names of `bodies`, each a message that readers can send. Null for an HTTP call. */
  messages: readonly string[] | null
  /** Alternatives for authentication: one is chosen and all its schemes are sent. An empty one needs no credentials. */
  ways: readonly (readonly PlaygroundScheme[])[]
  /** Targets of references in the schemas, which have the form `#/defs/<name>`. */
  defs: JsonObject
  /** Languages of the code samples, as configured for the site. */
  languages: readonly string[]
  /** Examples from the description are filled in initially. */
  isPrefilled: boolean
  /** Examples contain required values only. */
  isRequiredOnly: boolean
  /** The browser sends its cookies for the server along. */
  sendsCookies: boolean
}

export interface PlaygroundServer {
  /** With variables in braces, without a trailing slash. */
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
  /** First sentence or so, as plain text. */
  description: string
  schema: Json
  /** Style given by the description; null for the default of the location. */
  style: string | null
  explode: boolean | null
  allowsReserved: boolean
  /** The value is sent as text of this type instead of being serialized by a style. */
  mediaType: string | null
  example: Json | null
}

export interface PlaygroundBody {
  type: string
  schema: Json
  example: Json | null
  /** Example as sent, for types that are neither JSON nor forms; null if there is none. */
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
  /** Any other scheme: the reader writes the `Authorization` value by hand. */
  | { kind: 'other'; scheme: string }
)

export interface OAuthFlow {
  kind: 'clientCredentials' | 'authorizationCode'
  /** Null if the flow does not use one. */
  authorizationUrl: string | null
  tokenUrl: string
  scopes: readonly string[]
}

/** Global property by which scripts pass an operation's data and the form's texts. */
export const PLAYGROUND_GLOBAL = '__octavoPlayground'
export const PLAYGROUND_TEXTS_GLOBAL = '__octavoPlaygroundWords'
