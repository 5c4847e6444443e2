/** Filters a request for the sign-in library: only the fields that its endpoint takes, and no cookie that skips codes. */
import { SIGN_IN_ENDPOINTS, type SignInEndpoint } from './sign-in-events.ts'

export interface SignInRequest {
  /** Path below the mount without its first slash, such as `sign-in/email`. Callbacks of every provider are `callback/sso`. */
  endpoint: string
  /** Id of the provider of a callback: `sso`, or the id of an organization. */
  provider: string
  /** With the whole address; headers without those of proxies. */
  request: Request
  /** Parsed; undefined when there was none. */
  body: unknown
  /** IP address of the client. */
  address: string
}

export function sentRequest(asked: SignInRequest): Request {
  const { url, method, headers: received } = asked.request
  const headers = new Headers(received)
  const cookies = received.get('cookie')
  if (cookies !== null) headers.set('cookie', withoutTrust(cookies))
  if (method === 'GET') return new Request(url, { method, headers })
  return new Request(url, { method, headers, body: JSON.stringify(sentBody(asked)) })
}

/** Drops the library's cookie that trusts a browser: every browser is asked for a code. */
function withoutTrust(cookies: string): string {
  return cookies
    .split(';')
    .filter((part) => !part.split('=', 1)[0]?.trim().endsWith('.trust_device'))
    .join(';')
}

/** Only fields that the endpoint takes. A changed password ends all other sessions, whatever the caller asked for. */
function sentBody({ endpoint, provider, body }: SignInRequest): object {
  const { fields = [] } = SIGN_IN_ENDPOINTS[endpoint] as SignInEndpoint
  const given = Object.entries(body ?? {}).filter(([name]) => fields.includes(name))
  const taken = Object.fromEntries(given)
  switch (endpoint) {
    case 'change-password':
      return { ...taken, revokeOtherSessions: true }
    case 'sign-in/social':
      // No token of the provider is taken from the caller, and no further scopes are requested.
      return { ...taken, provider, disableRedirect: true }
    default:
      return taken
  }
}
