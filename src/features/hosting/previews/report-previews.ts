/** Reports previews to forges in the background: the commit status and the URL. */
import { sql } from 'kysely'
import type { Log } from '../../../base/log.ts'
import type { Database } from '../../../database/database.ts'
import { type CommitStatus, type Forge, ForgeError } from '../../../git/forges/forge.ts'
import { PROJECT_SOURCE_COLUMNS, type ProjectSourceRow } from '../../../git/project-source.ts'
import type { DeploymentRow } from '../deploy/store.ts'
import { type PreviewAddresses, previewUrl } from './preview-address.ts'
import { commentText, type ReportedPreview } from './preview-report-text.ts'
import type { PreviewRow } from './previews.ts'
import { newestDeployments, previewState } from './read-previews.ts'

export interface ReportPreviewsDeps extends PreviewAddresses {
  database: Database
  log: Log
  openForge(row: ProjectSourceRow): Promise<Forge>
}

const BATCH_SIZE = 10
const REPORT_TIMEOUT_MS = 60_000
/** Delay after the first failure, doubled after each further one. */
const RETRY_SECONDS = 10
const MAX_RETRY_SECONDS = 3600
/** Poll interval while the preview is being built. */
const POLL_INTERVAL_SECONDS = 1

const STATUS = { building: 'pending', ready: 'success', failed: 'failure' } as const
const SENTENCES = {
  building: 'The preview is being built',
  ready: 'The preview is ready',
  failed: 'The preview failed',
} as const

export async function reportPreviews(deps: ReportPreviewsDeps, signal: AbortSignal): Promise<void> {
  if (deps.previewDomain() === null) return
  const rows = await claimDue(deps)
  const newest = await newestDeployments(
    deps.database.queries,
    rows.map(({ id }) => id),
  )
  // Runs concurrently, so that a slow forge does not delay the others and each report is sent within its lease.
  const reports = rows.map(async (preview) => {
    const deployment = newest.get(preview.id)
    if (deployment === undefined) await finishReport(deps, preview, null)
    else await reportPreview(deps, preview, deployment, signal)
  })
  const failed = (await Promise.allSettled(reports)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

async function reportPreview(
  deps: ReportPreviewsDeps,
  preview: PreviewRow,
  deployment: DeploymentRow,
  signal: AbortSignal,
): Promise<void> {
  const reportKey = reportKeyOf(preview, deployment)
  const isOver = preview.removed_at !== null || previewState(deployment) !== 'building'
  try {
    const needsReport = reportKey !== preview.told && (isOver || deployment.revision !== null)
    let refusal = preview.tell_error
    if (needsReport && (preview.removed_at === null || preview.told !== null))
      refusal = await sendReport(
        deps,
        preview,
        deployment,
        AbortSignal.any([signal, AbortSignal.timeout(REPORT_TIMEOUT_MS)]),
      )
    await finishReport(deps, preview, { reports: needsReport ? reportKey : preview.told, isOver, refusal })
  } catch (error) {
    signal.throwIfAborted()
    await postponeReport(deps, preview, error as Error)
  }
}

/** Returns the state to report. The row holds the state that was reported last. */
function reportKeyOf({ removed_at }: PreviewRow, deployment: DeploymentRow): string {
  if (removed_at !== null) return 'removed'
  return `${deployment.id} ${previewState(deployment)}`
}

/** Returns why the forge rejected the commit status, or null. A rejection does not prevent the comment. */
async function sendReport(
  deps: ReportPreviewsDeps,
  preview: PreviewRow,
  deployment: DeploymentRow,
  signal: AbortSignal,
): Promise<string | null> {
  const project = await findProject(deps, preview)
  if (project === undefined || project.source_kind !== 'git') return null
  let refusal: string | null = null
  const forge = await deps.openForge(project)
  const url = previewUrl(deps, preview.label)
  const detailsUrl = `${deps.publicUrl()}/p/${preview.project_id}/deployments/${deployment.id}`
  const state = previewState(deployment)
  if (preview.removed_at === null && deployment.revision !== null) {
    const status: CommitStatus = {
      name: 'octavo/preview',
      commit: deployment.revision,
      branch: preview.is_fork ? null : preview.branch,
      state: STATUS[state],
      description: SENTENCES[state],
      url: state === 'failed' ? detailsUrl : url,
    }
    try {
      await forge.setStatus?.(status, signal)
    } catch (error) {
      if (!(error instanceof ForgeError) || error.isTemporary) throw error
      refusal = `The commit status was rejected. Give the token permission for commit statuses. ${error.message}`
    }
  }
  const number = await pullRequestOf(deps, { preview, project, forge }, signal)
  if (number === null) return refusal
  const reported: ReportedPreview = { preview, deployment, url, detailsUrl }
  const text = commentText(reported)
  await forge.writeComment?.(String(number), { name: `preview of ${preview.project_id}`, text }, signal)
  return refusal
}

/** Finds the open pull request of a branch. It is usually opened only after the push. */
async function pullRequestOf(
  { database }: ReportPreviewsDeps,
  { preview, project, forge }: { preview: PreviewRow; project: ReportedProject; forge: Forge },
  signal: AbortSignal,
): Promise<number | null> {
  const target = (project.ref ?? project.default_branch)?.replace(/^refs\/heads\//, '') ?? null
  if (preview.pull_request !== null || preview.is_fork || target === null) return preview.pull_request
  const found = await forge.findPullRequest({ branch: preview.branch, target }, signal)
  if (found?.state !== 'open') return null
  await database.queries
    .updateTable('previews')
    .set({ pull_request: Number(found.id) })
    .where('id', '=', preview.id)
    .execute()
  return Number(found.id)
}

type ReportedProject = NonNullable<Awaited<ReturnType<typeof findProject>>>

function findProject({ database }: ReportPreviewsDeps, { project_id: projectId }: PreviewRow) {
  return database.queries
    .selectFrom('projects')
    .select([...PROJECT_SOURCE_COLUMNS, 'default_branch'])
    .where('projects.id', '=', projectId)
    .executeTakeFirst()
}

/**
 * Schedules the next report before the current one is sent, so that no other process sends the same report, and
 * so that it is sent again if this process ends.
 */
async function claimDue({ database }: ReportPreviewsDeps): Promise<PreviewRow[]> {
  return database.queries
    .updateTable('previews')
    .set({ tell_at: sql<Date>`clock_timestamp() + make_interval(secs => ${2 * (REPORT_TIMEOUT_MS / 1000)})` })
    .where('id', 'in', (of) =>
      of
        .selectFrom('previews')
        .select('id')
        .where('tell_at', '<=', sql<Date>`clock_timestamp()`)
        .orderBy('tell_at')
        .limit(BATCH_SIZE)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
}

/** `after` is null if there is nothing to report. Keeps an earlier time set by a push in the meantime. */
async function finishReport(
  { database }: ReportPreviewsDeps,
  { id, tell_at: claimedAt }: PreviewRow,
  after: { reports: string | null; isOver: boolean; refusal: string | null } | null,
): Promise<void> {
  const later =
    after === null || after.isOver
      ? sql<Date>`'infinity'::timestamptz`
      : sql<Date>`clock_timestamp() + make_interval(secs => ${POLL_INTERVAL_SECONDS})`
  await database.queries
    .updateTable('previews')
    .set({
      ...(after !== null && { told: after.reports }),
      ...{ tell_failures: 0, tell_error: after?.refusal ?? null },
      tell_at: sql<Date>`CASE WHEN tell_at = ${claimedAt} THEN ${later} ELSE tell_at END`,
    })
    .where('id', '=', id)
    .execute()
}

async function postponeReport(
  { database, log }: ReportPreviewsDeps,
  { id, tell_failures: failures }: PreviewRow,
  error: Error,
): Promise<void> {
  const reports =
    error instanceof ForgeError ? error.message : 'The forge could not be informed of the preview.'
  const requestedSeconds = error instanceof ForgeError ? (error.retryAfterSeconds ?? 0) : 0
  const seconds = Math.max(
    requestedSeconds,
    Math.min(MAX_RETRY_SECONDS, RETRY_SECONDS * 2 ** Math.min(failures, 10)),
  )
  log.info({ previewId: id, error: error.message }, 'previews.not_told')
  await database.queries
    .updateTable('previews')
    .set({
      tell_failures: failures + 1,
      tell_error: reports,
      tell_at: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`,
    })
    .where('id', '=', id)
    .execute()
}
