/** Handles signed messages of forges: starts a deployment of the site or previews, or checks reviews. */
import { sql } from 'kysely'
import type { Plan } from '../../../base/api/plans.ts'
import { AppError } from '../../../base/errors/errors.ts'
import { SYSTEM_ACTOR } from '../../../database/audit.ts'
import type { Tx } from '../../../database/database.ts'
import { scheduleForCodePush } from '../../automations/schedule-automations.ts'
import {
  handleDeletedBranches,
  handlePullRequest,
  handlePushedBranches,
  type PreviewedProject,
} from '../previews/follow-branches.ts'
import {
  hasPathEnding,
  isAboutRepository,
  readPullRequest,
  repositoryName,
} from '../previews/pull-request-message.ts'
import type { PublishingDeps } from './publishing.ts'
import { deletedBranches, pushedBranches, type readSignature } from './push-message.ts'
import { type StartDeploymentDeps, startDeployment } from './start-deployment.ts'

type PushSignature = NonNullable<ReturnType<typeof readSignature>>

export interface PushDeps extends Pick<PublishingDeps, 'pushSecrets' | 'previewDomain'>, StartDeploymentDeps {
  /** Called for reviews and comments at the forge, to check them now. */
  onReview: (tx: Tx, projectId: string) => Promise<void>
  /** Called for messages that are not pushes. Returns whether it started something. */
  onForgeMessage: (
    tx: Tx,
    projectId: string,
    told: Pick<PushSignature, 'forge' | 'event'> & { message: unknown },
  ) => Promise<boolean>
}

export interface PushAnswer {
  deploymentId: string | null
  /** Result of the message, shown in the forge's webhook log. */
  outcome: 'published' | 'previewed' | 'other_branch' | 'automation' | 'review' | 'no_push' | 'archived'
}

/**
 * Repeated messages are harmless: whatever a message names, the branch is read in its current state. Throws AppError
 * `push_not_signed` unless the message is signed with the project's secret.
 */
export async function handlePush(
  deps: PushDeps,
  tx: Tx,
  projectId: string,
  { signed, body }: { signed: PushSignature; body: Buffer },
  readMessage: () => unknown,
): Promise<PushAnswer> {
  await findSignedProject(deps, tx, projectId, { signed, body })
  // Locked from here on, so that concurrent changes of settings apply entirely before or after.
  await recordHookCall(tx, projectId, signed)
  const found = await findSignedProject(deps, tx, projectId, { signed, body })
  // Do not refuse: forges disable webhooks that are refused often, and this one must work again once the project is
  // unarchived.
  if (found.isArchived) return { deploymentId: null, outcome: 'archived' }
  const message = readMessage()
  const project = { ...found, canPreview: found.canPreview && isAboutRepository(message, found.repository) }
  if (!signed.isPush) return handleOtherMessage(deps, tx, project, { signed, message })
  return await handlePushMessage(deps, tx, project, message)
}

/** A message that is not a push may concern several modules. */
async function handleOtherMessage(
  deps: PushDeps,
  tx: Tx,
  project: SignedProject,
  { signed, message }: { signed: PushSignature; message: unknown },
): Promise<PushAnswer> {
  const { forge, event, isReview, isPullRequest } = signed
  const began = await deps.onForgeMessage(tx, project.projectId, { forge, event, message })
  // Call after the automations and before the project, matching the lock order of runs and merges.
  if (isReview) await deps.onReview(tx, project.projectId)
  const pullRequestMessage = isPullRequest && project.canPreview ? readPullRequest(forge, message) : null
  const previewed =
    pullRequestMessage === null
      ? 0
      : await handlePullRequest(deps, tx, project, { forge, pullRequestUpdate: pullRequestMessage })
  const outcome = previewed > 0 ? 'previewed' : began ? 'automation' : isReview ? 'review' : 'no_push'
  return { deploymentId: null, outcome }
}

/** Handles pushes to the docs, to code that automations follow, or to both if they share a repository. */
async function handlePushMessage(
  deps: PushDeps,
  tx: Tx,
  project: SignedProject,
  message: unknown,
): Promise<PushAnswer> {
  const code = await findPushedCode(tx, project.projectId, message)
  const woken = await scheduleForCodePush(tx, project.projectId, code.moved)
  const concernsCodeOnly = code.isNamed && !isAboutRepository(message, project.repository)
  const answer: PushAnswer = concernsCodeOnly
    ? { deploymentId: null, outcome: 'other_branch' }
    : await handleBranches(deps, tx, project, message)
  return answer.outcome === 'other_branch' && woken > 0 ? { ...answer, outcome: 'automation' } : answer
}

async function handleBranches(
  deps: PushDeps,
  tx: Tx,
  project: SignedProject,
  message: unknown,
): Promise<PushAnswer> {
  const { organizationId, projectId, liveBranch } = project
  const branches = pushedBranches(message)
  const removedCount = project.canPreview
    ? await handleDeletedBranches(tx, project, deletedBranches(message))
    : 0
  const previewed = project.canPreview ? await handlePushedBranches(deps, tx, project, branches) : 0
  // The default branch is unknown before the first fetch, so any push may be to it.
  const isOurs = liveBranch === null ? branches.length > 0 : branches.includes(liveBranch)
  if (!isOurs)
    return { deploymentId: null, outcome: removedCount + previewed > 0 ? 'previewed' : 'other_branch' }
  const wanted = { organizationId, projectId, actor: SYSTEM_ACTOR, trigger: 'push' } as const
  const { deploymentId } = await startDeployment(deps, tx, wanted)
  return { deploymentId, outcome: 'published' }
}

interface SignedProject extends PreviewedProject {
  isArchived: boolean
  repository: string
  /** Whether the server has a domain for previews. */
  canPreview: boolean
}

async function findSignedProject(
  deps: PushDeps,
  tx: Tx,
  projectId: string,
  { signed, body }: { signed: PushSignature; body: Buffer },
): Promise<SignedProject> {
  const row = await tx
    .selectFrom('projects')
    .innerJoin('project_publishing', 'project_publishing.project_id', 'projects.id')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select(['organization_id', 'projects.repository', 'ref', 'default_branch', 'hook_secret', 'plan'])
    .select(['previews', 'preview_branches', 'preview_forks', 'archived_at'])
    .where('projects.id', '=', projectId)
    .executeTakeFirst()
  const secret = row?.hook_secret ? deps.pushSecrets.open(row.hook_secret, projectId) : null
  if (row === undefined || secret === null || !signed.isRight(secret, body))
    throw new AppError('push_not_signed')
  return {
    organizationId: row.organization_id,
    projectId,
    isArchived: row.archived_at !== null,
    repository: row.repository,
    settings: { mode: row.previews, branches: row.preview_branches, forks: row.preview_forks },
    liveBranch: (row.ref ?? row.default_branch)?.replace(/^refs\/heads\//, '') ?? null,
    plan: row.plan as Plan,
    canPreview: deps.previewDomain() !== null,
  }
}

async function recordHookCall(tx: Tx, projectId: string, { forge }: PushSignature): Promise<void> {
  await tx
    .updateTable('project_publishing')
    .set({ hook_called_at: sql`clock_timestamp()`, hook_forge: forge })
    .where('project_id', '=', projectId)
    .execute()
}

/** A push, as far as it concerns code repositories that a project has besides its docs. */
interface PushedCode {
  /** Whether the message is about one of them. */
  isNamed: boolean
  /** Names of the repositories whose followed branch the push may have moved. */
  moved: string[]
}

/** The message is only a hint that is verified before anything happens, so matching by name is enough. */
async function findPushedCode(tx: Tx, projectId: string, message: unknown): Promise<PushedCode> {
  const told = repositoryName(message)
  if (told === null) return { isNamed: false, moved: [] }
  const rows = await tx
    .selectFrom('code_repositories')
    .select(['name', 'repository', 'ref'])
    .where('project_id', '=', projectId)
    .execute()
  const named = rows.filter(({ repository }) => hasPathEnding(repository, told))
  const branches = pushedBranches(message)
  const isMoved = (ref: string | null) => {
    const read = ref?.replace(/^refs\/heads\//, '') ?? defaultBranch(message)
    return branches.length > 0 && (read === null || branches.includes(read))
  }
  return {
    isNamed: named.length > 0,
    moved: named.filter(({ ref }) => isMoved(ref)).map(({ name }) => name),
  }
}

/** Returns null for Bitbucket, which does not send it. */
function defaultBranch(message: unknown): string | null {
  const { project, repository } = fields(message)
  const name = fields(project).default_branch ?? fields(repository).default_branch
  return typeof name === 'string' && name !== '' ? name : null
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
