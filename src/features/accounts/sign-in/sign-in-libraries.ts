/** Loads the sign-in library on first use, because it is large and not needed on nodes where nobody signs in. */
import { hkdfSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../../base/errors/errors.ts'
import type { Log } from '../../../base/log.ts'
import type { Database } from '../../../database/database.ts'
import type { SignInLibrary } from './sign-in-options.ts'
import { bindIssuer } from './sign-in-settings.ts'
import { createSingleSignOnRules } from './single-sign-on.ts'
import { type SingleSignOn, SSO_PROVIDER } from './sso-provider.ts'

export interface LibrariesDeps {
  database: Database
  log: Log
  secret: string
  /** Without a trailing slash; evaluated on first use, since it may depend on the port. */
  publicUrl: () => string
}

export interface SignInLibraries {
  /** Without single sign-on. */
  plain(): Promise<SignInLibrary>
  /** Rebuilt when the provider changes. Throws AppError `sign_in_unavailable`. */
  withProvider(singleSignOn: SingleSignOn): Promise<SignInLibrary>
}

/** Maximum number of libraries with a provider in memory; each holds its provider's metadata. */
const MAX_OPEN_LIBRARIES = 50
const PROVIDER_TIMEOUT_MS = 10_000

export function createLibraries(deps: LibrariesDeps): SignInLibraries {
  const { log, database, publicUrl } = deps
  const secret = Buffer.from(hkdfSync('sha256', deps.secret, '', 'octavo sign-in', 32)).toString('hex')
  const make = async (singleSignOn: SingleSignOn | null): Promise<SignInLibrary> => {
    const { createLibrary } = await import('./sign-in-options.ts')
    const rules = createSingleSignOnRules(database, singleSignOn)
    const { queries } = database
    return createLibrary({ queries, log, secret, publicUrl: publicUrl(), singleSignOn, rules })
  }
  const known = new LRUCache<string, { stamp: string; open: () => Promise<SignInLibrary> }>({
    max: MAX_OPEN_LIBRARIES,
  })
  return {
    plain: once(() => make(null)),
    withProvider(singleSignOn) {
      const stamp = JSON.stringify(singleSignOn)
      const before = known.get(singleSignOn.id)
      if (before?.stamp === stamp) return before.open()
      const open = once(async () => {
        if (singleSignOn.id === SSO_PROVIDER)
          await database.transaction((tx) => bindIssuer(tx, singleSignOn.issuer, { keepsUnknown: true }))
        return await requireProvider(await make(singleSignOn))
      })
      known.set(singleSignOn.id, { stamp, open })
      return open()
    },
  }
}

/** Caches the result of `make`; a failure is not cached. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let cachedValue: Promise<Made> | null = null
  return () => {
    cachedValue ??= make().catch((error) => {
      cachedValue = null
      throw error
    })
    return cachedValue
  }
}

/**
 * Throws AppError `sign_in_unavailable` when the library has dropped its provider, which it could not reach at
 * start-up; the next request rebuilds it.
 */
async function requireProvider(library: SignInLibrary): Promise<SignInLibrary> {
  const unavailable = () =>
    new AppError('sign_in_unavailable', {
      params: { reason: 'provider' },
    })
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable()), PROVIDER_TIMEOUT_MS)
  const context = await Promise.race([library.$context, late]).finally(() => clearTimeout(timer))
  if (context.socialProviders.length === 0) throw unavailable()
  return library
}
