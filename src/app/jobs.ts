/** The only place where a job's name meets its function; a missing one does not compile. */
import { buildExport } from '../export/build-export.ts'
import { failExport } from '../export/store.ts'
import type { ProjectSourceDeps } from '../git/project-source.ts'
import { publishDeployment } from '../hosting/publish-deployment.ts'
import { failDeployment } from '../hosting/store.ts'
import type { ExhaustedJob } from '../queue/exhausted-job.ts'
import type { JobHandlers } from '../queue/job-handler.ts'
import type { Secrets } from './config.ts'
import type { Context } from './context.ts'

export function createJobHandlers(context: Context, secrets: Pick<Secrets, 'gitTokens'>): JobHandlers {
  const deps = {
    database: context.database,
    objects: context.objects,
    git: gitDeps(context, secrets),
    renderChildren: context.config.renderChildren,
    publicUrl: context.publicUrl,
  }
  return {
    'export.build': (payload, job) => buildExport(deps, payload, job),
    'deployment.publish': (payload, job) => publishDeployment(deps, payload, job),
  }
}

function gitDeps({ config, folder }: Context, { gitTokens }: Pick<Secrets, 'gitTokens'>): ProjectSourceDeps {
  const { caFile, proxy, sshAgent } = config.git
  return {
    mirrorsFolder: folder.mirrors,
    tokens: gitTokens,
    settings: { caFile: caFile ?? undefined, proxy: proxy ?? undefined, sshAgent: sshAgent ?? undefined },
  }
}

/** A job without attempts left: its row ends as `failed`, with a reason that names no internals. */
export async function endExhausted(context: Context, job: ExhaustedJob): Promise<void> {
  const { database } = context
  const error = exhaustedSentence(job)
  switch (job.name) {
    case 'export.build':
      await database.transaction((tx) => failExport(tx, { id: job.payload.exportId }, { error }))
      return
    case 'deployment.publish':
      await failDeployment(database.queries, { id: job.payload.deploymentId }, { error })
  }
}

function exhaustedSentence(job: ExhaustedJob): string {
  const why =
    job.reason.kind === 'threw' ? 'An internal error ended the last one; the log has it.' : job.reason.message
  return `Failed after ${job.attempts} attempts. ${why}`
}
