/** What one kind of forge answers; the server around it is the same for all. */
import type { ForgeDescription } from './description.ts'
import type { ForgeState } from './forge-state.ts'

export interface ApiRequest {
  method: string
  /** Below `basePath`, encoded. */
  path: string
  query: URLSearchParams
  body: { [key: string]: unknown }
  /** What stands in the authorization header behind the scheme. */
  token: string | null
}

export interface ApiAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

export interface ForgeApi {
  /** In front of every path of the description. */
  basePath: string
  description: ForgeDescription
  answer(request: ApiRequest): Promise<ApiAnswer>
  /** What the other API of the forge answers, which is described nowhere here. */
  answerGraphql?(body: { query?: unknown; variables?: unknown }): ApiAnswer
  /** As this forge says no. */
  refuse(reason: Refusal): ApiAnswer
  /** Tokens beyond the one of the server that are good by now. */
  moreTokens(): string[]
  /** Whether the request proves by other means than such a token who asks. */
  isOtherwiseAllowed(request: ApiRequest): boolean
}

export type Refusal = 'unauthorized' | 'forbidden' | 'rate_limited' | 'missing' | 'server_error'

export interface ApiSetup {
  state: ForgeState
  /** Where the server is reached, once it listens. */
  origin(): string
}
