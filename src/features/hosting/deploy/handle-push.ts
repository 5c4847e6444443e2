/**
 * Handles signed messages of forges: starts a deployment of the site or of a preview, or schedules a poll of pull
 * requests.
 */
import { sql } from 'kysely'
import type { Plan } from '../../../base/api/plans.ts'
import { AppError } from '../../../base/errors/errors.ts'
import { SYSTEM_ACTOR } from '../../../database/audit.ts'
import type { Tx } from '../../../database/database.ts'
import { scheduleForCodePush } from '../../automations/wake-automations.ts'
import { schedulePullRequestCheck, scheduleStatementCheck } from '../../statements/schedule-checks.ts'
import { isBranchName } from '../operations/previews.ts'
import {
  handleDeletedBranches,
  handlePullRequest,
  handlePushedBranches,
  type PreviewedProject,
} from '../previews/follow-branches.ts'
import {
  forkRef,
  hasPathEnding,
  isAboutRepository,
  type PullRequestUpdate,
  readPullRequest,
  repositoryName,
} from '../previews/pull-request-message.ts'
import type { PublishingDeps } from './publish-settings.ts'
import { deletedBranches, type PushForge, pushedBranches, type readSignature } from './push-message.ts'
import { type StartDeploymentDeps, startDeployment } from './start-deployment.ts'

type PushSignature = NonNullable<ReturnType<typeof readSignature>>

export interface PushDeps extends Pick<PublishingDeps, 'pushSecrets' | 'previewDomain'>, StartDeploymentDeps {
  onReview: (tx: Tx, projectId: string) => Promise<void>
  /** Called for messages that are not pushes. Returns true if the message started an automation run. */
  onForgeMessage: (
    tx: Tx,
    projectId: string,
    event: Pick<PushSignature, 'forge' | 'event'> & { message: unknown },
  ) => Promise<boolean>
}

export interface PushResponse {
  deploymentId: string | null
  outcome:
    | 'published'
    | 'previewed'
    | 'other_branch'
    | 'automation'
    | 'statements'
    | 'review'
    | 'no_push'
    | 'archived'
}

/**
 * Repeated messages are harmless, because the current state of the branch is read regardless of the message.
 * Throws AppError `push_not_signed` unless the message is signed with the project's secret.
 */
export async function handlePush(
  deps: PushDeps,
  tx: Tx,
  projectId: string,
  { signed, body }: { signed: PushSignature; body: Buffer },
  readMessage: () => unknown,
): Promise<PushResponse> {
  await findSignedProject(deps, tx, projectId, { signed, body })
  // Locks the project, so that concurrent changes of its settings apply entirely before or after this message.
  await recordHookCall(tx, projectId, signed)
  const found = await findSignedProject(deps, tx, projectId, { signed, body })
  // Accepts the message, because forges disable webhooks after repeated errors, and the webhook must work again
  // when the project is unarchived.
  if (found.isArchived) return { deploymentId: null, outcome: 'archived' }
  const message = readMessage()
  const project = { ...found, canPreview: found.canPreview && isAboutRepository(message, found.repository) }
  if (!signed.isPush) return handleOtherMessage(deps, tx, project, { signed, message })
  return await handlePushMessage(deps, tx, project, message)
}

async function handleOtherMessage(
  deps: PushDeps,
  tx: Tx,
  project: SignedProject,
  { signed, message }: { signed: PushSignature; message: unknown },
): Promise<PushResponse> {
  const { forge, event, isReview, isPullRequest } = signed
  const began = await deps.onForgeMessage(tx, project.projectId, { forge, event, message })
  // Must lock rows after the automations and before the project, to match the lock order of runs and merges.
  if (isReview) await deps.onReview(tx, project.projectId)
  const update = isPullRequest ? readPullRequest(forge, message) : null
  const follows =
    update !== null && (await followCodePullRequest(tx, project.projectId, { forge, message, update }))
  const pullRequestMessage = project.canPreview ? update : null
  const previewed =
    pullRequestMessage === null
      ? 0
      : await handlePullRequest(deps, tx, project, { forge, pullRequestUpdate: pullRequestMessage })
  const outcome =
    previewed > 0
      ? 'previewed'
      : began
        ? 'automation'
        : follows
          ? 'statements'
          : isReview
            ? 'review'
            : 'no_push'
  return { deploymentId: null, outcome }
}

/** Handles pushes to the docs, to code that automations follow, or to both if one repository contains both. */
async function handlePushMessage(
  deps: PushDeps,
  tx: Tx,
  project: SignedProject,
  message: unknown,
): Promise<PushResponse> {
  const code = await findPushedCode(tx, project.projectId, message)
  const woken = await scheduleForCodePush(tx, project.projectId, code.moved)
  if (code.moved.length > 0) await scheduleStatementCheck(tx, project.projectId)
  const concernsCodeOnly = code.isNamed && !isAboutRepository(message, project.repository)
  const answer: PushResponse = concernsCodeOnly
    ? { deploymentId: null, outcome: 'other_branch' }
    : await handleBranches(deps, tx, project, message)
  return answer.outcome === 'other_branch' && woken > 0 ? { ...answer, outcome: 'automation' } : answer
}

async function handleBranches(
  deps: PushDeps,
  tx: Tx,
  project: SignedProject,
  message: unknown,
): Promise<PushResponse> {
  const { organizationId, projectId, liveBranch } = project
  const branches = pushedBranches(message)
  const removedCount = project.canPreview
    ? await handleDeletedBranches(tx, project, deletedBranches(message))
    : 0
  const previewed = project.canPreview ? await handlePushedBranches(deps, tx, project, branches) : 0
  // The default branch is unknown before the first fetch, so a push to any branch may affect the site.
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

interface PushedCode {
  /** Whether the message names one of the repositories. */
  isNamed: boolean
  /** Names of the repositories whose followed branch may have moved. */
  moved: string[]
}

/** Matching by name is sufficient, because the message is only a hint to fetch the repository. */
async function findPushedCode(tx: Tx, projectId: string, message: unknown): Promise<PushedCode> {
  const name = repositoryName(message)
  if (name === null) return { isNamed: false, moved: [] }
  const rows = await findCodeRepositories(tx, projectId)
  const named = rows.filter(({ repository }) => hasPathEnding(repository, name))
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

/** Checks pull requests of code repositories against the statements in the docs. */
async function followCodePullRequest(
  tx: Tx,
  projectId: string,
  { forge, message, update }: { forge: PushForge; message: unknown; update: PullRequestUpdate },
): Promise<boolean> {
  const { number, branch, isFork, over } = update
  const name = repositoryName(message)
  const ref = isFork ? forkRef(forge, number) : `refs/heads/${branch}`
  if (name === null || ref === null || !isBranchName(branch)) return false
  const repositories = await findCodeRepositories(tx, projectId)
  const named = repositories.filter(({ repository }) => hasPathEnding(repository, name))
  for (const { id: repositoryId } of named)
    await schedulePullRequestCheck(tx, { projectId, repositoryId }, { number, ref, isOver: over !== null })
  return named.length > 0
}

async function findCodeRepositories(tx: Tx, projectId: string) {
  return await tx
    .selectFrom('code_repositories')
    .select(['id', 'name', 'repository', 'ref'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
}

/** Returns null for Bitbucket, whose messages do not contain the default branch. */
function defaultBranch(message: unknown): string | null {
  const { project, repository } = fields(message)
  const name = fields(project).default_branch ?? fields(repository).default_branch
  return typeof name === 'string' && name !== '' ? name : null
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
