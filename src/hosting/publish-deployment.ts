/** deployment.publish: one revision of a source in, one published site version out. */
import { ProcessLimitError } from '../base/process-limit-error.ts'
import type { Jobs } from '../contract/jobs.ts'
import { toWarnings } from '../contract/problem.ts'
import { isFinal } from '../git/project-source.ts'
import { holdRow, RowLostError } from '../queue/hold-row.ts'
import type { JobContext } from '../queue/job-handler.ts'
import { MAX_ATTEMPTS } from '../queue/job-settings.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import { type MakeVersionDeps, makeVersion } from './make-version.ts'
import {
  claimDeployment,
  failDeployment,
  giveBackDeployment,
  publishVersion,
  writeDeploymentProgress,
} from './store.ts'

/** The same steps as an export with the cloud profile, then one pointer moves. */
export async function publishDeployment(
  deps: MakeVersionDeps,
  { deploymentId }: Jobs['deployment.publish'],
  context: JobContext,
): Promise<void> {
  const { queries } = deps.database
  const held = { id: deploymentId, attempt: context.attempt }
  const deployment = await claimDeployment(queries, held)
  if (!deployment) return
  await using row = holdRow<{ pagesDone: number; pagesTotal: number }>(context.signal, (state) =>
    writeDeploymentProgress(queries, held, state),
  )
  try {
    const { manifest, manifestKey, problems } = await makeVersion(deps, deployment, {
      log: context.log,
      report: row.report,
      signal: row.signal,
      timed: context.timed,
    })
    await deps.database.transaction((tx) =>
      publishVersion(tx, held, {
        projectId: deployment.project_id,
        revision: manifest.revision,
        manifestKey,
        pageCount: manifest.pageCount,
        problems,
      }),
    )
    context.log.info({ deploymentId, pages: manifest.pageCount }, 'deployment.published')
  } catch (error) {
    if (row.signal.reason instanceof RowLostError) return
    if (row.signal.aborted) throw error
    if (!isFinal(error, context.attempt >= MAX_ATTEMPTS)) {
      if (error instanceof ProcessLimitError) await giveBackDeployment(queries, held, error.message)
      throw error
    }
    const failure = {
      error: error.message,
      ...(error instanceof SiteUnloadableError ? { warnings: toWarnings(error.problems) } : {}),
    }
    await deps.database.transaction((tx) => failDeployment(tx, held, failure))
  }
}
