/** Configures GitHub's client library, and obtains tokens of GitHub Apps. */
import { ForgeError } from './forge.ts'
import { refusalStatus } from './forge-errors.ts'
import type { ForgeLocation } from './forge-location.ts'
import { callForge, type ForgeFetch } from './forge-request.ts'

export interface GithubApp {
  appId: string
  /** PEM. */
  privateKey: string
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

export function octokitOptions(location: ForgeLocation, fetch: ForgeFetch) {
  const isHosted = location.apiOrigin.startsWith('https://api.')
  return {
    baseUrl: isHosted ? location.apiOrigin : `${location.apiOrigin}/api/v3`,
    request: { fetch },
    userAgent: 'octavo',
    log: silent,
  }
}

/** Time for which a token is reused. Tokens are valid for 60 minutes, which leaves enough time for any use. */
const TOKEN_REUSE_MS = 40 * 60_000

/** Tokens by app, then by host and repository. */
const tokenCache = new WeakMap<GithubApp, Map<string, { token: string; until: number }>>()

/**
 * Returns a token for this single repository, for the API and for git, valid for at least another 15 minutes. Rejects
 * with ForgeError.
 */
export async function installationToken(
  location: ForgeLocation,
  app: GithubApp,
  signal: AbortSignal,
): Promise<string> {
  const appTokens = tokenCache.get(app) ?? new Map()
  tokenCache.set(app, appTokens)
  const name = `${location.host}/${location.path}`
  const known = appTokens.get(name)
  if (known !== undefined && known.until > performance.now()) return known.token
  const token = await createInstallationToken(location, app, signal)
  appTokens.set(name, { token, until: performance.now() + TOKEN_REUSE_MS })
  return token
}

async function createInstallationToken(
  location: ForgeLocation,
  app: GithubApp,
  signal: AbortSignal,
): Promise<string> {
  const [owner = '', repo = ''] = location.path.split('/')
  const appLocation = { ...location, credential: APP_CREDENTIAL }
  try {
    return await callForge(appLocation, signal, async (fetch) => {
      const [{ Octokit }, { createAppAuth }] = await Promise.all([
        import('@octokit/rest'),
        import('@octokit/auth-app'),
      ])
      const octokit = new Octokit({
        ...octokitOptions(location, fetch),
        authStrategy: createAppAuth,
        auth: { appId: app.appId, privateKey: app.privateKey },
      })
      const installation = await octokit.rest.apps.getRepoInstallation({ owner, repo })
      const answer = await octokit.rest.apps.createInstallationAccessToken({
        installation_id: installation.data.id,
        repositories: [repo],
        permissions: { contents: 'write', pull_requests: 'write' },
      })
      return answer.data.token
    })
  } catch (error) {
    // Requesting more permissions than granted fails with the same status as an invalid request.
    if (error instanceof ForgeError && refusalStatus(error) === 422)
      throw new ForgeError('credentials_refused', `${error.message} ${APP_CREDENTIAL.needs}`)
    throw error
  }
}

const APP_CREDENTIAL = {
  name: 'GitHub App',
  needs:
    'The app must be installed for the repository, with read and write access to Contents and to Pull requests.',
}
