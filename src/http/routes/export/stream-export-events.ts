/** GET /v1/static-export/jobs/{jobId}/events: the job at once, then at each change, until it ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExportJob } from '../../../contract/static-export.ts'
import type { Queries } from '../../../database/database.ts'
import { getExport } from '../../../export/read-export.ts'
import type { ServerEvent } from '../../event-stream.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

/** Between two looks at the row: soon enough for an eye, one indexed read for the database. */
const LOOK_MS = 400

export async function streamExportEvents({
  db,
  caller,
  params,
  signal,
}: CallOf<'streamExportEvents'>): AnswerOf<'streamExportEvents'> {
  const first = await getExport(db, caller.organizationId, params.jobId)
  return changesOf(db, caller.organizationId, first, signal)
}

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
