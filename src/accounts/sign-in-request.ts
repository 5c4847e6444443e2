/** What the sign-in library gets to see of a request: the fields that an endpoint takes, and no cookie that skips codes. */
import { SIGN_IN_ENDPOINTS, type SignInEndpoint } from './sign-in-events.ts'

export interface SignInRequest {
  /** `sign-in/email`: below the mount, without a slash in front. Those that providers send people back to: `callback/sso`. */
  endpoint: string
  /** That sends people back: `sso`, or the id of an organization. */
  provider: string
  /** With the whole address; headers without those of proxies. */
  request: Request
  /** Parsed; undefined when there was none. */
  body: unknown
  /** Of the client. */
  address: string
}

/** The request as the library is to see it. */
export function sentRequest(asked: SignInRequest): Request {
  const { url, method, headers: received } = asked.request
  const headers = new Headers(received)
  const cookies = received.get('cookie')
  if (cookies !== null) headers.set('cookie', withoutTrust(cookies))
  if (method === 'GET') return new Request(url, { method, headers })
  return new Request(url, { method, headers, body: JSON.stringify(sentBody(asked)) })
}

/** No browser does without a code: a cookie of the library that says so is not passed on. */
function withoutTrust(cookies: string): string {
  return cookies
    .split(';')
    .filter((part) => !part.split('=', 1)[0]?.trim().endsWith('.trust_device'))
    .join(';')
}

/** What the endpoint takes, and no more. A changed password ends all other sessions, whatever the caller asked for. */
function sentBody({ endpoint, provider, body }: SignInRequest): object {
  const { fields = [] } = SIGN_IN_ENDPOINTS[endpoint] as SignInEndpoint
  const given = Object.entries(body ?? {}).filter(([name]) => fields.includes(name))
  const taken = Object.fromEntries(given)
  switch (endpoint) {
    case 'change-password':
      return { ...taken, revokeOtherSessions: true }
    case 'sign-in/social':
      // By the way through the provider alone: no token of it is taken from a caller, nor more scopes asked for.
      return { ...taken, provider, disableRedirect: true }
    default:
      return taken
  }
}
