/** Mounts the sign-in endpoints with our rate limits, our body parsing and our error format. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Limit } from '../../../base/api/limits.ts'
import { AppError, type ErrorCode } from '../../../base/errors/errors.ts'
import type { Database } from '../../../database/database.ts'
import { limitReached } from '../../../routing/rate-limit-headers.ts'
import type { ReceivedBody } from '../../../routing/request-body.ts'
import { JSON_TYPE, pathOf } from '../../../routing/request-parts.ts'
import { attemptedEmail, isSignInEndpoint, type SignIn } from '../sign-in/sign-in.ts'
import { ADDRESS_HEADER, PASSKEY_UNVERIFIED, SIGN_IN_PATH } from '../sign-in/sign-in-options.ts'
import { consumeSignInAttempt } from '../sign-in/sign-in-throttle.ts'
import { SSO_PROVIDER } from '../sign-in/sso-provider.ts'

export interface SignInRouteDeps {
  database: Database
  limits: Readonly<Record<'signIns', Limit>>
  signIn: SignIn
  publicUrl: () => string
}

const SIGN_IN_MOUNT_PATH = `${SIGN_IN_PATH}/`

/** Endpoints where a password or a code can be guessed. */
const GUESSABLE_ENDPOINTS = new Set([
  'sign-in/email',
  'sign-in/social',
  'change-password',
  'verify-password',
  'two-factor/enable',
  'two-factor/disable',
  'two-factor/generate-backup-codes',
  'two-factor/verify-totp',
  'two-factor/verify-backup-code',
  'passkey/verify-authentication',
])

/** Endpoints that accept a code, which could be guessed. */
const CODE_ENDPOINTS = new Set(['two-factor/verify-totp', 'two-factor/verify-backup-code'])

export function addSignInRoutes(app: FastifyInstance, deps: SignInRouteDeps): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${SIGN_IN_MOUNT_PATH}*`,
    handler: (request, reply) => handleSignIn(deps, request, reply),
  })
}

async function handleSignIn(
  deps: SignInRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = pathOf(request).slice(SIGN_IN_MOUNT_PATH.length)
  const [, organizationId] = /^callback\/(org_[0-9a-z]{1,60})$/.exec(path) ?? []
  const endpoint = organizationId === undefined ? path : 'callback/sso'
  if (!isSignInEndpoint(endpoint, request.method)) throw new AppError('not_found')
  const body = (request.body as ReceivedBody | undefined)?.json
  if (GUESSABLE_ENDPOINTS.has(endpoint)) await limitGuesses(deps, endpoint, request, body)
  const provider = organizationId ?? SSO_PROVIDER
  const signInRequest = {
    endpoint,
    provider,
    request: toWebRequest(deps, request),
    body,
    address: request.ip,
  }
  const response = await deps.signIn.handle(signInRequest)
  for (const cookie of response.headers.getSetCookie()) reply.header('Set-Cookie', cookie)
  if (response.status >= 300 && response.status < 400) {
    return reply
      .code(response.status)
      .header('Location', response.headers.get('location') ?? '/')
      .send()
  }
  const text = await response.text()
  if (response.status >= 400) throw toAppError(deps, response.status, text)
  return reply.code(response.status).header('Content-Type', JSON_TYPE).send(text)
}

async function limitGuesses(
  { database, limits, signIn }: SignInRouteDeps,
  endpoint: string,
  request: FastifyRequest,
  body: unknown,
): Promise<void> {
  const { cookie } = request.headers
  const account =
    endpoint === 'sign-in/email' ? attemptedEmail(endpoint, body) : await signIn.accountOf(cookie)
  const device = account === null ? null : signIn.devices.findDevice(cookie, account)
  const { signIns: limit } = limits
  const what = CODE_ENDPOINTS.has(endpoint) ? 'code' : 'password'
  const attempt = { address: request.ip, account, device, what } as const
  const verdict = await consumeSignInAttempt(database.queries, limit, attempt)
  if (!verdict.accepted) throw limitReached({ ...verdict, name: 'signIns', seconds: limit.seconds })
}

/** Sets the headers that describe the origin of a request, because the client's headers are not trusted. */
function toWebRequest({ publicUrl }: SignInRouteDeps, request: FastifyRequest): Request {
  const headers = new Headers()
  for (const name of FORWARDED_HEADERS) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  headers.set(ADDRESS_HEADER, request.ip)
  return new Request(`${publicUrl()}${request.url}`, { method: request.method, headers })
}

const FORWARDED_HEADERS = [
  'cookie',
  'origin',
  'referer',
  'user-agent',
  'accept',
  'content-type',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
]

/** Maps a failure to an Octavo error code. Failures without a code are passed on as details. */
function toAppError({ publicUrl }: SignInRouteDeps, status: number, text: string): AppError {
  const { message, code } = parse(text)
  if (code === 'INVALID_ORIGIN') {
    return new AppError('cross_site_refused', { params: { reason: 'url', url: publicUrl() } })
  }
  const known = typeof code === 'string' ? LIBRARY_ERROR_CODES[code] : undefined
  if (known !== undefined) return new AppError(known)
  const details =
    typeof code === 'string' && typeof message === 'string' ? [{ message, code: code.toLowerCase() }] : []
  return new AppError(CODES_OF_STATUS[status] ?? 'sign_in_refused', { details })
}

/** Fallbacks for failures without a code below: an invalid body, or a foreign origin. */
const CODES_OF_STATUS: Record<number, ErrorCode> = { 400: 'invalid_request', 403: 'cross_site_refused' }

const LIBRARY_ERROR_CODES: Record<string, ErrorCode> = {
  INVALID_EMAIL_OR_PASSWORD: 'wrong_credentials',
  INVALID_PASSWORD: 'wrong_password',
  INVALID_CODE: 'wrong_code',
  INVALID_BACKUP_CODE: 'wrong_recovery_code',
  INVALID_TWO_FACTOR_COOKIE: 'sign_in_expired',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'too_many_codes',
  ACCOUNT_TEMPORARILY_LOCKED: 'account_locked',
  SESSION_NOT_FRESH: 'session_not_fresh',
  UNAUTHORIZED: 'signed_out',
  PASSKEY_NOT_FOUND: 'unknown_passkey',
  [PASSKEY_UNVERIFIED]: 'passkey_unverified',
}

function parse(text: string): { message?: unknown; code?: unknown } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
