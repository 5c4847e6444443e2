/** What a signed message of a forge begins: a deployment of the site, previews, or a look at what reviewers say. */
import { sql } from 'kysely'
import type { Plan } from '../../../base/api/plans.ts'
import { AppError } from '../../../base/errors/errors.ts'
import { SYSTEM_ACTOR } from '../../../database/audit.ts'
import type { Tx } from '../../../database/database.ts'
import { wakeForCode } from '../../automations/wake-automations.ts'
import {
  branchesGone,
  branchesMoved,
  type PreviewedProject,
  pullRequestTold,
} from '../previews/follow-branches.ts'
import { endsIn, isOfRepository, readPullRequest, repositoryName } from '../previews/pull-request-message.ts'
import type { PublishingDeps } from './publishing.ts'
import { deletedBranches, pushedBranches, type readSignature } from './push-message.ts'
import { type StartDeploymentDeps, startDeployment } from './start-deployment.ts'

type Signed = NonNullable<ReturnType<typeof readSignature>>

export interface PushDeps extends Pick<PublishingDeps, 'pushSecrets' | 'previewDomain'>, StartDeploymentDeps {
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
  outcome: 'published' | 'previewed' | 'other_branch' | 'automation' | 'review' | 'no_push' | 'archived'
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
  await findSigned(deps, tx, projectId, { signed, body })
  // Held from here on, so that what is set meanwhile counts before or after, and never in between.
  await noteCall(tx, projectId, signed)
  const found = await findSigned(deps, tx, projectId, { signed, body })
  // No refusal: forges switch off webhooks that are refused often, and it has to work again once the project is unarchived.
  if (found.isArchived) return { deploymentId: null, outcome: 'archived' }
  const message = readMessage()
  const project = { ...found, canPreview: found.canPreview && isOfRepository(message, found.repository) }
  if (!signed.isPush) return takeOther(deps, tx, project, { signed, message })
  return await takePushed(deps, tx, project, message)
}

/** What is told beside pushes may mean something to several. */
async function takeOther(
  deps: PushDeps,
  tx: Tx,
  project: SignedProject,
  { signed, message }: { signed: Signed; message: unknown },
): Promise<PushAnswer> {
  const { forge, event, isReview, isPullRequest } = signed
  const began = await deps.onForgeMessage(tx, project.projectId, { forge, event, message })
  // Behind the automations, and before the project: in the order in which runs and merges hold them.
  if (isReview) await deps.onReview(tx, project.projectId)
  const news = isPullRequest && project.canPreview ? readPullRequest(forge, message) : null
  const previewed = news === null ? 0 : await pullRequestTold(deps, tx, project, { forge, news })
  const outcome = previewed > 0 ? 'previewed' : began ? 'automation' : isReview ? 'review' : 'no_push'
  return { deploymentId: null, outcome }
}

/** Of the docs, of code that automations follow, or of both where they share a repository. */
async function takePushed(
  deps: PushDeps,
  tx: Tx,
  project: SignedProject,
  message: unknown,
): Promise<PushAnswer> {
  const code = await pushedCode(tx, project.projectId, message)
  const woken = await wakeForCode(tx, project.projectId, code.moved)
  const isOfCodeAlone = code.isNamed && !isOfRepository(message, project.repository)
  const answer: PushAnswer = isOfCodeAlone
    ? { deploymentId: null, outcome: 'other_branch' }
    : await takeBranches(deps, tx, project, message)
  return answer.outcome === 'other_branch' && woken > 0 ? { ...answer, outcome: 'automation' } : answer
}

async function takeBranches(
  deps: PushDeps,
  tx: Tx,
  project: SignedProject,
  message: unknown,
): Promise<PushAnswer> {
  const { organizationId, projectId, liveBranch } = project
  const branches = pushedBranches(message)
  const gone = project.canPreview ? await branchesGone(tx, project, deletedBranches(message)) : 0
  const previewed = project.canPreview ? await branchesMoved(deps, tx, project, branches) : 0
  // Before the first fetch nobody knows what the default branch is called: then any push may be to it.
  const isOurs = liveBranch === null ? branches.length > 0 : branches.includes(liveBranch)
  if (!isOurs) return { deploymentId: null, outcome: gone + previewed > 0 ? 'previewed' : 'other_branch' }
  const wanted = { organizationId, projectId, actor: SYSTEM_ACTOR, trigger: 'push' } as const
  const { deploymentId } = await startDeployment(deps, tx, wanted)
  return { deploymentId, outcome: 'published' }
}

interface SignedProject extends PreviewedProject {
  isArchived: boolean
  repository: string
  /** The server has a domain for previews. */
  canPreview: boolean
}

async function findSigned(
  deps: PushDeps,
  tx: Tx,
  projectId: string,
  { signed, body }: { signed: Signed; body: Buffer },
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

async function noteCall(tx: Tx, projectId: string, { forge }: Signed): Promise<void> {
  await tx
    .updateTable('project_publishing')
    .set({ hook_called_at: sql`clock_timestamp()`, hook_forge: forge })
    .where('project_id', '=', projectId)
    .execute()
}

/** Pushes to the repositories of code that a project has beside its docs: which one, and whether what is read of it moved. */
interface PushedCode {
  /** The message is about one of them. */
  isNamed: boolean
  /** Names of those of which the push may have moved what is read. */
  moved: string[]
}

/** What the message says is looked up before anything comes of it, so that a name that looks right is enough. */
async function pushedCode(tx: Tx, projectId: string, message: unknown): Promise<PushedCode> {
  const told = repositoryName(message)
  if (told === null) return { isNamed: false, moved: [] }
  const rows = await tx
    .selectFrom('code_repositories')
    .select(['name', 'repository', 'ref'])
    .where('project_id', '=', projectId)
    .execute()
  const named = rows.filter(({ repository }) => endsIn(repository, told))
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

/** Bitbucket does not say. */
function defaultBranch(message: unknown): string | null {
  const { project, repository } = fields(message)
  const name = fields(project).default_branch ?? fields(repository).default_branch
  return typeof name === 'string' && name !== '' ? name : null
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
