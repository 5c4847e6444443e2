/** Automatic publishing of a project: the secret of its push webhooks, and polling of its source. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { MAX_PREVIEWS_BY_PLAN } from '../../../base/api/plans.ts'
import { AppError } from '../../../base/errors/errors.ts'
import type { SecretBox } from '../../../base/secret-box.ts'
import { SYSTEM_ACTOR } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { Publishing, UpdatePublishing } from '../operations/publishing.ts'
import { PUSH_PATH } from '../operations/push-path.ts'
import { removePreview } from '../previews/previews.ts'

export interface PublishingDeps {
  pushSecrets: SecretBox
  publicUrl: () => string
  /** Parent domain of previews; null if previews are disabled. */
  previewDomain: () => string | null
}

interface ProjectScope {
  organizationId: string
  projectId: string
}

export async function getPublishing(
  { publicUrl, previewDomain }: Pick<PublishingDeps, 'publicUrl' | 'previewDomain'>,
  queries: Queries,
  scope: ProjectScope,
): Promise<Publishing> {
  const row = await queries
    .selectFrom('projects')
    .leftJoin('project_publishing', 'project_publishing.project_id', 'projects.id')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select(['plan', 'previews', 'preview_branches', 'preview_access', 'preview_days', 'preview_forks'])
    .select([
      'source_kind',
      'ref',
      'default_branch',
      'hook_made_at',
      'hook_called_at',
      'hook_forge',
      'follows',
    ])
    .where('projects.id', '=', scope.projectId)
    .where('organization_id', '=', scope.organizationId)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  return {
    sourceKind: row.source_kind,
    branch: row.ref ?? row.default_branch,
    follows: row.follows ?? false,
    previews: {
      mode: row.previews ?? 'off',
      branches: row.preview_branches ?? ['*'],
      access: row.preview_access ?? 'public',
      days: row.preview_days ?? 14,
      forks: row.preview_forks ?? false,
    },
    previewDomain: MAX_PREVIEWS_BY_PLAN[row.plan] === 0 ? null : previewDomain(),
    hook: {
      url: publicUrl() + PUSH_PATH.replace('{projectId}', scope.projectId),
      secretMadeAt: row.hook_made_at?.toISOString() ?? null,
      calledAt: row.hook_called_at?.toISOString() ?? null,
      forge: row.hook_forge,
    },
  }
}

/** Creates a secret, which is shown only once and replaces the previous one. Throws AppError `not_found`. */
export async function createPushSecret(
  deps: PublishingDeps,
  tx: Tx,
  scope: ProjectScope,
): Promise<{ secret: string }> {
  await getPublishing(deps, tx, scope)
  const secret = randomBytes(32).toString('base64url')
  const made = {
    hook_secret: deps.pushSecrets.seal(Buffer.from(secret), scope.projectId),
    hook_made_at: sql<Date>`clock_timestamp()`,
    hook_called_at: null,
    hook_forge: null,
  }
  await tx
    .insertInto('project_publishing')
    .values({ project_id: scope.projectId, ...made })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(made))
    .execute()
  return { secret }
}

export async function deletePushSecret(deps: PublishingDeps, tx: Tx, scope: ProjectScope): Promise<void> {
  await getPublishing(deps, tx, scope)
  await tx
    .updateTable('project_publishing')
    .set({ hook_secret: null, hook_made_at: null, hook_called_at: null, hook_forge: null })
    .where('project_id', '=', scope.projectId)
    .execute()
}

/** Disabling previews removes them immediately, except those requested by users. Throws AppError `not_found`. */
export async function updatePublishing(
  deps: PublishingDeps,
  tx: Tx,
  scope: ProjectScope,
  { follows, previews = {} }: UpdatePublishing,
): Promise<Publishing> {
  await getPublishing(deps, tx, scope)
  // Locks the row, so that settings absent from the call keep the values of concurrent changes.
  const projectColumns = { project_id: scope.projectId }
  await tx
    .insertInto('project_publishing')
    .values(projectColumns)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(projectColumns))
    .execute()
  const before = await getPublishing(deps, tx, scope)
  const { mode, branches, access, days, forks } = { ...before.previews, ...previews }
  const changed = {
    follows: follows ?? before.follows,
    ...{ previews: mode, preview_access: access, preview_days: days, preview_forks: forks },
    preview_branches: JSON.stringify(branches),
  }
  await tx.updateTable('project_publishing').set(changed).where('project_id', '=', scope.projectId).execute()
  if (mode === 'off' && before.previews.mode !== 'off') await removeAutomaticPreviews(tx, scope)
  return getPublishing(deps, tx, scope)
}

async function removeAutomaticPreviews(tx: Tx, scope: ProjectScope): Promise<void> {
  const rows = await tx
    .selectFrom('previews')
    .select('id')
    .where('project_id', '=', scope.projectId)
    .where('removed_at', 'is', null)
    .where('created_by', '=', SYSTEM_ACTOR)
    .execute()
  for (const { id } of rows) await removePreview(tx, scope, id, 'off')
}
