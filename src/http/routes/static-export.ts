/** Static exports: started, followed, cancelled, and the link to the archive. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CursorCodec } from '../../base/signed-cursor.ts'
import { type ExportJob, STATIC_EXPORT_OPERATIONS } from '../../contract/static-export.ts'
import type { Queries } from '../../database/database.ts'
import { type BundleLinkDeps, createBundleLink } from '../../export/bundle-link.ts'
import { cancelExport, getExport, listExports } from '../../export/read-export.ts'
import { parseStart, type StartExportDeps, startExport } from '../../export/start-export.ts'
import type { ServerEvent } from '../event-stream.ts'
import { type Handlers, locationOf, parsing } from '../handler.ts'

export interface StaticExportDeps extends StartExportDeps, BundleLinkDeps {
  cursors: CursorCodec
  publicUrl: () => string
}

export function staticExportHandlers(deps: StaticExportDeps): Handlers<typeof STATIC_EXPORT_OPERATIONS> {
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
    async streamExportEvents({ db, caller, params, signal }) {
      const first = await getExport(db, caller.organizationId, params.jobId)
      return changesOf(db, caller.organizationId, first, signal)
    },
  }
}

/** Between two looks at the row: soon enough for an eye, one indexed read for the database. */
const LOOK_MS = 400

async function* changesOf(
  db: Queries,
  organizationId: string,
  first: ExportJob,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let shown = visibleState(first)
  yield { event: 'job', data: first }
  let job = first
  while (job.status === 'queued' || job.status === 'running') {
    await sleep(LOOK_MS, undefined, { signal })
    job = await getExport(db, organizationId, job.jobId)
    const now = visibleState(job)
    if (now === shown) continue
    shown = now
    yield { event: 'job', data: job }
  }
}

/** A worker's heartbeat moves `updatedAt` alone: that is no news. */
function visibleState(job: ExportJob): string {
  return JSON.stringify({ ...job, updatedAt: null })
}
