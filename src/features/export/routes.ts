/** Routes of static exports: start, progress, cancel, and the link to the archive. */
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { ServerEvent } from '../../routing/event-stream.ts'
import { type Handlers, locationHeader, parsing } from '../../routing/handler.ts'
import { createSharedPolls } from '../../routing/shared-polls.ts'
import { type BundleLinkDeps, createBundleLink } from './bundle-link.ts'
import { type ExportJob, STATIC_EXPORT_OPERATIONS } from './operations/static-export.ts'
import { cancelExport, getExport, listExports } from './read-export.ts'
import { parseExportBody, type StartExportDeps, startExport } from './start-export.ts'

interface StaticExportDeps extends StartExportDeps, BundleLinkDeps {
  cursors: CursorCodec
  publicUrl: () => string
}

export function staticExportHandlers(deps: StaticExportDeps): Handlers<typeof STATIC_EXPORT_OPERATIONS> {
  const polls = createSharedPolls<ExportJob>()
  return {
    startExport: parsing(
      ({ body }) => parseExportBody(body),
      async ({ tx, caller, body }, { domain }) => {
        const job = await startExport(deps, tx, caller, { ...body, domain })
        const { jobId, deployment } = job
        return {
          body: job,
          headers: locationHeader(deps, STATIC_EXPORT_OPERATIONS.getExport, { jobId }),
          audit: { subject: jobId, details: { domain, deployment } },
        }
      },
    ),
    listExports: async ({ db, caller, query }) => ({
      body: await listExports(deps, db, caller, query),
    }),
    getExport: async ({ db, caller, params }) => ({
      body: await getExport(db, caller.organizationId, params.jobId),
    }),
    generateBundle: async ({ tx, caller, params }) => ({
      body: await createBundleLink(deps, tx, caller.organizationId, params.jobId),
    }),
    cancelExport: async ({ tx, caller, params }) => ({
      body: await cancelExport(tx, caller.organizationId, params.jobId),
    }),
    async streamExportEvents({ db, caller: { organizationId }, params: { jobId }, signal }) {
      const loadJob = () =>
        polls.load(`${organizationId} ${jobId}`, () => getExport(db, organizationId, jobId))
      return streamChanges(await loadJob(), loadJob, () => polls.nextPoll(signal))
    },
  }
}

async function* streamChanges(
  first: ExportJob,
  loadJob: () => Promise<ExportJob>,
  waitForPoll: () => Promise<void>,
): AsyncGenerator<ServerEvent> {
  let shown = visibleState(first)
  yield { event: 'job', data: first }
  let job = first
  while (job.status === 'queued' || job.status === 'running') {
    await waitForPoll()
    job = await loadJob()
    const now = visibleState(job)
    if (now === shown) continue
    shown = now
    yield { event: 'job', data: job }
  }
}

/** Excludes `updatedAt`, which changes with every heartbeat of the worker. */
function visibleState(job: ExportJob): string {
  return JSON.stringify({ ...job, updatedAt: null })
}
