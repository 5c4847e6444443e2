/** The only place where a job's name meets its function; a missing one does not compile. */
import { jobRows } from '../agent/store.ts'
import type { JobErrorCode } from '../contract/job-errors.ts'
import { exportRows } from '../export/store.ts'
import { deploymentRows } from '../hosting/store.ts'
import type { ExhaustedJob, ExhaustedReason } from '../queue/exhausted-job.ts'
import type { JobHandlers } from '../queue/job-handler.ts'
import type { AgentParts } from './agent.ts'
import type { Context } from './context.ts'
import { findSigner } from './signing-key.ts'

export function createJobHandlers(context: Context, agent: Pick<AgentParts, 'run'>): JobHandlers {
  const deps = {
    database: context.database,
    objects: context.objects,
    guardedFetch: context.guardedFetch,
    git: agent.run.git,
    renderChildren: context.config.renderChildren,
    siteMemoryMb: context.config.siteMemoryMb,
    publicUrl: context.publicUrl,
    findSigner: () => findSigner(context.config),
    hasAssistant: () => context.models.current().assistant !== null,
  }
  // Loaded by the first job of a kind: a node that only answers needs none of it.
  return {
    async 'export.build'(payload, job) {
      const { buildExport } = await import('../export/build-export.ts')
      await buildExport(deps, payload, job)
    },
    async 'export.restore'(payload, job) {
      const { restoreBundle } = await import('../export/restore-bundle.ts')
      await restoreBundle(deps, payload, job)
    },
    async 'deployment.publish'(payload, job) {
      const { publishDeployment } = await import('../hosting/publish-deployment.ts')
      await publishDeployment(deps, payload, job)
    },
    async 'deployment.restore'(payload, job) {
      const { restoreVersion } = await import('../hosting/restore-version.ts')
      await restoreVersion(deps, payload, job)
    },
    async 'agent.run'(payload, job) {
      const { runAgentJob } = await import('../agent/run-job.ts')
      await runAgentJob(agent.run, payload, job)
    },
  }
}

const CODES: Record<ExhaustedReason['kind'], JobErrorCode> = {
  threw: 'internal',
  worker_lost: 'worker_lost',
  deadline: 'deadline_passed',
}

/** A job without attempts left: its row ends as `failed`, with a reason that names no internals. */
export async function endExhausted(context: Context, job: ExhaustedJob): Promise<void> {
  const { database } = context
  const failure = exhausted(job)
  switch (job.name) {
    case 'export.build':
      await database.transaction((tx) => exportRows.fail(tx, { id: job.payload.exportId }, failure))
      return
    case 'export.restore':
    case 'deployment.restore':
      return // The next one who needs it asks for it again.
    case 'deployment.publish':
      await database.transaction((tx) => deploymentRows.fail(tx, { id: job.payload.deploymentId }, failure))
      return
    case 'agent.run':
      await database.transaction((tx) => jobRows.fail(tx, { id: job.payload.jobId }, failure))
  }
}

function exhausted(job: ExhaustedJob): { error: string; code: JobErrorCode } {
  const why =
    job.reason.kind === 'threw' ? 'An internal error ended the last one; the log has it.' : job.reason.message
  return { error: `Failed after ${job.attempts} attempts. ${why}`, code: CODES[job.reason.kind] }
}
