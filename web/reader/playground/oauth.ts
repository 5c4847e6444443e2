/**
 * Tokens by OAuth 2.0, from the page itself: client credentials, and authorization code with PKCE.
 *
 * The window of the service ends on a page of this site, which tells the answer on a channel whose name is the `state`:
 * only this tab knows it, so no other page hears the code. The code is worth nothing without the verifier, which never
 * leaves this tab but for the token address of the description.
 */

import { base64, type TypedCredential } from '../../../src/openapi/credentials.ts'
import type { OAuthFlow } from '../../../src/openapi/playground-data.ts'

import { webUrl } from './web-url.ts'

/** PKCE needs a digest, which browsers give to secure pages; a service can only come back to http. */
export const CAN_SIGN_IN = location.protocol !== 'file:' && globalThis.crypto?.subtle !== undefined

/** Where services send the reader back to. */
export function redirectAddress(): string {
  const data =
    document.querySelector<HTMLLinkElement>('link[rel="octavo-playground-data"]')?.href ?? location.href
  return `${data.slice(0, data.indexOf('/_octavo/') + 1)}_octavo/signed-in.html`
}

/** Rejects with an Error whose message is the service's reason. */
export async function askForToken(
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
  const redirect = redirectAddress()
  const address = new URL(flow.authorizationUrl ?? '')
  const asked = {
    response_type: 'code',
    client_id: typed.clientId ?? '',
    redirect_uri: redirect,
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    ...(scope ? { scope } : {}),
  }
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
  const code = await codeFrom(address, state, signal)
  return exchange(
    flow.tokenUrl,
    typed,
    { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier },
    signal,
  )
}

/** Both flows of a service that describes itself. */
export async function discover(address: string, signal: AbortSignal): Promise<OAuthFlow> {
  const response = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer', signal })
  const found = (await response.json()) as Record<string, unknown>
  const web = (value: unknown) => {
    const url = webUrl(String(value ?? ''))
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

/** Without the first one it is OAuth and no more. */
export function openIdScopes(scopes: readonly string[]): string[] {
  return ['openid', ...scopes.filter((one) => one !== 'openid')]
}

function codeFrom(address: URL, state: string, signal: AbortSignal): Promise<string> {
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
    // A window that the service has cut off from this page cannot be watched: the reader gives up, or closes the form.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return answered.finally(() => {
    channel.close()
    opened.close()
  })
}

/** The client's secret goes in the body; services that want it in a header say so by refusing the client. */
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
  return urlSafe(crypto.getRandomValues(new Uint8Array(32)))
}

async function challengeOf(verifier: string): Promise<string> {
  return urlSafe(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

function urlSafe(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (mark) => ({ '+': '-', '/': '_' })[mark] ?? '')
}
