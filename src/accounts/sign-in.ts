/**
 * People sign in: password, code by time, passkey, single sign-on. The library does the proving; this says which of its
 * endpoints are open, reads sessions, and writes down what happened.
 */
import { hkdfSync } from 'node:crypto'
import { isDiskFull } from '../base/disk-full.ts'
import type { Log } from '../base/log.ts'
import { AppError } from '../contract/errors.ts'
import type { Database } from '../database/database.ts'
import { createDeviceCookies, type DeviceCookies } from './device-cookie.ts'
import { recordForPerson } from './setup.ts'
import { cookieName, readCookie } from './sign-in-cookies.ts'
import { eventOf, SIGN_IN_ENDPOINTS, type SignInEvent } from './sign-in-events.ts'
import type { SignInLibrary } from './sign-in-options.ts'
import { createSingleSignOnRules, type SingleSignOn } from './single-sign-on.ts'
import { checkPassword, findUser, findUserByEmail } from './users.ts'

export interface SignInDeps {
  database: Database
  log: Log
  /** Of the node. */
  secret: string
  /** Without a slash at the end; asked when first needed, since it may follow the port. */
  publicUrl: () => string
  singleSignOn: SingleSignOn | null
}

/** Who is signed in. */
export interface Person {
  id: string
  name: string
  email: string
  twoFactorEnabled: boolean
  sessionId: string
}

export interface SignInRequest {
  /** `sign-in/email`: below the mount, without a slash in front. */
  endpoint: string
  /** With the whole address; headers without those of proxies. */
  request: Request
  /** Parsed; undefined when there was none. */
  body: unknown
  /** Of the client. */
  address: string
}

export interface SignIn {
  ways: { password: boolean; passkey: boolean; sso: { name: string } | null }
  devices: DeviceCookies
  /** `cookies` to set keep a session that is in use from ending. */
  personOf(cookie: string | undefined): Promise<{ person: Person | null; cookies: string[] }>
  /** E-mail address of whose password was right while the code is still to come; null: of nobody. */
  halfSignedIn(cookie: string | undefined): Promise<string | null>
  /** Throws AppError: `not_found` for an endpoint that is not open, `invalid_request` for a password that is too easy. */
  handle(asked: SignInRequest): Promise<Response>
}

/** Of single sign-on: they wait for the provider, so nobody else's sign-in may wait with them. */
const SSO_ENDPOINTS = new Set(['sign-in/social', 'callback/sso'])
const PROVIDER_MILLISECONDS = 10_000

export function isSignInEndpoint(endpoint: string, method: string): boolean {
  return Object.hasOwn(SIGN_IN_ENDPOINTS, endpoint) && SIGN_IN_ENDPOINTS[endpoint]?.method === method
}

export function createSignIn(deps: SignInDeps): SignIn {
  const rules = createSingleSignOnRules(deps.database, deps.singleSignOn)
  const libraries = createLibraries(deps, rules)
  const devices = createDeviceCookies(deps.secret, deps.publicUrl)
  const personOf: SignIn['personOf'] = (cookie) => readSession(deps, libraries.plain, cookie)

  return {
    devices,
    async halfSignedIn(cookie) {
      const userId = await halfSignedInUser(deps, cookie)
      return userId === null ? null : ((await findUser(deps.database.queries, userId))?.email ?? null)
    },
    ways: {
      password: true,
      passkey: true,
      sso: deps.singleSignOn === null ? null : { name: deps.singleSignOn.name },
    },
    personOf,
    async handle(asked) {
      const { endpoint, request } = asked
      if (!isSignInEndpoint(endpoint, request.method)) throw new AppError('not_found')
      const isSso = SSO_ENDPOINTS.has(endpoint)
      if (isSso && deps.singleSignOn === null) throw new AppError('not_found')
      const cookie = request.headers.get('cookie') ?? undefined
      const before = endpoint === 'sign-in/email' || isSso ? null : (await personOf(cookie)).person
      const halfSignedIn = before === null ? await halfSignedInUser(deps, cookie) : null
      if (endpoint === 'change-password' && before !== null) checkNewPassword(asked.body, before)
      const library = await (isSso ? libraries.withProvider() : libraries.plain())
      const response = await library.handler(withBody(asked))
      const signedInUserId = await userOfNewSession(deps, response)
      if (endpoint === 'callback/sso' && signedInUserId !== null) await admit(deps, rules, signedInUserId)
      const event = eventOf({ endpoint, status: response.status, before, signedInUserId })
      if (event !== null) await record(deps, event, { asked, before, signedInUserId, halfSignedIn })
      const knownUserId = signedInUserId ?? (response.ok ? (before?.id ?? null) : null)
      return knownUserId === null ? response : await remembered(deps, devices, response, cookie, knownUserId)
    },
  }
}

type SingleSignOnRules = ReturnType<typeof createSingleSignOnRules>
type MadeLibrary = () => Promise<SignInLibrary>

/** Each made when it is first needed: the library is large, and a node that nobody signs in to does without it. */
function createLibraries(
  deps: SignInDeps,
  rules: SingleSignOnRules,
): { plain: MadeLibrary; withProvider: MadeLibrary } {
  const { log, database, publicUrl } = deps
  const secret = Buffer.from(hkdfSync('sha256', deps.secret, '', 'octavo sign-in', 32)).toString('hex')
  const make = async (singleSignOn: SingleSignOn | null): Promise<SignInLibrary> => {
    const { createLibrary } = await import('./sign-in-options.ts')
    return createLibrary({
      queries: database.queries,
      log,
      secret,
      publicUrl: publicUrl(),
      singleSignOn,
      rules,
    })
  }
  return {
    plain: once(() => make(null)),
    withProvider: once(async () => needProvider(await make(deps.singleSignOn))),
  }
}

async function readSession(
  { publicUrl }: SignInDeps,
  libraryOf: MadeLibrary,
  cookie: string | undefined,
): ReturnType<SignIn['personOf']> {
  const name = cookieName(publicUrl(), 'session_token')
  if (cookie === undefined || readCookie(cookie, name) === null) return { person: null, cookies: [] }
  const library = await libraryOf()
  const headers = new Headers({ cookie })
  const look = (disableRefresh: boolean) =>
    library.api.getSession({ headers, query: { disableRefresh }, returnHeaders: true })
  // Once a day a session is written on; with a full disk it is only read.
  const found = await look(false).catch((error) => {
    if (isDiskFull(error)) return look(true)
    throw error
  })
  if (found.response === null) return { person: null, cookies: [] }
  const { user, session } = found.response
  const { id, name: called, email } = user
  const { twoFactorEnabled } = user as { twoFactorEnabled?: boolean | null }
  return {
    person: { id, name: called, email, twoFactorEnabled: twoFactorEnabled ?? false, sessionId: session.id },
    cookies: found.headers?.getSetCookie() ?? [],
  }
}

/** Makes it once, and again after a failure. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | null = null
  return () => {
    made ??= make().catch((error) => {
      made = null
      throw error
    })
    return made
  }
}

/** The library leaves out a provider that it could not ask at its start; then it is made anew for the next who comes. */
async function needProvider(library: SignInLibrary): Promise<SignInLibrary> {
  const unavailable = () =>
    new AppError('sign_in_unavailable', {
      sentence: 'The provider of single sign-on cannot be reached. Try again shortly.',
    })
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable()), PROVIDER_MILLISECONDS)
  const context = await Promise.race([library.$context, late]).finally(() => clearTimeout(timer))
  if (context.socialProviders.length === 0) throw unavailable()
  return library
}

function checkNewPassword(body: unknown, person: Person): void {
  const { newPassword } = (body ?? {}) as { newPassword?: unknown }
  if (typeof newPassword === 'string') checkPassword(newPassword, person)
}

/** The body as the library is to see it: a changed password ends all other sessions, whatever the caller asked for. */
function withBody({ endpoint, request, body }: SignInRequest): Request {
  if (request.method === 'GET') return request
  const { url, method, headers } = request
  return new Request(url, { method, headers, body: JSON.stringify(sentBody(endpoint, body ?? {})) })
}

function sentBody(endpoint: string, body: object): object {
  switch (endpoint) {
    case 'change-password':
      return { ...body, revokeOtherSessions: true }
    case 'sign-in/social': {
      // By the way through the provider alone: no token of it is taken from a caller, nor more scopes asked for.
      const { callbackURL, errorCallbackURL } = body as Record<string, unknown>
      return { provider: 'sso', callbackURL, errorCallbackURL, disableRedirect: true }
    }
    default:
      return body
  }
}

/** A browser that has signed in is known from then on. */
async function remembered(
  { database }: SignInDeps,
  devices: DeviceCookies,
  response: Response,
  cookie: string | undefined,
  userId: string,
): Promise<Response> {
  const user = await findUser(database.queries, userId)
  if (user !== null) response.headers.append('Set-Cookie', devices.remember(cookie, user.email))
  return response
}

async function userOfNewSession(
  { database, publicUrl }: SignInDeps,
  response: Response,
): Promise<string | null> {
  const name = `${cookieName(publicUrl(), 'session_token')}=`
  const cookie = response.headers.getSetCookie().find((text) => text.startsWith(name))
  const value = cookie === undefined ? null : readCookie(cookie.split(';', 1)[0], name.slice(0, -1))
  if (value === null || value === '') return null
  const session = await database.queries
    .selectFrom('sessions')
    .select('user_id')
    .where('token', '=', value.split('.', 1)[0] ?? '')
    .executeTakeFirst()
  return session?.user_id ?? null
}

/** Whose password was right while the code is still to come. */
async function halfSignedInUser(
  { database, publicUrl }: SignInDeps,
  cookie: string | undefined,
): Promise<string | null> {
  const value = readCookie(cookie, cookieName(publicUrl(), 'two_factor'))
  if (value === null) return null
  const waiting = await database.queries
    .selectFrom('verifications')
    .select('value')
    .where('identifier', '=', value.split('.', 1)[0] ?? '')
    .executeTakeFirst()
  return waiting?.value ?? null
}

async function admit({ database }: SignInDeps, rules: SingleSignOnRules, userId: string): Promise<void> {
  const user = await findUser(database.queries, userId)
  if (user !== null) await rules.admit(user)
}

interface Happened {
  asked: SignInRequest
  before: Person | null
  signedInUserId: string | null
  halfSignedIn: string | null
}

async function record(
  { database }: SignInDeps,
  { action, details }: SignInEvent,
  { asked, before, signedInUserId, halfSignedIn }: Happened,
): Promise<void> {
  const userId =
    signedInUserId ?? before?.id ?? halfSignedIn ?? (await accountTried({ database }, asked.body))
  if (userId === null) return
  await database.transaction((tx) =>
    recordForPerson(tx, userId, { action, details: { ...details, address: asked.address } }),
  )
}

async function accountTried({ database }: { database: Database }, body: unknown): Promise<string | null> {
  const { email } = (body ?? {}) as { email?: unknown }
  if (typeof email !== 'string') return null
  return (await findUserByEmail(database.queries, email))?.id ?? null
}
