/** Routes of an organization's tokens for git hosts, which can be set and tested but not read. */

import { ForgeError } from '../../../git/forges/forge.ts'
import { type TokenTestSettings, tryToken } from '../../../git/forges/test-token.ts'
import type { Handlers } from '../../../routing/handler.ts'
import { createConcurrencyLimit } from '../../accounts/settings/concurrency-limit.ts'
import * as credentials from '../git-credentials.ts'
import type {
  GIT_CREDENTIAL_OPERATIONS,
  GitCredential,
  GitTokenTrial,
} from '../operations/git-credentials.ts'
import { type GitLocation, gitPrefixText } from '../operations/git-prefix.ts'

type GitCredentialRouteDeps = credentials.GitCredentialDeps & {
  tokenTrials: TokenTestSettings
}

const MAX_CONCURRENT_TESTS = 4
const TEST_TIMEOUT_MS = 15_000

/** No response contains a token. */
export function gitCredentialHandlers(
  deps: GitCredentialRouteDeps,
): Handlers<typeof GIT_CREDENTIAL_OPERATIONS> {
  const throughGate = createConcurrencyLimit(MAX_CONCURRENT_TESTS)
  return {
    async listGitCredentials({ db, caller }) {
      const found = await credentials.listGitCredentials(db, caller.organizationId)
      return { body: { credentials: found.map(toGitCredential) } }
    },
    async createGitCredential({ tx, caller: { organizationId, id: actor }, body }) {
      const created = await credentials.createGitCredential(deps, tx, { ...body, organizationId, actor })
      return { body: toGitCredential(created) }
    },
    async testGitCredential({ body }) {
      const location = credentials.checkGitCredential(body)
      const trial = await throughGate(() => testToken(deps, location, body.token))
      const details = { accepted: trial.failure === null }
      return { body: trial, audit: { subject: gitPrefixText(location), details } }
    },
    async replaceGitCredential({ tx, caller: { organizationId, id: actor }, params, body }) {
      const wanted = { ...params, ...body, organizationId, actor }
      return { body: toGitCredential(await credentials.replaceGitCredential(deps, tx, wanted)) }
    },
    async deleteGitCredential({ tx, caller: { organizationId, id: actor }, params }) {
      const deleted = await credentials.deleteGitCredential(tx, { ...params, organizationId, actor })
      return { body: toGitCredential(deleted) }
    },
  }
}

/** Returns the forge's response; a rejected token is not an error of the request. */
async function testToken(
  { tokenTrials }: GitCredentialRouteDeps,
  location: GitLocation,
  token: string,
): Promise<GitTokenTrial> {
  const late = AbortSignal.timeout(TEST_TIMEOUT_MS)
  try {
    return { ...(await tryToken(location, token, tokenTrials, late)), failure: null }
  } catch (error) {
    const nothing = { repositories: [], isPartial: false }
    if (error instanceof ForgeError)
      return {
        ...nothing,
        failure: {
          code: `forge.${error.reason}`,
          sentence: error.message,
          isRefused: error.reason === 'credentials_refused',
        },
      }
    if (!late.aborted) throw error
    const sentence = `${location.host} did not respond within ${TEST_TIMEOUT_MS / 1000} seconds.`
    return { ...nothing, failure: { code: 'forge.unreachable', sentence, isRefused: false } }
  }
}

function toGitCredential(credential: credentials.GitCredential): GitCredential {
  return {
    ...credential,
    createdAt: credential.createdAt.toISOString(),
    replacedAt: credential.replacedAt?.toISOString() ?? null,
    lastUsedAt: credential.lastUsedAt?.toISOString() ?? null,
  }
}
