/** The library of sign-in, made when it is first needed: it is large, and a node that nobody signs in to does without it. */
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
  /** Of the node. */
  secret: string
  /** Without a slash at the end; asked when first needed, since it may follow the port. */
  publicUrl: () => string
}

export interface SignInLibraries {
  /** Without single sign-on. */
  plain(): Promise<SignInLibrary>
  /** Made anew when the provider is another one. Throws AppError `sign_in_unavailable`. */
  withProvider(singleSignOn: SingleSignOn): Promise<SignInLibrary>
}

/** Each has asked its provider once, and holds what it said. */
const MOST_OPEN = 50
const PROVIDER_MILLISECONDS = 10_000

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
    max: MOST_OPEN,
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
        return await needProvider(await make(singleSignOn))
      })
      known.set(singleSignOn.id, { stamp, open })
      return open()
    },
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
