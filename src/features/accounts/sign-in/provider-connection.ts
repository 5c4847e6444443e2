/** Tests a single sign-on provider before it is saved: its metadata, its keys, and whether it accepts the client. */

import type { TrialCode, TrialFinding } from '../../../base/api/trial.ts'
import { TEST_RESULTS } from '../../../base/errors/catalogue.ts'
import { type GuardedFetch, GuardedFetchError } from '../../../base/net/guarded-fetch.ts'

export interface ProviderTestResult {
  faults: TrialFinding[]
  notes: TrialFinding[]
}

export interface TestedProvider {
  /** Without a trailing slash. */
  issuer: string
  clientId: string
  clientSecret: string
  redirectUrl: string
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 256 * 1024
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

type Provider = Pick<GuardedFetch, 'fetch'>
type ProviderMetadata = Readonly<Record<string, unknown>>

/** Does not reject if the provider fails. Redirects are not followed. */
export async function testProviderConnection(
  provider: Provider,
  tested: TestedProvider,
): Promise<ProviderTestResult> {
  const address = `${tested.issuer}/.well-known/openid-configuration`
  const answer = await sendRequest(provider, address)
  if (typeof answer === 'string')
    return { faults: [createFinding('no_document', `${address} ${answer}.`)], notes: [] }
  if (answer.status !== 200 || answer.json === null) {
    const what = answer.status === 200 ? 'does not return JSON' : `returns status ${answer.status}`
    return { faults: [createFinding('no_document', `${address} ${what}. Check the issuer.`)], notes: [] }
  }
  const metadata = answer.json
  const faults = [...checkDocument(tested.issuer, metadata)]
  const [keys, client] = await Promise.all([
    checkKeys(provider, metadata),
    checkClient(provider, tested, metadata),
  ])
  faults.push(...keys, ...client.faults)
  return { faults, notes: [...pkceNotes(metadata), ...client.notes] }
}

type ProviderFinding =
  Extract<TrialCode, `provider.${string}`> extends `provider.${infer Name}` ? Name : never

function createFinding(name: ProviderFinding, sentence: string): TrialFinding {
  return { code: `provider.${name}`, sentence }
}

function createPlainFinding(name: ProviderFinding): TrialFinding {
  return createFinding(name, TEST_RESULTS[`provider.${name}`].message)
}

function checkDocument(issuer: string, metadata: ProviderMetadata): TrialFinding[] {
  const faults: TrialFinding[] = []
  const fault = (name: ProviderFinding, sentence: string) => void faults.push(createFinding(name, sentence))
  const own = typeof metadata.issuer === 'string' ? metadata.issuer : ''
  if (own.replace(/\/$/, '') !== issuer)
    fault(
      'other_issuer',
      `The provider identifies itself as ${quoted(own)}, so its tokens are not valid for ${issuer}.`,
    )
  for (const name of ENDPOINTS) {
    const url = readUrl(metadata, name)
    if (url === null) fault('endpoint_missing', `The provider does not define ${name}.`)
    else if (issuer.startsWith('https:') && url.protocol !== 'https:')
      fault('endpoint_open', `The ${name} of the provider does not use https.`)
  }
  const lacks = (name: string, isSupported: (value: string) => boolean) => {
    const values = metadata[name]
    return Array.isArray(values) && !values.some((value) => typeof value === 'string' && isSupported(value))
  }
  if (lacks('code_challenge_methods_supported', (value) => value === 'S256'))
    faults.push(createPlainFinding('no_pkce'))
  if (lacks('response_types_supported', (value) => value === 'code'))
    fault('no_code_flow', 'The provider does not support the authorization code flow (response type “code”).')
  if (lacks('id_token_signing_alg_values_supported', (value) => /^(?:[REP]S\d{3}|EdDSA)$/.test(value)))
    faults.push(createPlainFinding('no_public_key'))
  if (lacks('scopes_supported', (value) => value === 'email'))
    fault('no_addresses', 'The provider does not provide email addresses (scope “email”).')
  return faults
}

function pkceNotes(metadata: ProviderMetadata): TrialFinding[] {
  return Array.isArray(metadata.code_challenge_methods_supported) ? [] : [createPlainFinding('pkce_unsaid')]
}

async function checkKeys(provider: Provider, metadata: ProviderMetadata): Promise<TrialFinding[]> {
  const url = readUrl(metadata, 'jwks_uri')
  if (url === null) return []
  const answer = await sendRequest(provider, url.href)
  if (typeof answer === 'string')
    return [createFinding('no_keys', `The keys of the provider cannot be read: ${url.href} ${answer}.`)]
  const keys = answer.json?.keys
  return answer.status === 200 && Array.isArray(keys) && keys.length > 0
    ? []
    : [createFinding('no_keys', `The provider has no keys at ${url.href}.`)]
}

/** Sends an invalid code: a provider that rejects the code has accepted the client. */
async function checkClient(
  provider: Provider,
  { clientId, clientSecret, redirectUrl }: TestedProvider,
  metadata: ProviderMetadata,
): Promise<ProviderTestResult> {
  const url = readUrl(metadata, 'token_endpoint')
  if (url === null) return { faults: [], notes: [] }
  const answer = await sendRequest(provider, url.href, {
    grant_type: 'authorization_code',
    code: 'octavo-connection-test',
    code_verifier: 'octavo-connection-test-without-a-person-behind-it',
    redirect_uri: redirectUrl,
    client_id: clientId,
    client_secret: clientSecret,
  })
  if (typeof answer === 'string')
    return {
      faults: [createFinding('no_tokens', `The token endpoint of the provider ${answer}.`)],
      notes: [],
    }
  const error = answer.json?.error
  if (error === 'invalid_client' || error === 'unauthorized_client' || answer.status === 401)
    return { faults: [createPlainFinding('client_refused')], notes: [] }
  if (error === 'invalid_grant') return { faults: [], notes: [] }
  return { faults: [], notes: [createPlainFinding('secret_unsaid')] }
}

function readUrl(metadata: ProviderMetadata, name: string): URL | null {
  const value = metadata[name]
  const url = typeof value === 'string' && value.length <= 2000 ? URL.parse(value) : null
  return url !== null && /^https?:$/.test(url.protocol) ? url : null
}

function quoted(text: string): string {
  return text === '' ? 'nothing' : `“${text.slice(0, 200)}”`
}

interface Answer {
  status: number
  /** Null when the body is not an object. */
  json: ProviderMetadata | null
}

/** Returns the response, or on failure the end of a message that begins with the URL. */
async function sendRequest(
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
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
    })
    return { status, json: parseObject(Buffer.from(body)) }
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error
    if (error.kind === 'too_large') return 'returns more than 256 KiB'
    if (error.kind === 'timeout') return `did not respond within ${TIMEOUT_MS / 1000} seconds`
    if (error.kind === 'refused') return `was not contacted: ${error.message.replace(/\.$/, '')}`
    return connectionFailure(error)
  }
}

function parseObject(bytes: Buffer): ProviderMetadata | null {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as ProviderMetadata)
      : null
  } catch {
    return null
  }
}

function connectionFailure(error: unknown): string {
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? `cannot be reached (${code})` : 'cannot be reached'
}
