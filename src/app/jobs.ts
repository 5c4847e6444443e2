/** Maps each job name to its function, checked by the compiler. */

import type { JobErrorCode } from '../base/errors/permanent-error.ts'
import type { Tx } from '../database/database.ts'
import type { WorkFailure } from '../database/warnings.ts'
import { jobRows } from '../features/agent/store.ts'
import { exportRows } from '../features/export/store.ts'
import { deploymentRows } from '../features/hosting/deploy/store.ts'
import type { ExhaustedJob, ExhaustedReason } from '../queue/exhausted-job.ts'
import type { JobHandlers } from '../queue/job-handler.ts'
import type { JobName, Jobs } from '../queue/job-settings.ts'
import type { AgentServices } from './agent.ts'
import type { Context } from './context.ts'
import { findSigner } from './operator/signing-key.ts'

export function createJobHandlers(context: Context, agent: Pick<AgentServices, 'run'>): JobHandlers {
  const deps = {
    database: context.database,
    objects: context.objects,
    guardedFetch: context.egress.fetchFor('remoteFiles'),
    git: agent.run.git,
    renderChildren: context.config.renderChildren,
    sampleRunner: context.config.sampleRunner,
    siteMemoryMb: context.config.siteMemoryMb,
    publicUrl: context.publicUrl,
    findSigner: () => findSigner(context.config),
    hasAssistant: () => context.models.current().assistant !== null,
  }
  // The first job of each kind loads its module, because nodes that only serve requests do not need it.
  return {
    async 'export.build'(payload, job) {
      const { buildExport } = await import('../features/export/build-export.ts')
      await buildExport(deps, payload, job)
    },
    async 'export.restore'(payload, job) {
      const { restoreBundle } = await import('../features/export/archive/restore-bundle.ts')
      await restoreBundle(deps, payload, job)
    },
    async 'deployment.publish'(payload, job) {
      const { publishDeployment } = await import('../features/hosting/deploy/publish-deployment.ts')
      await publishDeployment(deps, payload, job)
    },
    async 'deployment.restore'(payload, job) {
      const { restoreVersion } = await import('../features/hosting/deploy/restore-version.ts')
      await restoreVersion(deps, payload, job)
    },
    async 'agent.run'(payload, job) {
      const { runAgentJob } = await import('../features/agent/run-job.ts')
      await runAgentJob(agent.run, payload, job)
    },
  }
}

type MarkRowFailed<Name extends JobName> = (
  tx: Tx,
  payload: Jobs[Name],
  failure: WorkFailure,
) => Promise<unknown>

/** By job name: marks the row of a job without attempts left as failed. Null: the next request restarts the job. */
const FAILURE_HANDLERS: { [Name in JobName]: MarkRowFailed<Name> | null } = {
  'export.build': (tx, { exportId }, failure) => exportRows.fail(tx, { id: exportId }, failure),
  'export.restore': null,
  'deployment.publish': (tx, { deploymentId }, failure) =>
    deploymentRows.fail(tx, { id: deploymentId }, failure),
  'deployment.restore': null,
  'agent.run': (tx, { jobId }, failure) => jobRows.fail(tx, { id: jobId }, failure),
}

const CODES: Record<ExhaustedReason['kind'], JobErrorCode> = {
  threw: 'internal',
  worker_lost: 'worker_lost',
  deadline: 'deadline_passed',
}

/** Marks the row of a job without attempts left as `failed`, with a reason that reveals no internals. */
export async function endExhausted<Name extends JobName>(
  context: Context,
  job: ExhaustedJob<Name>,
): Promise<void> {
  const endRow = FAILURE_HANDLERS[job.name]
  if (endRow === null) return
  await context.database.transaction((tx) => endRow(tx, job.payload, exhausted(job)))
}

function exhausted(job: Pick<ExhaustedJob, 'reason' | 'attempts'>): { error: string; code: JobErrorCode } {
  const why =
    job.reason.kind === 'threw'
      ? 'The last attempt ended with an internal error. See the log.'
      : job.reason.message
  return { error: `Failed after ${job.attempts} attempts. ${why}`, code: CODES[job.reason.kind] }
}
