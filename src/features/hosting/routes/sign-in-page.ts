/** Sign-in of readers to a private site: by a password, a signed link, or the organization's sign-in. */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SITE_PASSWORD_LENGTHS } from '../../../base/api/form-limits.ts'
import type { Limit } from '../../../base/api/limits.ts'
import { AppError } from '../../../base/errors/errors.ts'
import type { Database } from '../../../database/database.ts'
import { withHead } from '../../../routing/method-refusals.ts'
import { verifyPassword } from '../../accounts/sign-in/password.ts'
import { readCookie } from '../../accounts/sign-in/sign-in-cookies.ts'
import { consumeSignInAttempt } from '../../accounts/sign-in/sign-in-throttle.ts'
import { type EntranceOptions, entranceResponse, signOutPage } from '../access/reader-refusal.ts'
import type { ReaderClaim, ReaderTokens } from '../access/reader-token.ts'
import { findHostedSite, type HostedSite, type ReaderGate, readerCookieName } from '../access/site-access.ts'
import { passwordHashes } from '../access/site-passes.ts'
import {
  ACCESS_ENTER_PATH,
  ACCESS_LEAVE_PATH,
  ACCESS_MEMBERS_PATH,
  ACCESS_PATH,
  OPEN_SITE_PATH,
} from '../operations/site-access.ts'
import { hostName, sendSiteResponse } from '../serve/host-routing.ts'
import { isSecureSite } from '../serve/site-origin.ts'
import type { SiteResponse } from '../serve/site-request.ts'

export interface SiteAccessRouteDeps {
  database: Database
  limits: Readonly<Record<'signIns', Limit>>
  readerTokens: ReaderTokens
  gate: ReaderGate
  publicUrl: () => string
  previewDomain: () => string | null
}

const BODY_LIMIT_BYTES = 16 << 10
const PASSWORD_SESSION_SECONDS = 7 * 24 * 3600
const MEMBER_SESSION_SECONDS = 12 * 3600
const STATE_SECONDS = 600
const stateCookie = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}octavo.reader-state`

interface Visit {
  site: HostedSite
  host: string
  to: string
  isSecure: boolean
  acceptLanguage: string
}

export function addSiteAccessRoutes(app: FastifyInstance, deps: SiteAccessRouteDeps): void {
  app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
    )
    const add = (method: 'GET' | 'POST', url: string, answer: Answer) =>
      hooks.route({
        method: withHead(method),
        url,
        bodyLimit: BODY_LIMIT_BYTES,
        async handler(request, reply) {
          const visit = await resolveVisit(deps, request)
          return sendSiteResponse(request, reply, await answer(deps, visit, request, reply))
        },
      })
    add('GET', ACCESS_PATH, showSignInPage)
    add('POST', ACCESS_PATH, tryPassword)
    add('GET', ACCESS_MEMBERS_PATH, redirectToDashboard)
    add('GET', ACCESS_ENTER_PATH, redeemTicket)
    add('POST', ACCESS_LEAVE_PATH, signReaderOut)
  })
}

type Answer = (
  deps: SiteAccessRouteDeps,
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<SiteResponse>

/** Throws AppError `not_found` for a host without a site, `cross_site_refused` for another origin's form. */
async function resolveVisit(
  { database, publicUrl, previewDomain }: SiteAccessRouteDeps,
  request: FastifyRequest,
): Promise<Visit> {
  const host = hostName(request.host)
  const site = await findHostedSite(database.queries, host, previewDomain())
  if (site === undefined || site.isDeleted) throw new AppError('not_found')
  const { origin } = request.headers
  if (request.method === 'POST' && origin !== undefined && URL.parse(origin)?.host !== request.host)
    throw new AppError('cross_site_refused')
  const { to } = readFields(request)
  const acceptLanguage = request.headers['accept-language'] ?? ''
  const isSecure = isSecureSite(publicUrl(), host)
  return { site, host, to: safePath(to), isSecure, acceptLanguage }
}

function readFields({ body, query }: FastifyRequest): Record<string, unknown> {
  const fields = body instanceof URLSearchParams ? Object.fromEntries(body) : {}
  return { ...(query as Record<string, unknown>), ...fields }
}

const MAX_PATH_CHARACTERS = 2000

/** Returns a path on this site; `/` for any invalid value, which prevents redirects to other sites. */
function safePath(to: unknown): string {
  if (typeof to !== 'string' || to.length > MAX_PATH_CHARACTERS) return '/'
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(to) && !to.startsWith(ACCESS_PATH) ? to : '/'
}

/** Signs the reader in if the URL is a signed link, which can be used repeatedly until it expires. */
async function showSignInPage(
  deps: SiteAccessRouteDeps,
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SiteResponse> {
  const { link } = readFields(request)
  if (typeof link === 'string') {
    const claim = deps.readerTokens.read(visit.site.projectId, link)
    if (claim !== null && visit.site.access.passes.some(({ id }) => id === claim.id))
      return signReaderIn(deps, visit, claim, reply)
    return signInResponse(visit, 401, 'entranceLinkEnded')
  }
  const reader = await deps.gate.admit(visit.site, { ...request.headers, host: visit.host })
  return reader?.isKnown === true ? signOutPage(visit) : signInResponse(visit, 200)
}

async function signInResponse(
  { site: { access }, host, to, acceptLanguage }: Visit,
  status: 200 | 401 | 429,
  wrong?: EntranceOptions['wrong'],
): Promise<SiteResponse> {
  const hasPassword = access.passes.some(({ kind }) => kind === 'password')
  const { admitsMembers } = access
  const page = { host, to, hasPassword, admitsMembers, acceptLanguage }
  return entranceResponse(status, wrong === undefined ? page : { ...page, wrong })
}

/** Shares the rate limit of sign-ins; each site counts as an account. */
async function tryPassword(
  deps: SiteAccessRouteDeps,
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SiteResponse> {
  const { projectId } = visit.site
  const { queries } = deps.database
  const tried = { address: request.ip, account: `site ${projectId}`, device: null, what: 'password' } as const
  const verdict = await consumeSignInAttempt(queries, deps.limits.signIns, tried)
  if (!verdict.accepted) {
    const answer = await signInResponse(visit, 429, 'entranceTooMany')
    return { ...answer, headers: { ...answer.headers, 'retry-after': String(verdict.retryAfterSeconds) } }
  }
  const { password } = readFields(request)
  if (typeof password === 'string' && password.length <= SITE_PASSWORD_LENGTHS.most)
    for (const { id, hash } of await passwordHashes(queries, projectId))
      if (await verifyPassword(password, hash)) {
        const expiresAt = Date.now() + PASSWORD_SESSION_SECONDS * 1000
        return signReaderIn(deps, visit, { kind: 'pass', id, expiresAt }, reply)
      }
  return signInResponse(visit, 401, 'entranceWrongPassword')
}

async function signReaderIn(
  { readerTokens }: SiteAccessRouteDeps,
  { site, to, isSecure }: Visit,
  claim: ReaderClaim,
  reply: FastifyReply,
): Promise<SiteResponse> {
  const seconds = Math.floor((claim.expiresAt - Date.now()) / 1000)
  const value = readerTokens.sign(site.projectId, claim)
  setCookie(reply, { name: readerCookieName(isSecure), value, seconds, isSecure })
  return redirectResponse(to)
}

/** The state prevents an attacker from signing a browser in with the attacker's own ticket. */
async function redirectToDashboard(
  { publicUrl }: SiteAccessRouteDeps,
  { host, to, isSecure }: Visit,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<SiteResponse> {
  const state = randomBytes(24).toString('base64url')
  const cookie = { name: stateCookie(isSecure), value: state, seconds: STATE_SECONDS, isSecure }
  setCookie(reply, cookie)
  return redirectResponse(`${publicUrl()}${OPEN_SITE_PATH}?${new URLSearchParams({ host, state, to })}`)
}

async function redeemTicket(
  deps: SiteAccessRouteDeps,
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SiteResponse> {
  const { ticket } = readFields(request)
  const state = readCookie(request.headers.cookie, stateCookie(visit.isSecure))
  const claim =
    typeof ticket === 'string' && state !== null
      ? deps.readerTokens.read(visit.site.projectId, ticket, ticketUse(state))
      : null
  if (claim === null || claim.kind !== 'member') return signInResponse(visit, 401, 'entranceSignInAgain')
  return signReaderIn(deps, visit, { ...claim, expiresAt: Date.now() + MEMBER_SESSION_SECONDS * 1000 }, reply)
}

export function ticketUse(state: string): string {
  return `ticket ${state}`
}

async function signReaderOut(
  _deps: SiteAccessRouteDeps,
  { isSecure }: Visit,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<SiteResponse> {
  setCookie(reply, { name: readerCookieName(isSecure), value: '', seconds: 0, isSecure })
  return redirectResponse('/')
}

function redirectResponse(location: string): SiteResponse {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return { status: 303, headers, body: null }
}

interface Cookie {
  name: string
  value: string
  seconds: number
  isSecure: boolean
}

function setCookie(reply: FastifyReply, { name, value, seconds, isSecure }: Cookie): void {
  const secure = isSecure ? '; Secure' : ''
  reply.header('Set-Cookie', `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly${secure}; SameSite=Lax`)
}
