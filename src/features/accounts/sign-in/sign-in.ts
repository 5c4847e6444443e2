/**
 * Sign-in by password, TOTP code, passkey and single sign-on. The library verifies credentials; this module decides
 * which of its endpoints are open, reads sessions, and records audit events.
 */

import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { NAME_CHARACTER_LIMITS } from '../../../base/api/form-limits.ts'
import { isLine } from '../../../base/api/line.ts'
import { DEFAULT_PROVIDER_NAME } from '../../../base/api/provider-name.ts'
import { AppError, assertNoFaults } from '../../../base/errors/errors.ts'
import { faultAt } from '../../../base/errors/fault.ts'
import { isDiskFull } from '../../../base/files/disk-full.ts'
import type { AddressGuard } from '../../../base/net/address-guard.ts'
import { createGuardedScope } from '../../../base/net/guarded-scope.ts'
import type { Database } from '../../../database/database.ts'
import type { Person } from '../../../routing/caller.ts'
import { hasOrganizationProviders } from '../organizations/organization-providers.ts'
import { requireFresh } from '../people/session-memberships.ts'
import { recordForPerson } from '../people/setup.ts'
import { checkPassword, findUser, findUserByEmail } from '../people/users.ts'
import { removeCodeFactor, removePasskey, requireProvedSecondFactor } from './second-factors.ts'
import { findProvedSession, findSessionByToken, type ProvedSession, recordProof } from './session-proofs.ts'
import { cookieName, isSecure, readCookie } from './sign-in-cookies.ts'
import { SIGN_IN_ENDPOINTS, type SignInEndpoint, type SignInEvent, toSignInEvent } from './sign-in-events.ts'
import { createLibraries, type LibrariesDeps, type SignInLibraries } from './sign-in-libraries.ts'
import type { SignInLibrary } from './sign-in-options.ts'
import {
  findFactorProviders,
  findUsableProvider,
  readSignInSettings,
  type SignInSettings,
  type SignInSettingsDeps,
} from './sign-in-settings.ts'
import { createSingleSignOnRules } from './single-sign-on.ts'
import { type SingleSignOn, SSO_PROVIDER } from './sso-provider.ts'

/** Maximum age of a cookie in browsers: 400 days. */
const COOKIE_SECONDS = 34_560_000

/** Number of accounts that a device cookie contains, the newest first. */
const MAX_ACCOUNTS = 8

const COOKIE_SHAPE = /^([\w-]{22})((?:\.[\w-]{22}){1,8})\.([\w-]{43})$/

export interface SignInDeps extends LibrariesDeps, SignInSettingsDeps {
  providerGuard: AddressGuard
}

export interface SignInMethods {
  password: boolean
  passkey: boolean
  sso: { name: string; byEmail?: true } | null
}

export interface SignIn {
  ways(): Promise<SignInMethods>
  devices: DeviceCookies
  /** The returned `cookies` extend a session that is in use. */
  personOf(cookie: string | undefined): Promise<{ person: Person | null; cookies: string[] }>
  /**
   * Returns the email address of the person who is signed in or still has to enter a code; null when there is none.
   */
  accountOf(cookie: string | undefined): Promise<string | null>
  /** Throws AppError `not_found` for an endpoint that is not open, `invalid_request` for a weak password. */
  handle(asked: SignInRequest): Promise<Response>
}

/** Endpoints that we handle ourselves; the library offers `verify-password` to server code only. */
const SELF_HANDLED_ENDPOINTS = new Set(['verify-password', 'two-factor/disable', 'passkey/delete-passkey'])

const SSO_ENDPOINTS = new Set(['sign-in/social', 'callback/sso'])

/** Returns the email address in the body if the endpoint checks a password; otherwise null. */
export function attemptedEmail(endpoint: string, body: unknown): string | null {
  const { email } = (body ?? {}) as { email?: unknown }
  return endpoint === 'sign-in/email' && typeof email === 'string' ? email : null
}

export function isSignInEndpoint(endpoint: string, method: string): boolean {
  return Object.hasOwn(SIGN_IN_ENDPOINTS, endpoint) && SIGN_IN_ENDPOINTS[endpoint]?.method === method
}

export function createSignIn(deps: SignInDeps): SignIn {
  const libraries = createLibraries(deps)
  const network = createGuardedScope(deps.providerGuard)
  const devices = createDeviceCookies(deps.secret, deps.publicUrl)
  const settings = () => readSignInSettings(deps.database.queries, deps)
  const personOf: SignIn['personOf'] = (cookie) => readSession(deps, libraries.plain, cookie)

  return {
    devices,
    async accountOf(cookie) {
      const { person } = await personOf(cookie)
      if (person !== null) return person.email
      const userId = await findHalfSignedInUser(deps, cookie)
      return userId === null ? null : ((await findUser(deps.database.queries, userId))?.email ?? null)
    },
    async ways() {
      const { isPasswordOpen, singleSignOn } = await settings()
      const byEmail = (await hasOrganizationProviders(deps.database.queries))
        ? { byEmail: true as const }
        : {}
      const isOffered = singleSignOn !== null || byEmail.byEmail === true
      const sso = isOffered ? { name: singleSignOn?.name ?? DEFAULT_PROVIDER_NAME, ...byEmail } : null
      return { password: isPasswordOpen, passkey: true, sso }
    },
    personOf,
    async handle(asked) {
      const { endpoint, request } = asked
      if (!isSignInEndpoint(endpoint, request.method)) throw new AppError('not_found')
      const open = await findEndpointProvider(deps, asked, await settings())
      const isSso = SSO_ENDPOINTS.has(endpoint)
      const cookie = request.headers.get('cookie') ?? undefined
      const before = endpoint === 'sign-in/email' || isSso ? null : (await personOf(cookie)).person
      const halfSignedIn = before === null ? await findHalfSignedInUser(deps, cookie) : null
      const session = before && (await findProvedSession(deps.database.queries, before.sessionId))
      await checkRequestPreconditions(deps, asked, before, session)
      if (endpoint === 'sign-in/social') await checkIdentityLink(deps, asked, await personOf(cookie))
      const answer = async () => {
        const library = await (open === null ? libraries.plain() : libraries.withProvider(open))
        return answerRequest(deps, library, { ...asked, provider: open?.id ?? SSO_PROVIDER }, before)
      }
      const response = await (isSso ? network.run(answer) : answer())
      const createdSession = await findNewSession(deps, response)
      const signedInUserId = createdSession?.userId ?? null
      if (response.ok || createdSession !== null) {
        const byProvider = endpoint === 'callback/sso' && open?.asksSecondFactor === true
        await recordProof(deps.database.queries, endpoint, {
          before: session,
          begun: createdSession,
          byProvider,
        })
      }
      if (endpoint === 'callback/sso') {
        const waiting = await findHalfSignedInUser(deps, buildCookieHeader(response))
        if (waiting !== null) redirectToCode(response)
        const userId = signedInUserId ?? waiting
        if (userId !== null) await admit(deps, open, userId)
      }
      const event = toSignInEvent({ endpoint, status: response.status, before, signedInUserId })
      if (event !== null) await record(deps, event, { asked, before, signedInUserId, halfSignedIn })
      const knownUserId = signedInUserId ?? (response.ok ? (before?.id ?? null) : null)
      return knownUserId === null
        ? response
        : await rememberDevice(deps, devices, response, cookie, knownUserId)
    },
  }
}

/** Adding or removing a passkey needs a fresh session. */
const FRESH_ENDPOINTS = new Set([
  'passkey/generate-register-options',
  'passkey/verify-registration',
  'passkey/delete-passkey',
])

/** Adding a second factor requires proof by an existing second factor. */
const FACTOR_ADDING_ENDPOINTS = new Set([
  'two-factor/enable',
  'two-factor/generate-backup-codes',
  'passkey/generate-register-options',
  'passkey/verify-registration',
])

const NAMING_ENDPOINTS = new Set(['update-user', 'passkey/verify-registration', 'passkey/update-passkey'])

function checkName(body: unknown): void {
  const { name } = (body ?? {}) as { name?: unknown }
  const isName = typeof name === 'string' && name.length <= NAME_CHARACTER_LIMITS.person && isLine(name)
  if (name !== undefined && !isName) assertNoFaults([faultAt('/name', 'one_line')])
}

/** Throws AppError `invalid_request` for a new password or a name, `session_not_fresh`, `second_factor_required`. */
async function checkRequestPreconditions(
  { database }: SignInDeps,
  { endpoint, body }: SignInRequest,
  before: Person | null,
  session: ProvedSession | null,
): Promise<void> {
  if (before === null || session === null) return
  if (endpoint === 'change-password') checkNewPassword(body, before)
  if (NAMING_ENDPOINTS.has(endpoint)) checkName(body)
  if (FRESH_ENDPOINTS.has(endpoint)) requireFresh(session)
  if (FACTOR_ADDING_ENDPOINTS.has(endpoint)) await requireProvedSecondFactor(database.queries, before)
}

/** Linking an identity needs a fresh session. Throws AppError `signed_out`, `session_not_fresh`. */
async function checkIdentityLink(
  { database }: SignInDeps,
  { body }: SignInRequest,
  { person }: { person: Person | null },
): Promise<void> {
  if ((body as { link?: unknown } | undefined)?.link !== true) return
  const session = person && (await findProvedSession(database.queries, person.sessionId))
  if (session === null) throw new AppError('signed_out')
  requireFresh(session)
}

/** Second factors are removed here under a lock, so that two concurrent calls cannot remove the last one. */
async function answerRequest(
  deps: SignInDeps,
  library: SignInLibrary,
  asked: SignInRequest,
  before: Person | null,
): Promise<Response> {
  const { endpoint, request, body } = asked
  if (before === null || !SELF_HANDLED_ENDPOINTS.has(endpoint))
    return library.handler(toLibraryRequest(asked))
  const { database } = deps
  const { id, password } = (body ?? {}) as { id?: unknown; password?: unknown }
  const enforcingProviders = await findFactorProviders(database.queries, deps)
  if (endpoint === 'passkey/delete-passkey')
    await removePasskey(database, {
      userId: before.id,
      passkeyId: String(id ?? ''),
      asking: enforcingProviders,
    })
  else {
    const { headers } = request
    const given = { password: typeof password === 'string' ? password : '' }
    const refusal = await library.api
      .verifyPassword({ headers, body: given, asResponse: true })
      .catch(() => Response.json({ code: 'INVALID_PASSWORD' }, { status: 400 }))
    if (!refusal.ok) return refusal
    if (endpoint === 'two-factor/disable')
      await removeCodeFactor(database, { userId: before.id, asking: enforcingProviders })
  }
  return Response.json({ status: true })
}

/** Returns the provider that the endpoint needs, or null. Throws AppError if that sign-in method is turned off. */
async function findEndpointProvider(
  deps: SignInDeps,
  { endpoint, provider, body }: SignInRequest,
  { singleSignOn, isPasswordOpen }: SignInSettings,
): Promise<SingleSignOn | null> {
  if (endpoint === 'sign-in/email' && !isPasswordOpen) throw new AppError('password_sign_in_off')
  if (!SSO_ENDPOINTS.has(endpoint)) return null
  const { queries } = deps.database
  const { email } = (body ?? {}) as { email?: unknown }
  const found =
    endpoint === 'callback/sso'
      ? provider === SSO_PROVIDER
        ? singleSignOn
        : await findUsableProvider(queries, deps, { organizationId: provider })
      : ((typeof email === 'string' ? await findUsableProvider(queries, deps, { email }) : null) ??
        singleSignOn)
  if (found === null) throw new AppError('not_found', { params: { reason: 'single_sign_on' } })
  return found
}

async function readSession(
  { publicUrl }: SignInDeps,
  libraryOf: SignInLibraries['plain'],
  cookie: string | undefined,
): ReturnType<SignIn['personOf']> {
  const name = cookieName(publicUrl(), 'session_token')
  if (cookie === undefined || readCookie(cookie, name) === null) return { person: null, cookies: [] }
  const library = await libraryOf()
  const headers = new Headers({ cookie })
  const fetchSession = (disableRefresh: boolean) =>
    library.api.getSession({ headers, query: { disableRefresh }, returnHeaders: true })
  // A session is extended once a day; with a full disk it is only read.
  const found = await fetchSession(false).catch((error) => {
    if (isDiskFull(error)) return fetchSession(true)
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

function checkNewPassword(body: unknown, person: Person): void {
  const { newPassword } = (body ?? {}) as { newPassword?: unknown }
  if (typeof newPassword === 'string') checkPassword(newPassword, person)
}

/** Adds the device cookie to the response, so that the browser is recognized later. */
async function rememberDevice(
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

/** After the provider's callback, redirects the browser to the code page. For accounts with TOTP codes. */
function redirectToCode({ headers }: Response): void {
  const to = headers.get('location') ?? '/'
  headers.set('location', `/sign-in?${new URLSearchParams({ code: '1', to })}`)
}

function buildCookieHeader(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0])
    .join('; ')
}

async function findNewSession(
  { database, publicUrl }: SignInDeps,
  response: Response,
): Promise<ProvedSession | null> {
  const value = readCookie(buildCookieHeader(response), cookieName(publicUrl(), 'session_token'))
  if (value === null || value === '') return null
  return findSessionByToken(database.queries, value.split('.', 1)[0] ?? '')
}

/** Finds the account whose password was correct and whose code is still missing. */
async function findHalfSignedInUser(
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

async function admit(
  { database }: SignInDeps,
  singleSignOn: SingleSignOn | null,
  userId: string,
): Promise<void> {
  const user = await findUser(database.queries, userId)
  if (user !== null) await createSingleSignOnRules(database, singleSignOn).admit(user)
}

interface SignInContext {
  asked: SignInRequest
  before: Person | null
  signedInUserId: string | null
  halfSignedIn: string | null
}

async function record(
  { database }: SignInDeps,
  { action, details }: SignInEvent,
  { asked, before, signedInUserId, halfSignedIn }: SignInContext,
): Promise<void> {
  const userId = signedInUserId ?? before?.id ?? halfSignedIn ?? (await attemptedAccount({ database }, asked))
  if (userId === null) return
  await database.transaction((tx) =>
    recordForPerson(tx, userId, { action, details: { ...details, address: asked.address } }),
  )
}

async function attemptedAccount(
  { database }: { database: Database },
  { endpoint, body }: SignInRequest,
): Promise<string | null> {
  const email = attemptedEmail(endpoint, body)
  return email === null ? null : ((await findUserByEmail(database.queries, email))?.id ?? null)
}

/** A request for the sign-in library, before it is reduced to the fields and cookies that its endpoint accepts. */
interface SignInRequest {
  /**
   * Path below the mount without leading slash, such as `sign-in/email`. `callback/sso` for callbacks of all providers.
   */
  endpoint: string
  /** Provider id of a callback: `sso`, or the id of an organization. */
  provider: string
  /** With the full URL; without proxy headers. */
  request: Request
  body: unknown
  address: string
}

function toLibraryRequest(asked: SignInRequest): Request {
  const { url, method, headers: received } = asked.request
  const headers = new Headers(received)
  const cookies = received.get('cookie')
  if (cookies !== null) headers.set('cookie', withoutTrustCookie(cookies))
  if (method === 'GET') return new Request(url, { method, headers })
  return new Request(url, { method, headers, body: JSON.stringify(filterBody(asked)) })
}

/** Drops the library's trusted-device cookie: every browser has to enter a code. */
function withoutTrustCookie(cookies: string): string {
  return cookies
    .split(';')
    .filter((part) => !part.split('=', 1)[0]?.trim().endsWith('.trust_device'))
    .join(';')
}

/** Returns only the fields that the endpoint accepts. A new password always ends all other sessions. */
function filterBody({ endpoint, provider, body }: SignInRequest): object {
  const { fields = [] } = SIGN_IN_ENDPOINTS[endpoint] as SignInEndpoint
  const given = Object.entries(body ?? {}).filter(([name]) => fields.includes(name))
  const filteredFields = Object.fromEntries(given)
  switch (endpoint) {
    case 'change-password':
      return { ...filteredFields, revokeOtherSessions: true }
    case 'sign-in/social':
      // Provider tokens from the caller are dropped, and no further scopes are requested.
      return { ...filteredFields, provider, disableRedirect: true }
    default:
      return filteredFields
  }
}

/**
 * Device cookies, after OWASP's "Slow Down Online Guessing Attacks with Device Cookies": a browser that has signed in
 * before has its own limit for attempts, which others cannot use up. The cookie proves nothing else.
 */
interface DeviceCookies {
  findDevice(cookieHeader: string | undefined, email: string): string | null
  remember(cookieHeader: string | undefined, email: string): string
}

interface Device {
  id: string
  accounts: string[]
}

/** `secret` is the node's secret; `publicUrl` has no trailing slash. */
function createDeviceCookies(secret: string, publicUrl: () => string): DeviceCookies {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'octavo devices', 32))
  const name = () => cookieName(publicUrl(), 'device')
  const read = (header: string | undefined) => readDevice(key, readCookie(header, name()))
  return {
    findDevice(header, email) {
      const device = read(header)
      return device?.accounts.includes(hashAccount(key, email)) ? device.id : null
    },
    remember(header, email) {
      const device = read(header) ?? { id: randomBytes(16).toString('base64url'), accounts: [] }
      const account = hashAccount(key, email)
      const accounts = [account, ...device.accounts.filter((known) => known !== account)]
      const value = writeDevice(key, { id: device.id, accounts: accounts.slice(0, MAX_ACCOUNTS) })
      const secure = isSecure(publicUrl()) ? '; Secure' : ''
      return `${name()}=${value}; Max-Age=${COOKIE_SECONDS}; Path=/; HttpOnly${secure}; SameSite=Lax`
    },
  }
}

function readDevice(key: Buffer, text: string | null): Device | null {
  const [, id, accounts, tag] = COOKIE_SHAPE.exec(text ?? '') ?? []
  if (id === undefined || accounts === undefined || tag === undefined) return null
  const expectedTag = computeTag(key, id + accounts)
  if (!timingSafeEqual(Buffer.from(tag), Buffer.from(expectedTag))) return null
  return { id, accounts: accounts.slice(1).split('.') }
}

function writeDevice(key: Buffer, { id, accounts }: Device): string {
  const body = [id, ...accounts].join('.')
  return `${body}.${computeTag(key, body)}`
}

function computeTag(key: Buffer, body: string): string {
  return createHmac('sha256', key).update(`device\n${body}`).digest('base64url')
}

/** Hashes the address, so that the cookie does not reveal it. */
function hashAccount(key: Buffer, email: string): string {
  const digest = createHmac('sha256', key).update(`account\n${email.trim().toLowerCase()}`).digest()
  return digest.subarray(0, 16).toString('base64url')
}
