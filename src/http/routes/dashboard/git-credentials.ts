/** Tokens of the organization for git hosts: listed, added, replaced, deleted. Their text is in no answer. */
import * as credentials from '../../../accounts/git-credentials.ts'
import { AppError } from '../../../contract/errors.ts'
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
  return answer(await credentials.createGitCredential(deps, tx, { ...body, organizationId, actor }))
}

export async function replaceGitCredential(
  deps: GitCredentialsDeps,
  { tx, caller, params, body }: DashboardCallOf<'replaceGitCredential'>,
): DashboardAnswerOf<'replaceGitCredential'> {
  const { organizationId, id: actor } = caller
  return answer(
    await credentials.replaceGitCredential(deps, tx, { ...params, ...body, organizationId, actor }),
  )
}

export async function deleteGitCredential({
  tx,
  caller,
  params,
}: DashboardCallOf<'deleteGitCredential'>): DashboardAnswerOf<'deleteGitCredential'> {
  const { organizationId, id: actor } = caller
  return answer(await credentials.deleteGitCredential(tx, { ...params, organizationId, actor }))
}

function answer(changed: credentials.ChangedGitCredential): { body: GitCredential } {
  if (changed.ok) return { body: toGitCredential(changed.credential) }
  if (changed.reason === 'missing') throw new AppError('not_found')
  throw new AppError('request.invalid', { details: changed.details })
}

function toGitCredential(credential: credentials.GitCredential): GitCredential {
  return {
    ...credential,
    createdAt: credential.createdAt.toISOString(),
    replacedAt: credential.replacedAt?.toISOString() ?? null,
    lastUsedAt: credential.lastUsedAt?.toISOString() ?? null,
  }
}
