/** The mount of the sign-in endpoints: limits, the body as we read bodies, and answers in our error shape. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isSignInEndpoint, type SignIn } from '../../../accounts/sign-in.ts'
import { takeSignInPlace } from '../../../accounts/sign-in-throttle.ts'
import { AppError } from '../../../contract/errors.ts'
import type { Limit, LimitName } from '../../../contract/limits.ts'
import type { Database } from '../../../database/database.ts'
import { limitReached } from '../../rate-headers.ts'
import type { ReceivedBody } from '../../request-body.ts'
import { JSON_TYPE, pathOf } from '../../request-parts.ts'

export interface SignInRouteDeps {
  database: Database
  limits: Record<LimitName, Limit>
  signIn: SignIn
  publicUrl: () => string
}

const MOUNT = '/auth/'

/** Where a password or a code is tried. */
const GUESSABLE = new Set([
  'sign-in/email',
  'sign-in/social',
  'change-password',
  'two-factor/enable',
  'two-factor/disable',
  'two-factor/generate-backup-codes',
  'two-factor/verify-totp',
  'two-factor/verify-backup-code',
  'passkey/verify-authentication',
])

export function addSignInRoutes(app: FastifyInstance, deps: SignInRouteDeps): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${MOUNT}*`,
    handler: (request, reply) => answer(deps, request, reply),
  })
}

async function answer(
  deps: SignInRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const endpoint = pathOf(request).slice(MOUNT.length)
  if (!isSignInEndpoint(endpoint, request.method)) throw new AppError('not_found')
  const body = (request.body as ReceivedBody | undefined)?.json
  if (GUESSABLE.has(endpoint)) await limitGuesses(deps, request, body)
  const asked = { endpoint, request: forwarded(deps, request), body, address: request.ip }
  const response = await deps.signIn.handle(asked)
  for (const cookie of response.headers.getSetCookie()) reply.header('Set-Cookie', cookie)
  if (response.status >= 300 && response.status < 400) {
    return reply
      .code(response.status)
      .header('Location', response.headers.get('location') ?? '/')
      .send()
  }
  const text = await response.text()
  const sent = response.status < 400 ? text : JSON.stringify(refusalOf(text))
  return reply.code(response.status).header('Content-Type', JSON_TYPE).send(sent)
}

async function limitGuesses(
  { database, limits, signIn }: SignInRouteDeps,
  request: FastifyRequest,
  body: unknown,
): Promise<void> {
  const { email } = (body ?? {}) as { email?: unknown }
  const { person } = await signIn.personOf(request.headers.cookie)
  const account = typeof email === 'string' ? email : (person?.email ?? null)
  const { signIns: limit } = limits
  const verdict = await takeSignInPlace(database.queries, limit, { address: request.ip, account })
  if (!verdict.accepted) throw limitReached({ ...verdict, name: 'signIns', seconds: limit.seconds })
}

/** Headers that say where a request comes from are set by us: strangers' ones are not believed. */
function forwarded({ publicUrl }: SignInRouteDeps, request: FastifyRequest): Request {
  const headers = new Headers()
  for (const name of PASSED_ON) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  headers.set('x-octavo-client-address', request.ip)
  return new Request(`${publicUrl()}${request.url}`, { method: request.method, headers })
}

const PASSED_ON = [
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

/** `code` is the library's word for the fault, which does not change with the sentence. */
function refusalOf(text: string): { error: string; code: string | null } {
  const { message, code } = parse(text)
  const error = typeof message === 'string' && message !== '' ? message : 'Signing in was refused'
  return { error: `${error.replace(/\.$/, '')}.`, code: typeof code === 'string' ? code : null }
}

function parse(text: string): { message?: unknown; code?: unknown } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
