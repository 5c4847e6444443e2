/** Tokens of the organization for git hosts: listed, added, replaced, deleted. Their text is in no answer. */
import * as credentials from '../../../accounts/git-credentials.ts'
import type { GitCredential } from '../../../contract/git-credentials.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export type GitCredentialsDeps = credentials.GitCredentialDeps

export async function listGitCredentials({
  db,
  caller,
}: DashboardCallOf<'listGitCredentials'>): DashboardAnswerOf<'listGitCredentials'> {
  const found = await credentials.listGitCredentials(db, caller.organizationId)
  return { body: { credentials: found.map(toGitCredential) } }
}

export async function createGitCredential(
  deps: GitCredentialsDeps,
  { tx, caller, body }: DashboardCallOf<'createGitCredential'>,
): DashboardAnswerOf<'createGitCredential'> {
  const { organizationId, id: actor } = caller
  const created = await credentials.createGitCredential(deps, tx, { ...body, organizationId, actor })
  return { body: toGitCredential(created) }
}

export async function replaceGitCredential(
  deps: GitCredentialsDeps,
  { tx, caller, params, body }: DashboardCallOf<'replaceGitCredential'>,
): DashboardAnswerOf<'replaceGitCredential'> {
  const { organizationId, id: actor } = caller
  const wanted = { ...params, ...body, organizationId, actor }
  return { body: toGitCredential(await credentials.replaceGitCredential(deps, tx, wanted)) }
}

export async function deleteGitCredential({
  tx,
  caller,
  params,
}: DashboardCallOf<'deleteGitCredential'>): DashboardAnswerOf<'deleteGitCredential'> {
  const { organizationId, id: actor } = caller
  const deleted = await credentials.deleteGitCredential(tx, { ...params, organizationId, actor })
  return { body: toGitCredential(deleted) }
}

function toGitCredential(credential: credentials.GitCredential): GitCredential {
  return {
    ...credential,
    createdAt: credential.createdAt.toISOString(),
    replacedAt: credential.replacedAt?.toISOString() ?? null,
    lastUsedAt: credential.lastUsedAt?.toISOString() ?? null,
  }
}
