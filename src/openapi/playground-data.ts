/** What the form of an operation is made from: plain data, written beside the page of the operation when it is built. */
import type { Json, JsonObject } from './api-json.ts'

export interface PlaygroundData {
  /** Tells the form of this operation from every other one of the site. */
  id: string
  /** Upper case. */
  method: string
  /** With its parameters in braces. */
  path: string
  servers: readonly PlaygroundServer[]
  parameters: readonly PlaygroundParameter[]
  /** By media type, in the order of the description; empty when nothing can be sent. */
  bodies: readonly PlaygroundBody[]
  isBodyRequired: boolean
  /** Of a channel over WebSocket: the names of `bodies`, each a message that readers send. Null for a call over http. */
  messages: readonly string[] | null
  /** Ways to prove who one is: one of them is chosen, all schemes of it are sent. An empty one asks for nothing. */
  ways: readonly (readonly PlaygroundScheme[])[]
  /** What references of the schemas name, as `#/defs/<name>`. */
  defs: JsonObject
  /** Of samples, as the site has chosen them. */
  languages: readonly string[]
  /** Examples of the description stand in the form at once. */
  isPrefilled: boolean
  /** Examples hold only what is required. */
  isRequiredOnly: boolean
  /** The browser sends its cookies of the server along. */
  sendsCookies: boolean
}

export interface PlaygroundServer {
  /** With its variables in braces, without a slash at the end. */
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
  /** As the description says; the default of its place when null. */
  style: string | null
  explode: boolean | null
  allowsReserved: boolean
  /** The value is sent as a text of this type, not by a style. */
  mediaType: string | null
  example: Json | null
}

export interface PlaygroundBody {
  type: string
  schema: Json
  example: Json | null
  /** The example as it goes over the wire, for types that are neither JSON nor forms; null when there is none. */
  text: string | null
  /** By field of a form. */
  encoding: Readonly<Record<string, FieldEncoding>>
}

export interface FieldEncoding {
  /** Several with commas between them, also with `*`. */
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
  /** Any other: what stands in `Authorization` is written by hand. */
  | { kind: 'other'; scheme: string }
)

export interface OAuthFlow {
  kind: 'clientCredentials' | 'authorizationCode'
  /** Null where the flow needs none. */
  authorizationUrl: string | null
  tokenUrl: string
  scopes: readonly string[]
}

/** Scripts hand over the data of an operation, and the words of its form, by these names of the global object. */
export const PLAYGROUND_GLOBAL = '__octavoPlayground'
export const PLAYGROUND_WORDS_GLOBAL = '__octavoPlaygroundWords'
