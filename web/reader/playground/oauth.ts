/**
 * OAuth 2.0 from the page itself: client credentials, and authorization code with PKCE.
 *
 * The popup ends on a page of this site, which posts the response to a channel named after `state`. Only this tab has
 * that value, so other pages cannot receive the code. The code is useless without the verifier, which is only ever
 * sent to the token URL of the API description.
 */

import { base64, type TypedCredential } from '../../../src/openapi/credentials.ts'
import type { OAuthFlow } from '../../../src/openapi/playground-data.ts'

import { parseWebUrl } from './web-url.ts'

/** PKCE requires `crypto.subtle`, which needs a secure context, and a service can only redirect to http(s). */
export const CAN_SIGN_IN = location.protocol !== 'file:' && globalThis.crypto?.subtle !== undefined

export function getRedirectUrl(): string {
  const data =
    document.querySelector<HTMLLinkElement>('link[rel="octavo-playground-data"]')?.href ?? location.href
  return `${data.slice(0, data.indexOf('/_octavo/') + 1)}_octavo/signed-in.html`
}

/** Rejects with an Error whose message is the reason given by the service. */
export async function requestToken(
  flow: OAuthFlow,
  typed: TypedCredential,
  signal: AbortSignal,
): Promise<string> {
  const scope = (typed.scopes ?? flow.scopes.join(' ')).trim()
  if (flow.kind === 'clientCredentials') {
    return exchange(
      flow.tokenUrl,
      typed,
      { grant_type: 'client_credentials', ...(scope ? { scope } : {}) },
      signal,
    )
  }
  const verifier = randomText()
  const state = randomText()
  const redirect = getRedirectUrl()
  const address = new URL(flow.authorizationUrl ?? '')
  const asked = {
    response_type: 'code',
    client_id: typed.clientId ?? '',
    redirect_uri: redirect,
    state,
    code_challenge: await createChallenge(verifier),
    code_challenge_method: 'S256',
    ...(scope ? { scope } : {}),
  }
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
  const code = await receiveCode(address, state, signal)
  return exchange(
    flow.tokenUrl,
    typed,
    { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier },
    signal,
  )
}

export async function discover(address: string, signal: AbortSignal): Promise<OAuthFlow> {
  const response = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer', signal })
  const found = (await response.json()) as Record<string, unknown>
  const web = (value: unknown) => {
    const url = parseWebUrl(String(value ?? ''))
    if (url === null || /^ws/.test(url.protocol)) throw new Error(`${address}: ${String(value)}`)
    return url.href
  }
  return {
    kind: 'authorizationCode',
    authorizationUrl: web(found.authorization_endpoint),
    tokenUrl: web(found.token_endpoint),
    scopes: openIdScopes([]),
  }
}

/** Adds `openid`; without it, the request is plain OAuth. */
export function openIdScopes(scopes: readonly string[]): string[] {
  return ['openid', ...scopes.filter((one) => one !== 'openid')]
}

function receiveCode(address: URL, state: string, signal: AbortSignal): Promise<string> {
  const channel = new BroadcastChannel(`octavo-sign-in ${state}`)
  const opened = open(address, '_blank', 'popup,width=520,height=720')
  if (opened === null) {
    channel.close()
    return Promise.reject(new Error('popup_blocked'))
  }
  const answered = new Promise<string>((resolve, reject) => {
    channel.onmessage = ({ data }: MessageEvent<string>) => {
      const answer = new URLSearchParams(data)
      const code = answer.get('code')
      if (answer.get('state') !== state) return
      if (code) resolve(code)
      else reject(new Error(answer.get('error_description') ?? answer.get('error') ?? 'no code'))
    }
    // The popup may be isolated from this page, so its closing cannot be detected: the reader cancels or closes the
    // form.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return answered.finally(() => {
    channel.close()
    opened.close()
  })
}

/** Sends the client secret in the body, and in the header if the service rejects that. */
async function exchange(
  tokenUrl: string,
  { clientId = '', clientSecret = '' }: TypedCredential,
  fields: Record<string, string>,
  signal: AbortSignal,
): Promise<string> {
  const own = { client_id: clientId, ...(clientSecret ? { client_secret: clientSecret } : {}) }
  let answer = await post(tokenUrl, { ...fields, ...own }, {}, signal)
  if (answer.error === 'invalid_client' && clientSecret) {
    const header = base64(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)
    answer = await post(tokenUrl, fields, { Authorization: `Basic ${header}` }, signal)
  }
  if (typeof answer.access_token === 'string') return answer.access_token
  throw new Error(String(answer.error_description ?? answer.error ?? 'no access_token'))
}

async function post(
  address: string,
  fields: Record<string, string>,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { Accept: 'application/json', ...headers },
    body: new URLSearchParams(fields),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal,
  })
  try {
    return (await response.json()) as Record<string, unknown>
  } catch {
    return { error: `${response.status} ${response.statusText}` }
  }
}

function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
}

async function createChallenge(verifier: string): Promise<string> {
  return toBase64Url(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))),
  )
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (mark) => ({ '+': '-', '/': '_' })[mark] ?? '')
}
