/** POST /v1/static-export/jobs: the job is queued, and its address is told. */
import { type StartExportDeps, startExport as start } from '../../../export/start-export.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export interface StartExportRouteDeps extends StartExportDeps {
  publicUrl: () => string
}

export async function startExport(
  deps: StartExportRouteDeps,
  { tx, caller, body }: CallOf<'startExport'>,
): AnswerOf<'startExport'> {
  const job = await start(deps, tx, caller, body)
  const { jobId: subject, domain, deployment } = job
  return {
    body: job,
    headers: { Location: `${deps.publicUrl()}/v1/static-export/jobs/${subject}` },
    audit: { subject, details: { domain, deployment } },
  }
}
