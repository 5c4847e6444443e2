/** Reviews of changes: their content before and after, and the decision in a repository without a forge. */

import { AppError } from '../../../base/errors/errors.ts'
import { PermanentError } from '../../../base/errors/permanent-error.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import { GitError } from '../../../git/git-error.ts'
import { openProjectRepository, type ProjectRepository } from '../../../git/project-repository.ts'
import { PROJECT_SOURCE } from '../../../git/project-source.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { sanitizeSvg } from '../../../render/html/svg-bytes.ts'
import { fileToRoute, isPageFile } from '../../../site/navigation/routes.ts'
import { detectPictureKind } from '../edit/picture-kinds.ts'
import { readWholeAccount } from '../loop/turn-account.ts'
import type { AgentJob, AgentReview } from '../operations/agent.ts'
import { type ReviewedFile, riskLevel } from '../operations/agent-review.ts'
import { type CommitKeyDeps, findCommitSigner } from '../publish/commit-key.ts'
import { type PullRequestDeps, recordDecision } from '../publish/pull-requests.ts'
import type { FileChange } from '../publish/workspace.ts'
import { requireUndecided } from '../steer-job.ts'
import { type JobRow, jobRows, toAgentJob } from '../store.ts'
import { loadChanges } from '../turn-store.ts'
import { isPicture, MAX_PICTURE_BYTES } from './change-content.ts'
import {
  listPreviewedPages,
  type PreviewedPage,
  type PreviewManifests,
  type PreviewSide,
  previewPath,
  readManifests,
} from './review-previews.ts'
import { type ChangedTexts, type ReviewTexts, readUnpublishedTexts } from './review-texts.ts'
import { isReviewToken } from './review-token.ts'

export type ReviewDeps = Pick<PullRequestDeps, 'database' | 'git'> & {
  objects: ObjectStore
  /** Secret of the node; verifies review links. */
  secret: string
  reviewTexts: ReviewTexts
}

export type DecideDeps = Pick<PullRequestDeps, 'git' | 'feedback' | 'onMerged'> & CommitKeyDeps

export interface OpenReview {
  review: AgentReview
  projectId: string
  /** Base path of the rendered pages. */
  previewPath: string
  /** Manifests of the rendered pages; null for a side without any. */
  manifests: PreviewManifests
}

interface Decider {
  organizationId: string
  id: string
}

/** Job errors after which unpublished changes may remain. */
const ENDED_EARLY: ReadonlySet<string> = new Set(['failed', 'cancelled'])

/** Time limit of a decision, in which git reads, merges and pushes. */
const DECISION_TIMEOUT_MS = 30_000

/** Throws AppError `not_found`. */
export async function readAgentReview(
  deps: ReviewDeps,
  queries: Queries,
  organizationId: string,
  projectId: string,
  jobId: string,
): Promise<AgentReview> {
  const job = await jobRows.get(queries, { organizationId, projectId }, jobId)
  return await buildReview(deps, queries, job)
}

/** Returns the review for a link; null when there is no such job, or the token does not match. */
export async function openReview(
  deps: ReviewDeps,
  queries: Queries,
  jobId: string,
  token: string,
): Promise<OpenReview | null> {
  const job = await queries.selectFrom('agent_jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
  if (job === undefined || !isReviewToken(deps.secret, job, token)) return null
  return await buildOpenReview(deps, queries, job)
}

/** Opens the review of a job whose link has been verified. */
export async function buildOpenReview(deps: ReviewDeps, queries: Queries, job: JobRow): Promise<OpenReview> {
  const [review, manifests] = await Promise.all([
    buildReview(deps, queries, job),
    readManifests(deps.objects, job),
  ])
  return { review, projectId: job.project_id, previewPath: previewPath(deps.secret, job), manifests }
}

/**
 * Returns null when the job has not changed such a picture, or that side lacks it. The caller has verified the token.
 */
export async function openReviewPicture(
  deps: ReviewDeps,
  queries: Queries,
  jobId: string,
  pictureQuery: { side: PreviewSide; path: string },
): Promise<ReviewedPicture | null> {
  const job = await queries.selectFrom('agent_jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
  const commit = pictureQuery.side === 'before' ? job?.origin_commit : job?.pushed_commit
  if (job === undefined || !commit) return null
  const repository = await openRepository(deps, queries, job.project_id)
  const changed = await readChangedTexts(deps, queries, repository, job)
  if (!changed.some(({ path }) => path === pictureQuery.path)) return null
  return await readReviewedPicture(
    repository,
    commit,
    pictureQuery.path,
    AbortSignal.timeout(DECISION_TIMEOUT_MS),
  )
}

/** Returns the changed pages as rendered before and after. Throws AppError `not_found`. */
export async function readPreviews(
  deps: ReviewDeps,
  queries: Queries,
  organizationId: string,
  projectId: string,
  jobId: string,
): Promise<PreviewedPage[]> {
  const job = await jobRows.get(queries, { organizationId, projectId }, jobId)
  if (job.origin_commit === null || job.pushed_commit === null) return []
  const repository = await openRepository(deps, queries, projectId)
  const [texts, manifests] = await Promise.all([
    readChangedTexts(deps, queries, repository, job),
    readManifests(deps.objects, job),
  ])
  const path = previewPath(deps.secret, job)
  const files = texts.map((changed) => reviewedFile(changed, {}, path))
  return listPreviewedPages(files, manifests, path)
}

/**
 * Merges a change in a repository without a forge. If every file is a risk, the caller has to confirm that the risks
 * were reviewed. Throws AppError 409 when the merge is not possible.
 */
export async function acceptAgentReview(
  deps: DecideDeps,
  tx: Tx,
  caller: Decider,
  { projectId, jobId, areRisksConfirmed }: { projectId: string; jobId: string; areRisksConfirmed: boolean },
): Promise<AgentJob> {
  const { job, repository } = await lockReview(deps, tx, caller, projectId, jobId)
  if (job.is_all_risk && !areRisksConfirmed)
    throw new AppError('risks_unconfirmed', {
      details: (job.risks ?? []).slice(0, 50).map(({ path, line, what }) => ({
        message: `${path}${line === null ? '' : `:${line}`}: ${what}`,
      })),
    })
  const title = job.title ?? 'a change of the documentation'
  const sign = (await withReadableErrors(findCommitSigner(deps, tx, projectId))) ?? undefined
  const merge = await withReadableErrors(
    repository.mergeBranch(
      {
        branch: job.branch ?? '',
        // Only what was reviewed, and nothing that was pushed later.
        ...(job.pushed_commit === null ? {} : { expected: job.pushed_commit }),
        target: job.ref,
        message: `Merge ${job.branch}: ${title}\n\nOctavo-Job: ${job.id}\n`,
        at: job.updated_at,
        sign,
      },
      AbortSignal.timeout(DECISION_TIMEOUT_MS),
    ),
  )
  if (merge.kind === 'conflict')
    throw new AppError('merge_conflict', {
      details: merge.files.map((file) => ({ message: `${file} was changed in ${job.ref} as well.` })),
    })
  if (merge.kind === 'branch_missing')
    throw new AppError('merge_conflict', {
      sentence: `The branch ${job.branch} is not there any more.`,
    })
  return await settleDecision(deps, tx, job, 'merged', caller)
}

/** Closes a change in a repository without a forge and deletes its branch. Throws AppError 409 `agent.*`. */
export async function declineAgentReview(
  deps: DecideDeps,
  tx: Tx,
  caller: Decider,
  projectId: string,
  jobId: string,
): Promise<AgentJob> {
  const { job, repository } = await lockReview(deps, tx, caller, projectId, jobId)
  const branch = { branch: job.branch ?? '', expected: job.pushed_commit ?? '' }
  await withReadableErrors(repository.deleteBranch(branch, AbortSignal.timeout(DECISION_TIMEOUT_MS)))
  return await settleDecision(deps, tx, job, 'closed', caller)
}

async function lockReview(
  deps: DecideDeps,
  tx: Tx,
  caller: Decider,
  projectId: string,
  jobId: string,
): Promise<{ job: JobRow; repository: ProjectRepository }> {
  const job = await jobRows.get(tx, { organizationId: caller.organizationId, projectId }, jobId, {
    lock: true,
  })
  const repository = await openRepository(deps, tx, projectId)
  if (job.status === 'active') throw new AppError('agent_job_at_work')
  if (job.pull_request_state === null) throw new AppError('nothing_to_review')
  if (!repository.isLocal) throw new AppError('reviewed_elsewhere')
  requireUndecided(job)
  return { job, repository }
}

/** Converts errors of the repository to AppErrors that the caller can act upon. */
async function withReadableErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof PermanentError || (error instanceof GitError && !error.isTemporary))
      throw new AppError('merge_conflict', { sentence: error.message, cause: error })
    const isTooLate = error instanceof DOMException && error.name === 'TimeoutError'
    if (error instanceof GitError || isTooLate)
      throw new AppError('repository_unavailable', { details: [{ message: error.message }], cause: error })
    throw error
  }
}

async function settleDecision(
  deps: DecideDeps,
  tx: Tx,
  job: JobRow,
  state: 'merged' | 'closed',
  { id }: Decider,
): Promise<AgentJob> {
  const decided = await recordDecision(deps, tx, job, state, id)
  return toAgentJob(decided ?? job)
}

async function openRepository(
  deps: { git: PullRequestDeps['git'] },
  queries: Queries,
  projectId: string,
): Promise<ProjectRepository> {
  const source = await queries
    .selectFrom('projects')
    .select(PROJECT_SOURCE)
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return openProjectRepository(deps.git, source)
}

async function buildReview(deps: ReviewDeps, queries: Queries, job: JobRow): Promise<AgentReview> {
  const repository = await openRepository(deps, queries, job.project_id)
  const account = await readWholeAccount(queries, job)
  return {
    job: toAgentJob(job),
    state: job.pull_request_state ?? 'none',
    isLocal: repository.isLocal,
    summary: job.summary === null ? null : account.summaries.join('\n\n'),
    prompts: account.prompts,
    files: (await readChangedTexts(deps, queries, repository, job)).map((texts) =>
      reviewedFile(texts, account.reasons, previewPath(deps.secret, job)),
    ),
    references: account.references,
    dropped: account.dropped,
    risks: (job.risks ?? []).map((note) => ({ ...note, level: riskLevel(note.kind) })),
    needsSecondYes: job.is_all_risk,
  }
}

/** From where the job began to what it pushed, or to what it had changed when it ended early or asked something. */
async function readChangedTexts(
  { reviewTexts }: ReviewDeps,
  queries: Queries,
  repository: ProjectRepository,
  job: JobRow,
): Promise<readonly ChangedTexts[]> {
  const { origin_commit: from, pushed_commit: to, base_commit: base } = job
  const signal = AbortSignal.timeout(DECISION_TIMEOUT_MS)
  if ((ENDED_EARLY.has(job.status) || job.question !== null) && base !== null) {
    const changes = await loadChanges(queries, job.id)
    if (changes.size > 0)
      return await readUnpublishedTexts({ repository, from: from ?? base, base }, changes, signal)
  }
  if (from === null || to === null) return []
  return await reviewTexts.read({ repository, from, to }, signal)
}

function reviewedFile(
  { path, change, before, after }: ChangedTexts,
  reasons: Readonly<Record<string, string>>,
  previews: string,
): ReviewedFile {
  const route = isPageFile(path) ? fileToRoute(path) : null
  const picture = pictureUrls({ path, change }, previews)
  return { path, change, reason: reasons[path] ?? null, before, after, route, picture }
}

/** A changed picture for reviewers: its bytes on both sides, and their URLs. */
interface ReviewedPicture {
  bytes: Uint8Array
  contentType: string
}

/** `previews` is the base path of the job's previews without a trailing slash. Returns null for other files. */
function pictureUrls({ path, change }: FileChange, previews: string): ReviewedFile['picture'] {
  if (!isPicture(path) && !isDrawing(path)) return null
  const address = (side: string) =>
    `${previews}/pictures/${side}/${path.split('/').map(encodeURIComponent).join('/')}`
  return {
    before: change === 'added' ? null : address('before'),
    after: change === 'deleted' ? null : address('after'),
  }
}

/** Returns null for a missing or too large file, and for one whose content is not a picture. */
async function readReviewedPicture(
  repository: Pick<ProjectRepository, 'openDocs'>,
  commit: string,
  path: string,
  signal: AbortSignal,
): Promise<ReviewedPicture | null> {
  await using tree = await repository.openDocs(commit, signal)
  const size = tree.files.get(path)?.sizeBytes
  if (size === undefined || size > MAX_PICTURE_BYTES) return null
  const bytes = Buffer.from(await tree.read(path))
  if (isDrawing(path)) return { bytes: Buffer.from(sanitizeSvg(bytes)), contentType: 'image/svg+xml' }
  const kind = detectPictureKind(bytes)
  return kind === null ? null : { bytes, contentType: kind.contentType }
}

function isDrawing(path: string): boolean {
  return /\.svg$/i.test(path)
}
