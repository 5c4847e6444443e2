/** The API of one kind of forge, served by a server common to all of them. */
import type { ForgeDescription } from './description.ts'
import type { ForgeState } from './forge-state.ts'

export interface ApiRequest {
  method: string
  /** Encoded path below `basePath`. */
  path: string
  query: URLSearchParams
  body: { [key: string]: unknown }
  /** Value of the authorization header without the scheme. */
  token: string | null
}

export interface ApiAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

export interface ForgeApi {
  /** Prefix of every path of the description. */
  basePath: string
  description: ForgeDescription
  answer(request: ApiRequest): Promise<ApiAnswer>
  /** Answers the forge's GraphQL API, which has no description to validate against. */
  answerGraphql?(body: { query?: unknown; variables?: unknown }): ApiAnswer
  /** Returns an error in the format of this forge. */
  refuse(reason: Refusal): ApiAnswer
  /** Returns the currently valid tokens besides the server's. */
  moreTokens(): string[]
  /** Whether the request is authenticated by something other than one of these tokens. */
  isOtherwiseAllowed(request: ApiRequest): boolean
}

export type Refusal = 'unauthorized' | 'forbidden' | 'rate_limited' | 'missing' | 'server_error'

export interface ApiSetup {
  state: ForgeState
  /** Returns the server's origin, available once it listens. */
  origin(): string
}
