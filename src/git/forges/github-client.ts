/** Configures GitHub's client library, and obtains tokens of GitHub Apps. */
import { ForgeError } from './forge.ts'
import type { ForgePlace } from './forge-place.ts'
import { refusedWith } from './forge-refusal.ts'
import { askForge, type ForgeFetch } from './forge-request.ts'

export interface GithubApp {
  appId: string
  /** PEM. */
  privateKey: string
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

export function octokitOptions(place: ForgePlace, fetch: ForgeFetch) {
  const isHosted = place.apiOrigin.startsWith('https://api.')
  return {
    baseUrl: isHosted ? place.apiOrigin : `${place.apiOrigin}/api/v3`,
    request: { fetch },
    userAgent: 'octavo',
    log: silent,
  }
}

/** Time for which a token is reused. Tokens are valid for 60 minutes, which leaves enough time for any use. */
const REUSE_MS = 40 * 60_000

/** Tokens by app, then by host and repository. */
const kept = new WeakMap<GithubApp, Map<string, { token: string; until: number }>>()

/**
 * Returns a token for this single repository, for the API and for git, valid for at least another 15 minutes. Rejects
 * with ForgeError.
 */
export async function installationToken(
  place: ForgePlace,
  app: GithubApp,
  signal: AbortSignal,
): Promise<string> {
  const ofApp = kept.get(app) ?? new Map()
  kept.set(app, ofApp)
  const name = `${place.host}/${place.path}`
  const known = ofApp.get(name)
  if (known !== undefined && known.until > performance.now()) return known.token
  const token = await createInstallationToken(place, app, signal)
  ofApp.set(name, { token, until: performance.now() + REUSE_MS })
  return token
}

async function createInstallationToken(
  place: ForgePlace,
  app: GithubApp,
  signal: AbortSignal,
): Promise<string> {
  const [owner = '', repo = ''] = place.path.split('/')
  const asked = { ...place, credential: APP_CREDENTIAL }
  try {
    return await askForge(asked, signal, async (fetch) => {
      const [{ Octokit }, { createAppAuth }] = await Promise.all([
        import('@octokit/rest'),
        import('@octokit/auth-app'),
      ])
      const octokit = new Octokit({
        ...octokitOptions(place, fetch),
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
    if (error instanceof ForgeError && refusedWith(error) === 422)
      throw new ForgeError('credentials_refused', `${error.message} ${APP_CREDENTIAL.needs}`)
    throw error
  }
}

const APP_CREDENTIAL = {
  name: 'GitHub App',
  needs:
    'The app must be installed for the repository, with read and write access to Contents and to Pull requests.',
}
