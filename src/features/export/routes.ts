/** Routes of static exports: start, progress, cancel, and the link to the archive. */
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { ServerEvent } from '../../routing/event-stream.ts'
import { type Handlers, locationOf, parsing } from '../../routing/handler.ts'
import { createSharedLooks } from '../../routing/shared-looks.ts'
import { type BundleLinkDeps, createBundleLink } from './bundle-link.ts'
import { type ExportJob, STATIC_EXPORT_OPERATIONS } from './operations/static-export.ts'
import { cancelExport, getExport, listExports } from './read-export.ts'
import { parseStart, type StartExportDeps, startExport } from './start-export.ts'

export interface StaticExportDeps extends StartExportDeps, BundleLinkDeps {
  cursors: CursorCodec
  publicUrl: () => string
}

export function staticExportHandlers(deps: StaticExportDeps): Handlers<typeof STATIC_EXPORT_OPERATIONS> {
  const looks = createSharedLooks<ExportJob>()
  return {
    startExport: parsing(
      ({ body }) => parseStart(body),
      async ({ tx, caller, body }, { domain }) => {
        const job = await startExport(deps, tx, caller, { ...body, domain })
        const { jobId, deployment } = job
        return {
          body: job,
          headers: locationOf(deps, STATIC_EXPORT_OPERATIONS.getExport, { jobId }),
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
      const look = () => looks.ask(`${organizationId} ${jobId}`, () => getExport(db, organizationId, jobId))
      return changesOf(await look(), look, () => looks.next(signal))
    },
  }
}

async function* changesOf(
  first: ExportJob,
  look: () => Promise<ExportJob>,
  nextLook: () => Promise<void>,
): AsyncGenerator<ServerEvent> {
  let shown = visibleState(first)
  yield { event: 'job', data: first }
  let job = first
  while (job.status === 'queued' || job.status === 'running') {
    await nextLook()
    job = await look()
    const now = visibleState(job)
    if (now === shown) continue
    shown = now
    yield { event: 'job', data: job }
  }
}

/** Excludes `updatedAt`, because a worker's heartbeat changes it without any news. */
function visibleState(job: ExportJob): string {
  return JSON.stringify({ ...job, updatedAt: null })
}
