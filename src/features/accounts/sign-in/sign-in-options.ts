/**
 * Configures the sign-in library with our tables, passwords and rules. Loaded separately: the library is large, and a
 * node starts without it.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { OAuthProvider } from '@better-auth/core/oauth2'
import { safeJSONParse } from '@better-auth/core/utils/json'
import { passkey } from '@better-auth/passkey'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError, addOAuthServerContext, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { NAME_CHARACTER_LIMITS } from '../../../base/api/form-limits.ts'
import { toLine } from '../../../base/api/line.ts'
import { createId } from '../../../base/ids.ts'
import type { Log } from '../../../base/log.ts'
import type { Queries } from '../../../database/database.ts'
import { hashPassword, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, verifyPassword } from './password.ts'
import { SESSION_RENEWAL_SECONDS, SESSION_SECONDS } from './sessions.ts'
import { cookiePrefix, isSecure } from './sign-in-cookies.ts'
import type { SingleSignOnRules } from './single-sign-on.ts'
import type { SingleSignOn } from './sso-provider.ts'

const CODE_STEP_MS = 30_000

/** Time steps that the library accepts, and one more, because its clock may advance before it checks. */
const ACCEPTED_STEP_OFFSETS = [-1, 0, 1, 2]

export const SIGN_IN_PATH = '/auth'

/** Client address as the server determines it; headers sent by clients are not trusted. */
export const ADDRESS_HEADER = 'x-octavo-client-address'

export interface LibraryDeps {
  queries: Queries
  log: Log
  /** Signs cookies and encrypts second factors. */
  secret: string
  /** Without a trailing slash. */
  publicUrl: string
  singleSignOn: SingleSignOn | null
  rules: SingleSignOnRules
}

export type SignInLibrary = ReturnType<typeof createLibrary>

export function createLibrary(deps: LibraryDeps) {
  return betterAuth({
    appName: 'Octavo',
    baseURL: deps.publicUrl,
    basePath: SIGN_IN_PATH,
    secret: deps.secret,
    database: { db: deps.queries, type: 'postgres', transaction: true },
    trustedOrigins: [deps.publicUrl, ...loopbackOrigins(deps.publicUrl)],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }) => verifyPassword(password, hash),
      },
    },
    ...tableNames(deps.singleSignOn),
    user: {
      ...tableNames(deps.singleSignOn).user,
      async validateUserInfo({ user, source }, context) {
        const { action, oauth } = source
        const identity = {
          email: String(user.email ?? ''),
          emailVerified: oauth?.profile?.email_verified,
          userId: action === 'create-user' ? null : String(user.id),
        }
        const session = action === 'link-account' ? await getSessionFromCtx(context) : null
        const error = await deps.rules.refuse({ ...identity, action, sessionId: session?.session.id ?? null })
        return error === null ? undefined : { error }
      },
    },
    // Attempts are limited by our own rate limits, which apply across processes.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: libraryLog(deps.log),
    onAPIError: { errorURL: `${deps.publicUrl}/sign-in` },
    // We never call the provider on behalf of a person, so none of its tokens is stored.
    databaseHooks: { account: { create: { before: withoutTokens }, update: { before: withoutTokens } } },
    advanced: {
      // The library's own prefix would be `__Secure-`, which other hosts of the domain can plant.
      cookiePrefix: cookiePrefix(deps.publicUrl),
      useSecureCookies: false,
      defaultCookieAttributes: {
        httpOnly: true,
        secure: isSecure(deps.publicUrl),
        sameSite: 'lax',
        path: '/',
      },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: ({ model }) => createId(ID_PREFIXES[model] ?? 'crd') },
    },
    plugins: plugins(deps),
  })
}

function plugins({ publicUrl, singleSignOn, queries }: LibraryDeps) {
  return [
    createTwoFactorHook(singleSignOn, queries),
    passkey({
      rpID: new URL(publicUrl).hostname,
      rpName: 'Octavo',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      registration: {
        afterVerification: async ({ verification }) =>
          requireVerified(verification.registrationInfo?.userVerified ?? false),
      },
      authentication: {
        afterVerification: async ({ verification }) =>
          requireVerified(verification.authenticationInfo.userVerified),
      },
      origin: [publicUrl, ...loopbackOrigins(publicUrl)],
      schema: {
        passkey: {
          modelName: 'passkeys',
          fields: {
            publicKey: 'public_key',
            userId: 'user_id',
            credentialID: 'credential_id',
            deviceType: 'device_type',
            backedUp: 'backed_up',
            createdAt: 'created_at',
          },
        },
      },
    }),
    ...(singleSignOn === null
      ? []
      : [createProviderPlugin(singleSignOn), bindStatesToProvider(singleSignOn)]),
  ]
}

/** TOTP codes are required after a password, and after a provider that itself requires no second factor. */
function createTwoFactorHook(singleSignOn: SingleSignOn | null, queries: Queries) {
  const codes = twoFactor({
    issuer: 'Octavo',
    // Wrong codes are limited by our own rate limits, which lock out no accounts.
    accountLockout: { enabled: false },
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'second_factors',
        fields: {
          userId: 'user_id',
          backupCodes: 'recovery_codes',
          failedVerificationCount: 'failed_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  })
  const paths = ['/sign-in/email', ...(singleSignOn?.asksSecondFactor === false ? ['/callback/:id'] : [])]
  for (const hook of codes.hooks.after) hook.matcher = ({ path }) => paths.includes(path ?? '')
  const before = [{ matcher: isCodeShown, handler: requireUnusedCode(queries) }]
  return { ...codes, hooks: { ...codes.hooks, before } }
}

const isCodeShown = ({ path }: { path?: string | undefined }) => path === '/two-factor/verify-totp'

/**
 * Rejects a code that was already used. Finds the account by the library's cookies: the session, or the sign-in that is
 * waiting for its code.
 */
function requireUnusedCode(queries: Queries) {
  return createAuthMiddleware(async (ctx) => {
    const { context, body } = ctx
    const session = await getSessionFromCtx(ctx)
    const pendingSignIn =
      session === null &&
      (await ctx.getSignedCookie(context.createAuthCookie('two_factor').name, context.secret))
    const userId =
      session?.user.id ??
      (pendingSignIn && (await context.internalAdapter.findVerificationValue(pendingSignIn))?.value)
    if (!userId || typeof body?.code !== 'string') return
    const factor = await queries
      .selectFrom('second_factors')
      .select('secret')
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (factor === undefined) return
    const secret = await symmetricDecrypt({ key: context.secretConfig, data: factor.secret })
    if (!(await consumeCodeStep(queries, { userId, secret, code: body.code })))
      throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'The code has already been used' })
  })
}

export const PASSKEY_UNVERIFIED = 'PASSKEY_UNVERIFIED'

/** A passkey replaces password and code together, so possession of the device alone must not be enough. */
function requireVerified(isVerified: boolean): void {
  if (isVerified) return
  throw new APIError('UNAUTHORIZED', {
    code: PASSKEY_UNVERIFIED,
    message: 'The passkey was used without user verification',
  })
}

function createProviderPlugin({ id, issuer, clientId, clientSecret }: SingleSignOn) {
  const plugin = genericOAuth({
    config: [
      {
        providerId: id,
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        requireIdTokenVerification: true,
        clientId,
        clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        disableProviderLogout: true,
        mapProfileToUser: (profile) => ({
          name: toLine(
            String(profile.name || profile.preferred_username || profile.email || ''),
            NAME_CHARACTER_LIMITS.person,
          ),
        }),
      },
    ],
  })
  const init: typeof plugin.init = async (context) => {
    const initialized = await plugin.init(context)
    for (const provider of initialized.context.socialProviders) requireIdToken(provider)
    return initialized
  }
  return { ...plugin, init }
}

/** Requires an id token that expires, because the library also accepts responses without such a token. */
function requireIdToken(provider: OAuthProvider): void {
  const { idToken, validateAuthorizationCode } = provider
  if (idToken !== undefined && 'jwks' in idToken)
    idToken.verifyClaims = ({ exp, iat }) => Number.isFinite(exp) && Number.isFinite(iat)
  provider.validateAuthorizationCode = async (data) => {
    const tokens = await validateAuthorizationCode.call(provider, data)
    return tokens?.idToken ? tokens : null
  }
}

/**
 * Binds each state to its provider: otherwise a code could be sent to the token endpoint of a provider that did not
 * issue it.
 */
function bindStatesToProvider({ id }: SingleSignOn) {
  return {
    id: 'provider-of-state',
    hooks: {
      before: [
        {
          matcher: ({ path }: { path?: string | undefined }) => path === '/sign-in/social',
          handler: createAuthMiddleware(() => addOAuthServerContext({ provider: id })),
        },
        {
          matcher: ({ path }: { path?: string | undefined }) => path === '/callback/:id',
          handler: createAuthMiddleware(async ({ query, context, redirect }) => {
            const stored = await context.internalAdapter.findVerificationValue(String(query?.state))
            if (!stored) return
            const state = safeJSONParse<{ serverContext?: { provider?: unknown } }>(stored.value)
            if (state?.serverContext?.provider === id) return
            throw redirect(`${context.options.onAPIError?.errorURL}?error=state_mismatch`)
          }),
        },
      ],
    },
  }
}

function tableNames(singleSignOn: SingleSignOn | null) {
  const times = { createdAt: 'created_at', updatedAt: 'updated_at' }
  return {
    user: { modelName: 'users', fields: { ...times, emailVerified: 'email_verified' } },
    session: {
      modelName: 'sessions',
      fields: {
        ...times,
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'address',
        userAgent: 'user_agent',
      },
      expiresIn: SESSION_SECONDS,
      updateAge: SESSION_RENEWAL_SECONDS,
      // `session-proofs.ts` tracks freshness, so that a proof of identity renews it without a new session.
      freshAge: 0,
    },
    account: {
      modelName: 'credentials',
      fields: {
        ...times,
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
      },
      accountLinking: {
        // Whether an identity may be linked is decided by `validateUserInfo`.
        trustedProviders: singleSignOn === null ? [] : [singleSignOn.id],
        requireLocalEmailVerified: false,
      },
    },
    verification: { modelName: 'verifications', fields: { ...times, expiresAt: 'expires_at' } },
  }
}

const ID_PREFIXES: Record<string, 'usr' | 'ses'> = {
  user: 'usr',
  users: 'usr',
  session: 'ses',
  sessions: 'ses',
}

async function withoutTokens<Row extends object>(row: Row) {
  return { data: { ...row, accessToken: null, refreshToken: null, idToken: null } }
}

/** Returns the same port on the other local host names, for people who open 127.0.0.1 instead of localhost. */
function loopbackOrigins(publicUrl: string): string[] {
  const { protocol, hostname, port } = new URL(publicUrl)
  if (protocol !== 'http:' || !['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return []
  return ['localhost', '127.0.0.1'].map((name) => `http://${name}${port === '' ? '' : `:${port}`}`)
}

/** Library messages may contain email addresses and objects with tokens: only the text of errors is logged. */
function libraryLog(log: Log): BetterAuthOptions['logger'] {
  return {
    // No level is set: with one, the library also writes rejections to the console.
    disableColors: true,
    log: (level, message) => {
      if (level === 'error') log.warn({ reason: message.slice(0, 300) }, 'sign_in.fault')
    },
  }
}

// TOTP codes are single-use (RFC 6238, 5.2): the step is claimed before the library checks the code.

/** Returns false when the step of the code, or a later one, was claimed before; true also for a wrong code. */
async function consumeCodeStep(
  db: Queries,
  { userId, secret, code }: { userId: string; secret: string; code: string },
): Promise<boolean> {
  const now = Math.floor(Date.now() / CODE_STEP_MS)
  const step = ACCEPTED_STEP_OFFSETS.map((ahead) => now + ahead).find((at) =>
    isCode(code, computeCode(secret, at)),
  )
  if (step === undefined) return true
  const consumed = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
    .returning('id')
    .executeTakeFirst()
  return consumed !== undefined
}

function isCode(given: string, expected: string): boolean {
  const bytes = Buffer.from(given)
  return bytes.length === expected.length && timingSafeEqual(bytes, Buffer.from(expected))
}

function computeCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) as number) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
