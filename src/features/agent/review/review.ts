/** Reviews of changes: their content before and after, and the decision in a repository without a forge. */

import { AppError } from '../../../base/errors/errors.ts'
import { createFault } from '../../../base/errors/fault.ts'
import { PermanentError } from '../../../base/errors/permanent-error.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import { GitError } from '../../../git/git-error.ts'
import { openProjectRepository, type ProjectRepository } from '../../../git/project-repository.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { sanitizeSvg } from '../../../render/html/svg-bytes.ts'
import { fileToRoute, isPageFile } from '../../../site/navigation/routes.ts'
import { detectImageKind } from '../edit/picture-kinds.ts'
import { readJobReport } from '../loop/turn-account.ts'
import type { AgentJob, AgentReview } from '../operations/agent.ts'
import { type ReviewedFile, riskLevel } from '../operations/agent-review.ts'
import { type CommitKeyDeps, findCommitSigner } from '../publish/commit-key.ts'
import { type PullRequestDeps, recordDecision } from '../publish/pull-requests.ts'
import type { FileChange } from '../publish/workspace.ts'
import { requireUndecided } from '../steer-job.ts'
import { type JobRef, type JobRow, jobRows, readSource, toAgentJob } from '../store.ts'
import { loadChanges } from '../turn-store.ts'
import { isImageFile, MAX_PICTURE_BYTES } from './change-content.ts'
import {
  listPreviewedPages,
  type PreviewedPage,
  type PreviewSide,
  previewPath,
  readManifests,
} from './review-previews.ts'
import { type ChangedTexts, type ReviewTexts, readChangedTexts } from './review-texts.ts'
import { isLinkToken } from './review-token.ts'

export type ReviewDeps = Pick<PullRequestDeps, 'database' | 'git'> & {
  objects: ObjectStore
  secret: string
  reviewTexts: ReviewTexts
}

export type DecideDeps = Pick<PullRequestDeps, 'git' | 'feedback' | 'onMerged'> & CommitKeyDeps

type Decision = JobRef & { decidedBy: string }

/** Error codes of jobs that may have left unpublished changes. */
const EARLY_END_ERROR_CODES: ReadonlySet<string> = new Set(['failed', 'cancelled'])

/** Time limit for a decision, during which git reads, merges and pushes. */
const DECISION_TIMEOUT_MS = 30_000

/** Throws AppError `not_found`. */
export async function readAgentReview(deps: ReviewDeps, queries: Queries, ref: JobRef): Promise<AgentReview> {
  return await buildReview(deps, queries, await jobRows.get(queries, ref, ref.id))
}

/** Returns the review for a link and its rendered pages. Throws AppError `not_found`. */
export async function openReview(
  deps: ReviewDeps,
  queries: Queries,
  { jobId, token }: { jobId: string; token: string },
): Promise<{ projectId: string; review: AgentReview; pages: PreviewedPage[] }> {
  const job = await queries.selectFrom('agent_jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
  if (job === undefined || !isLinkToken(deps.secret, 'review', job, token)) throw new AppError('not_found')
  const [review, manifests] = await Promise.all([
    buildReview(deps, queries, job),
    readManifests(deps.objects, job),
  ])
  const pages = listPreviewedPages(review.files, manifests, previewPath(deps.secret, job))
  return { projectId: job.project_id, review: withoutServerPath(review), pages }
}

/** Shows only the last part of a server path, since the holder of a link need not know its location. */
function withoutServerPath(review: AgentReview): AgentReview {
  const { repository, ref } = review.job.source
  if (/^[a-z+]+:\/\/|@/i.test(repository)) return review
  const source = { repository: repository.split('/').findLast(Boolean) ?? repository, ref }
  return { ...review, job: { ...review.job, source } }
}

/** Returns null when the job has not changed this image, or this side has none. Does not check the token. */
export async function openReviewImage(
  deps: ReviewDeps,
  queries: Queries,
  jobId: string,
  pictureQuery: { side: PreviewSide; path: string },
): Promise<ReviewedImage | null> {
  const job = await queries.selectFrom('agent_jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
  const commit = pictureQuery.side === 'before' ? job?.origin_commit : job?.pushed_commit
  if (job === undefined || !commit) return null
  const repository = await openRepository(deps, queries, job.project_id)
  const changed = await readJobTexts(deps, queries, repository, job)
  if (!changed.some(({ path }) => path === pictureQuery.path)) return null
  return await readReviewedImage(
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
  ref: JobRef,
): Promise<PreviewedPage[]> {
  const job = await jobRows.get(queries, ref, ref.id)
  if (job.origin_commit === null || job.pushed_commit === null) return []
  const repository = await openRepository(deps, queries, job.project_id)
  const [texts, manifests] = await Promise.all([
    readJobTexts(deps, queries, repository, job),
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
  { areRisksConfirmed, ...ref }: Decision & { areRisksConfirmed: boolean },
): Promise<AgentJob> {
  const { job, repository } = await lockReview(deps, tx, ref)
  if (job.is_all_risk && !areRisksConfirmed)
    throw new AppError('risks_unconfirmed', {
      details: (job.risks ?? [])
        .slice(0, 50)
        .map(({ path, line, what }) =>
          createFault('high_risk', { file: line === null ? path : `${path}:${line}`, reason: what }),
        ),
    })
  const title = job.title ?? 'a change to the documentation'
  const sign = (await withReadableErrors(findCommitSigner(deps, tx, job.project_id))) ?? undefined
  const merge = await withReadableErrors(
    repository.mergeBranch(
      {
        branch: job.branch ?? '',
        // Merges only the reviewed commit: commits pushed after the review are excluded.
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
      details: merge.files.map((file) => createFault('file_conflict', { file, ref: job.ref })),
    })
  if (merge.kind === 'branch_missing')
    throw new AppError('merge_conflict', {
      params: { reason: 'branch_missing', branch: job.branch ?? '' },
    })
  return await settleDecision(deps, tx, job, 'merged', ref)
}

/** Closes a change in a repository without a forge and deletes its branch. Throws AppError 409 `agent.*`. */
export async function declineAgentReview(deps: DecideDeps, tx: Tx, ref: Decision): Promise<AgentJob> {
  const { job, repository } = await lockReview(deps, tx, ref)
  const branch = { branch: job.branch ?? '', expected: job.pushed_commit ?? '' }
  await withReadableErrors(repository.deleteBranch(branch, AbortSignal.timeout(DECISION_TIMEOUT_MS)))
  return await settleDecision(deps, tx, job, 'closed', ref)
}

async function lockReview(
  deps: DecideDeps,
  tx: Tx,
  ref: Decision,
): Promise<{ job: JobRow; repository: ProjectRepository }> {
  const job = await jobRows.get(tx, ref, ref.id, { lock: true })
  const repository = await openRepository(deps, tx, job.project_id)
  if (job.status === 'active') throw new AppError('agent_job_at_work')
  if (job.pull_request_state === null) throw new AppError('nothing_to_review')
  if (!repository.isLocal) throw new AppError('reviewed_elsewhere')
  requireUndecided(job)
  return { job, repository }
}

async function withReadableErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof PermanentError || (error instanceof GitError && !error.isTemporary))
      throw new AppError('merge_conflict', {
        params: { reason: 'git' },
        details: [{ message: error.message, code: error.code }],
        cause: error,
      })
    const isTooLate = error instanceof DOMException && error.name === 'TimeoutError'
    if (error instanceof GitError || isTooLate)
      throw new AppError('repository_unavailable', {
        details: [{ message: error.message, code: 'source_unreachable' }],
        cause: error,
      })
    throw error
  }
}

async function settleDecision(
  deps: DecideDeps,
  tx: Tx,
  job: JobRow,
  state: 'merged' | 'closed',
  { decidedBy }: Decision,
): Promise<AgentJob> {
  const decided = await recordDecision(deps, tx, job, state, decidedBy)
  return toAgentJob(decided ?? job)
}

async function openRepository(
  deps: { git: PullRequestDeps['git'] },
  queries: Queries,
  projectId: string,
): Promise<ProjectRepository> {
  return openProjectRepository(deps.git, await readSource(queries, projectId))
}

async function buildReview(deps: ReviewDeps, queries: Queries, job: JobRow): Promise<AgentReview> {
  const repository = await openRepository(deps, queries, job.project_id)
  const account = await readJobReport(queries, job)
  return {
    job: toAgentJob(job),
    state: job.pull_request_state ?? 'none',
    isLocal: repository.isLocal,
    summary: job.summary === null ? null : account.summaries.join('\n\n'),
    prompts: account.prompts,
    files: (await readJobTexts(deps, queries, repository, job)).map((texts) =>
      reviewedFile(texts, account.reasons, previewPath(deps.secret, job)),
    ),
    references: account.references,
    dropped: account.dropped,
    risks: (job.risks ?? []).map((note) => ({ ...note, level: riskLevel(note.kind) })),
    needsSecondYes: job.is_all_risk,
  }
}

/**
 * Returns the changed texts between the commit where the job began and the commit it pushed, or its
 * unpublished changes if it ended early or waits for an answer.
 */
async function readJobTexts(
  { reviewTexts }: ReviewDeps,
  queries: Queries,
  repository: ProjectRepository,
  job: JobRow,
): Promise<readonly ChangedTexts[]> {
  const { origin_commit: from, pushed_commit: to, base_commit: base } = job
  const signal = AbortSignal.timeout(DECISION_TIMEOUT_MS)
  if ((EARLY_END_ERROR_CODES.has(job.status) || job.question !== null) && base !== null) {
    const changes = await loadChanges(queries, job.id)
    if (changes.size > 0)
      return await readChangedTexts({ repository, from: from ?? base, to: base }, changes, signal)
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
  const picture = imageUrls({ path, change }, previews)
  return { path, change, reason: reasons[path] ?? null, before, after, route, picture }
}

interface ReviewedImage {
  bytes: Uint8Array
  contentType: string
}

/** `previews` is the job's base path without a trailing slash. Returns null for files other than images. */
function imageUrls({ path, change }: FileChange, previews: string): ReviewedFile['picture'] {
  if (!isImageFile(path) && !isDrawing(path)) return null
  const address = (side: string) =>
    `${previews}/pictures/${side}/${path.split('/').map(encodeURIComponent).join('/')}`
  return {
    before: change === 'added' ? null : address('before'),
    after: change === 'deleted' ? null : address('after'),
  }
}

/** Returns null for a file that is missing, too large or not an image. */
async function readReviewedImage(
  repository: Pick<ProjectRepository, 'openDocs'>,
  commit: string,
  path: string,
  signal: AbortSignal,
): Promise<ReviewedImage | null> {
  await using tree = await repository.openDocs(commit, signal)
  const size = tree.files.get(path)?.sizeBytes
  if (size === undefined || size > MAX_PICTURE_BYTES) return null
  const bytes = Buffer.from(await tree.read(path))
  if (isDrawing(path)) return { bytes: Buffer.from(sanitizeSvg(bytes)), contentType: 'image/svg+xml' }
  const kind = detectImageKind(bytes)
  return kind === null ? null : { bytes, contentType: kind.contentType }
}

function isDrawing(path: string): boolean {
  return /\.svg$/i.test(path)
}
