/** Tokens of GitHub Apps: https://docs.github.com/rest/apps/apps#create-an-installation-access-token-for-an-app */
import { sign } from 'node:crypto'
import { ForgeError } from './forge.ts'
import { refusalStatus } from './forge-errors.ts'
import type { ForgeLocation } from './forge-location.ts'
import { callForge, type ForgeCall } from './forge-request.ts'

export interface GithubApp {
  appId: string
  /** In PEM format. */
  privateKey: string
}

/** Time for which a token is reused. Tokens are valid for 60 minutes, so at least 20 minutes remain. */
const TOKEN_REUSE_MS = 40 * 60_000
/** Lifetime of the app's own token (first) and allowance for clock skew (second), in seconds. */
const APP_TOKEN_SECONDS = 540
const CLOCK_SKEW_SECONDS = 60

/** Tokens by app, then by host and repository. */
const tokenCache = new WeakMap<GithubApp, Map<string, { token: string; until: number }>>()

/**
 * Returns a token for this repository only, for the API and git, valid for at least another 15 minutes.
 * Rejects with ForgeError.
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
  const token = await createInstallationToken({ ...location, credential: APP_CREDENTIAL }, app, signal)
  appTokens.set(name, { token, until: performance.now() + TOKEN_REUSE_MS })
  return token
}

async function createInstallationToken(
  location: ForgeLocation,
  app: GithubApp,
  signal: AbortSignal,
): Promise<string> {
  const authorization = `Bearer ${appToken(app)}`
  const call = <Out>(request: Omit<ForgeCall, 'authorization'>, read: (answer: never) => Out) =>
    callForge(location, { ...request, authorization }, read, signal)
  const id = await call(
    { route: `GET /repos/${location.path}/installation` },
    (installation: { id: number }) => installation.id,
  )
  const ask = (permissions: Record<string, 'write'>) =>
    call(
      {
        route: `POST /app/installations/${id}/access_tokens`,
        body: { repositories: [location.path.split('/')[1]], permissions },
      },
      ({ token }: { token: string }) => token,
    )
  try {
    return await ask({ ...PERMISSIONS, statuses: 'write' }).catch((error: unknown) => {
      if (!lacksPermission(error)) throw error
      return ask(PERMISSIONS)
    })
  } catch (error) {
    if (!lacksPermission(error)) throw error
    throw new ForgeError('credentials_refused', `${error.message} ${APP_CREDENTIAL.needs}`)
  }
}

/** GitHub uses the same status for permissions that are not granted and for invalid requests. */
function lacksPermission(error: unknown): error is ForgeError {
  return refusalStatus(error) === 422
}

/** Required permissions; reports of previews also need `statuses`. */
const PERMISSIONS = { contents: 'write', pull_requests: 'write' } as const

function appToken({ appId, privateKey }: GithubApp): string {
  const iat = Math.floor(Date.now() / 1000) - CLOCK_SKEW_SECONDS
  const claims = { iss: appId, iat, exp: iat + CLOCK_SKEW_SECONDS + APP_TOKEN_SECONDS }
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`
}

const APP_CREDENTIAL = {
  name: 'GitHub App',
  needs:
    'The app must be installed for the repository, with read and write access to Contents and to Pull requests.',
}
