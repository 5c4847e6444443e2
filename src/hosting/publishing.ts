/** How a project is published without anybody asking: the secret of its push webhooks, and whether its source is followed. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { SecretBox } from '../base/secret-box.ts'
import { AppError } from '../contract/errors.ts'
import type { Publishing } from '../contract/publishing.ts'
import { PUSH_PATH } from '../contract/push-path.ts'
import { SYSTEM_ACTOR } from '../database/audit.ts'
import type { Queries, Tx } from '../database/database.ts'
import { pushedBranches, type readSignature } from './push-message.ts'
import { type StartDeploymentDeps, startDeployment } from './start-deployment.ts'

export interface PublishingDeps {
  /** Seals the secrets of push webhooks. */
  pushSecrets: SecretBox
  publicUrl: () => string
}

interface Place {
  organizationId: string
  projectId: string
}

/** Throws AppError `not_found`. */
export async function getPublishing(
  { publicUrl }: Pick<PublishingDeps, 'publicUrl'>,
  queries: Queries,
  place: Place,
): Promise<Publishing> {
  const row = await queries
    .selectFrom('projects')
    .leftJoin('project_publishing', 'project_publishing.project_id', 'projects.id')
    .select([
      'source_kind',
      'ref',
      'default_branch',
      'hook_made_at',
      'hook_called_at',
      'hook_forge',
      'follows',
    ])
    .where('projects.id', '=', place.projectId)
    .where('organization_id', '=', place.organizationId)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  return {
    sourceKind: row.source_kind,
    branch: row.ref ?? row.default_branch,
    follows: row.follows ?? false,
    hook: {
      url: publicUrl() + PUSH_PATH.replace('{projectId}', place.projectId),
      secretMadeAt: row.hook_made_at?.toISOString() ?? null,
      calledAt: row.hook_called_at?.toISOString() ?? null,
      forge: row.hook_forge,
    },
  }
}

/** The secret is shown this once; webhooks with the one before are refused from then on. Throws AppError `not_found`. */
export async function makePushSecret(
  deps: PublishingDeps,
  tx: Tx,
  place: Place,
): Promise<{ secret: string }> {
  await getPublishing(deps, tx, place)
  const secret = randomBytes(32).toString('base64url')
  const made = {
    hook_secret: deps.pushSecrets.seal(Buffer.from(secret), place.projectId),
    hook_made_at: sql<Date>`clock_timestamp()`,
    hook_called_at: null,
    hook_forge: null,
  }
  await tx
    .insertInto('project_publishing')
    .values({ project_id: place.projectId, ...made })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(made))
    .execute()
  return { secret }
}

/** Throws AppError `not_found`. */
export async function deletePushSecret(deps: PublishingDeps, tx: Tx, place: Place): Promise<void> {
  await getPublishing(deps, tx, place)
  await tx
    .updateTable('project_publishing')
    .set({ hook_secret: null, hook_made_at: null, hook_called_at: null, hook_forge: null })
    .where('project_id', '=', place.projectId)
    .execute()
}

/** Throws AppError `not_found`. */
export async function setFollows(
  deps: PublishingDeps,
  tx: Tx,
  place: Place,
  follows: boolean,
): Promise<Publishing> {
  await getPublishing(deps, tx, place)
  await tx
    .insertInto('project_publishing')
    .values({ project_id: place.projectId, follows })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ follows }))
    .execute()
  return getPublishing(deps, tx, place)
}

type Signed = NonNullable<ReturnType<typeof readSignature>>

export interface PushDeps extends Pick<PublishingDeps, 'pushSecrets'>, StartDeploymentDeps {
  /** Somebody said something at the forge: whoever follows that looks now. */
  onReview: (tx: Tx, projectId: string) => Promise<void>
  /** What was told beside pushes; answers whether it began something. */
  onForgeMessage: (
    tx: Tx,
    projectId: string,
    told: Pick<Signed, 'forge' | 'event'> & { message: unknown },
  ) => Promise<boolean>
}

export interface PushAnswer {
  deploymentId: string | null
  /** What became of the message, for whoever looks at it at the forge. */
  outcome: 'published' | 'other_branch' | 'automation' | 'review' | 'no_push'
}

/**
 * A message that comes again changes nothing that is served: whatever it names, the branch is read as it stands. Throws
 * AppError `push_not_signed` for all that is not signed with the secret of that project.
 */
export async function takePush(
  deps: PushDeps,
  tx: Tx,
  projectId: string,
  { signed, body }: { signed: Signed; body: Buffer },
  readMessage: () => unknown,
): Promise<PushAnswer> {
  const project = await tx
    .selectFrom('projects')
    .innerJoin('project_publishing', 'project_publishing.project_id', 'projects.id')
    .select(['organization_id', 'ref', 'default_branch', 'hook_secret'])
    .where('projects.id', '=', projectId)
    .executeTakeFirst()
  const secret = project?.hook_secret ? deps.pushSecrets.open(project.hook_secret, projectId) : null
  if (project === undefined || secret === null || !signed.isRight(secret, body))
    throw new AppError('push_not_signed')
  await tx
    .updateTable('project_publishing')
    .set({ hook_called_at: sql`clock_timestamp()`, hook_forge: signed.forge })
    .where('project_id', '=', projectId)
    .execute()
  if (signed.isReview) await deps.onReview(tx, projectId)
  if (!signed.isPush) {
    const { forge, event } = signed
    const began = await deps.onForgeMessage(tx, projectId, { forge, event, message: readMessage() })
    return { deploymentId: null, outcome: began ? 'automation' : signed.isReview ? 'review' : 'no_push' }
  }
  const branch = (project.ref ?? project.default_branch)?.replace(/^refs\/heads\//, '') ?? null
  const branches = pushedBranches(readMessage())
  // Before the first fetch nobody knows what the default branch is called: then any push may be to it.
  const isOurs = branch === null ? branches.length > 0 : branches.includes(branch)
  if (!isOurs) return { deploymentId: null, outcome: 'other_branch' }
  const { organization_id: organizationId } = project
  const wanted = { organizationId, projectId, actor: SYSTEM_ACTOR, trigger: 'push' } as const
  const { deploymentId } = await startDeployment(deps, tx, wanted)
  return { deploymentId, outcome: 'published' }
}
