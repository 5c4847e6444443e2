/** The key that signs the commits of a project. It is encrypted for the project, and read when a commit is written. */
import { type Selectable, sql } from 'kysely'
import { AppError } from '../../../base/errors/errors.ts'
import { PermanentError } from '../../../base/errors/permanent-error.ts'
import type { SecretBox } from '../../../base/secret-box.ts'
import { recordNoChange } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { CommitKeyTable } from '../../../database/schema/agent.ts'
import {
  type CommitSigner,
  keyFingerprint,
  newSigningKey,
  openCommitSigner,
  publicSigningKey,
} from '../../../git/push/sign-commit.ts'
import type { CommitKey } from '../operations/commit-key.ts'

export interface CommitKeyDeps {
  commitKeys: SecretBox
}

interface SigningScope {
  organizationId: string
  projectId: string
}

/** Throws AppError `not_found`. */
export async function getCommitKey(queries: Queries, scope: SigningScope): Promise<CommitKey | null> {
  await selectProject(queries, scope).executeTakeFirstOrThrow(() => new AppError('not_found'))
  const row = await selectKey(queries, scope.projectId)
  return row === undefined ? null : toCommitKey(row)
}

/** Throws AppError `not_found`. */
export async function createCommitKey(
  { commitKeys }: CommitKeyDeps,
  tx: Tx,
  scope: SigningScope & { madeBy: string },
): Promise<CommitKey> {
  await lockProject(tx, scope)
  const key = newSigningKey()
  const values = {
    public_key: publicSigningKey(key),
    sealed: commitKeys.seal(key, scope.projectId),
    made_by: scope.madeBy,
    created_at: sql<Date>`clock_timestamp()`,
  }
  const row = await tx
    .insertInto('commit_keys')
    .values({ project_id: scope.projectId, ...values })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
  return toCommitKey(row)
}

/** Deletes the key and returns it. Throws AppError `not_found`. */
export async function removeCommitKey(tx: Tx, scope: SigningScope): Promise<CommitKey | null> {
  await lockProject(tx, scope)
  const row = await tx
    .deleteFrom('commit_keys')
    .where('project_id', '=', scope.projectId)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) recordNoChange(tx)
  return row === undefined ? null : toCommitKey(row)
}

/** Returns null if the project has no key. Throws PermanentError for a key that cannot be decrypted. */
export async function findCommitSigner(
  { commitKeys }: CommitKeyDeps,
  queries: Queries,
  projectId: string,
): Promise<CommitSigner | null> {
  const row = await selectKey(queries, projectId)
  if (row === undefined) return null
  const key = commitKeys.open(row.sealed, projectId)
  if (key === null)
    throw new PermanentError(
      'commit_key_unreadable',
      'The signing key of this project cannot be decrypted because it was encrypted with a different server secret.',
    )
  return openCommitSigner(key)
}

function selectKey(queries: Queries, projectId: string) {
  return queries.selectFrom('commit_keys').selectAll().where('project_id', '=', projectId).executeTakeFirst()
}

function selectProject(queries: Queries, { organizationId, projectId }: SigningScope) {
  return queries
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
}

async function lockProject(tx: Tx, scope: SigningScope): Promise<void> {
  await selectProject(tx, scope)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found'))
}

function toCommitKey(row: Selectable<CommitKeyTable>): CommitKey {
  return {
    publicKey: row.public_key,
    fingerprint: keyFingerprint(row.public_key),
    madeBy: row.made_by,
    createdAt: row.created_at.toISOString(),
  }
}
