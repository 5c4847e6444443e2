/** Tests a single sign-on provider before it is saved: its metadata, its keys, and whether it accepts the client. */

import { TRIAL_WORDS, type TrialCode, type TrialFinding } from '../../../base/errors/finding-words.ts'
import { type GuardedFetch, GuardedFetchError } from '../../../base/net/guarded-fetch.ts'

export interface ProviderTrial {
  /** One per problem that keeps people from signing in. */
  faults: TrialFinding[]
  /** Findings about what could not be tested from here. */
  notes: TrialFinding[]
}

export interface TriedProvider {
  /** Without a trailing slash. */
  issuer: string
  clientId: string
  clientSecret: string
  redirectUrl: string
}

const LONGEST_MS = 10_000
const MOST_BYTES = 256 * 1024
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

type Provider = Pick<GuardedFetch, 'fetch'>
type Said = Readonly<Record<string, unknown>>

/** Does not reject for failures of the provider. Redirects are not followed. */
export async function tryProvider(provider: Provider, tried: TriedProvider): Promise<ProviderTrial> {
  const address = `${tried.issuer}/.well-known/openid-configuration`
  const answer = await ask(provider, address)
  if (typeof answer === 'string')
    return { faults: [found('no_document', `${address} ${answer}.`)], notes: [] }
  if (answer.status !== 200 || answer.json === null) {
    const what = answer.status === 200 ? 'does not answer with JSON' : `answers with status ${answer.status}`
    return { faults: [found('no_document', `${address} ${what}: check the issuer.`)], notes: [] }
  }
  const said = answer.json
  const faults = [...documentFaults(tried.issuer, said)]
  const [keys, client] = await Promise.all([keyFaults(provider, said), clientFaults(provider, tried, said)])
  faults.push(...keys, ...client.faults)
  return { faults, notes: [...pkceNotes(said), ...client.notes] }
}

type ProviderFinding =
  Extract<TrialCode, `provider.${string}`> extends `provider.${infer Name}` ? Name : never

function found(name: ProviderFinding, sentence: string): TrialFinding {
  return { code: `provider.${name}`, sentence }
}

/** Returns a finding whose text has no parameters. */
function plain(name: ProviderFinding): TrialFinding {
  return found(name, TRIAL_WORDS[`provider.${name}`].meaning)
}

function documentFaults(issuer: string, said: Said): TrialFinding[] {
  const faults: TrialFinding[] = []
  const fault = (name: ProviderFinding, sentence: string) => void faults.push(found(name, sentence))
  const own = typeof said.issuer === 'string' ? said.issuer : ''
  if (own.replace(/\/$/, '') !== issuer)
    fault(
      'other_issuer',
      `The provider calls itself ${quoted(own)}, so its tokens are not those of ${issuer}.`,
    )
  for (const name of ENDPOINTS) {
    const url = addressIn(said, name)
    if (url === null) fault('endpoint_missing', `The provider names no ${name}.`)
    else if (issuer.startsWith('https:') && url.protocol !== 'https:')
      fault('endpoint_open', `The ${name} of the provider is not https.`)
  }
  const lacks = (name: string, wanted: (value: string) => boolean) => {
    const values = said[name]
    return Array.isArray(values) && !values.some((value) => typeof value === 'string' && wanted(value))
  }
  if (lacks('code_challenge_methods_supported', (value) => value === 'S256')) faults.push(plain('no_pkce'))
  if (lacks('response_types_supported', (value) => value === 'code'))
    fault('no_code_flow', 'The provider does not support the authorization code flow (response type “code”).')
  if (lacks('id_token_signing_alg_values_supported', (value) => /^(?:[REP]S\d{3}|EdDSA)$/.test(value)))
    faults.push(plain('no_public_key'))
  if (lacks('scopes_supported', (value) => value === 'email'))
    fault('no_addresses', 'The provider does not give e-mail addresses (scope “email”).')
  return faults
}

function pkceNotes(said: Said): TrialFinding[] {
  return Array.isArray(said.code_challenge_methods_supported) ? [] : [plain('pkce_unsaid')]
}

async function keyFaults(provider: Provider, said: Said): Promise<TrialFinding[]> {
  const url = addressIn(said, 'jwks_uri')
  if (url === null) return []
  const answer = await ask(provider, url.href)
  if (typeof answer === 'string')
    return [found('no_keys', `The keys of the provider cannot be read: ${url.href} ${answer}.`)]
  const keys = answer.json?.keys
  return answer.status === 200 && Array.isArray(keys) && keys.length > 0
    ? []
    : [found('no_keys', `The provider has no keys at ${url.href}.`)]
}

/** Sends an invalid code: a provider that accepts the client rejects the code, another one rejects the client. */
async function clientFaults(
  provider: Provider,
  { clientId, clientSecret, redirectUrl }: TriedProvider,
  said: Said,
): Promise<ProviderTrial> {
  const url = addressIn(said, 'token_endpoint')
  if (url === null) return { faults: [], notes: [] }
  const answer = await ask(provider, url.href, {
    grant_type: 'authorization_code',
    code: 'octavo-connection-test',
    code_verifier: 'octavo-connection-test-without-a-person-behind-it',
    redirect_uri: redirectUrl,
    client_id: clientId,
    client_secret: clientSecret,
  })
  if (typeof answer === 'string')
    return { faults: [found('no_tokens', `The token endpoint of the provider ${answer}.`)], notes: [] }
  const error = answer.json?.error
  if (error === 'invalid_client' || error === 'unauthorized_client' || answer.status === 401)
    return { faults: [plain('client_refused')], notes: [] }
  if (error === 'invalid_grant') return { faults: [], notes: [] }
  return { faults: [], notes: [plain('secret_unsaid')] }
}

function addressIn(said: Said, name: string): URL | null {
  const value = said[name]
  const url = typeof value === 'string' && value.length <= 2000 ? URL.parse(value) : null
  return url !== null && /^https?:$/.test(url.protocol) ? url : null
}

function quoted(text: string): string {
  return text === '' ? 'nothing' : `“${text.slice(0, 200)}”`
}

interface Answer {
  status: number
  /** Null when the body is not an object. */
  json: Said | null
}

/** Returns a string on failure, the end of a sentence that begins with the URL. */
async function ask(
  provider: Provider,
  address: string,
  form?: Record<string, string>,
): Promise<Answer | string> {
  try {
    const { status, body } = await provider.fetch(address, {
      headers: {
        accept: 'application/json',
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { method: 'POST', body: String(new URLSearchParams(form)) }),
      timeoutMs: LONGEST_MS,
      maxBytes: MOST_BYTES,
      maxRedirects: 0,
    })
    return { status, json: objectIn(Buffer.from(body)) }
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error
    if (error.kind === 'too_large') return 'answers with more than 256 KiB'
    if (error.kind === 'timeout') return `did not answer within ${LONGEST_MS / 1000} seconds`
    if (error.kind === 'refused') return `is not asked: ${error.message.replace(/\.$/, '')}`
    return connectionFailure(error)
  }
}

function objectIn(bytes: Buffer): Said | null {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Said) : null
  } catch {
    return null
  }
}

function connectionFailure(error: unknown): string {
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? `cannot be reached (${code})` : 'cannot be reached'
}
