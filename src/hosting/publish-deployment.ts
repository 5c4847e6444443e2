/** deployment.publish: one revision of a source in, one published site version out. */
import { isMachinery } from '../base/machinery-error.ts'
import { jobErrorCode } from '../contract/job-errors.ts'
import type { Jobs } from '../contract/jobs.ts'
import { toWarnings } from '../contract/problem.ts'
import { isFinal } from '../git/project-source.ts'
import { boundPassed, createSteps, lostFailure } from '../queue/attempt-place.ts'
import { HandedOnError, type JobContext } from '../queue/job-handler.ts'
import { MAX_ATTEMPTS } from '../queue/job-settings.ts'
import { holdLease, RowLostError } from '../queue/lease.ts'
import { SOURCE_STEP, stepAmongPages, stepBehindPages } from '../render/build-steps.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import { type MakeVersionDeps, makeVersion } from './make-version.ts'
import {
  claimDeployment,
  type DeploymentProgress,
  endDeploymentAttempt,
  failDeployment,
  handOnDeployment,
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
  const fail = (failure: Parameters<typeof failDeployment>[2]) =>
    deps.database.transaction((tx) => failDeployment(tx, held, failure))
  if (deployment.stalled >= MAX_ATTEMPTS) return void (await fail(lostFailure(deployment)))
  const steps = createSteps(deployment)
  await using row = holdLease<DeploymentProgress>(context.signal, (state) =>
    writeDeploymentProgress(queries, held, state, steps.place()),
  )
  try {
    const { manifest, manifestKey, problems } = await makeVersion(deps, deployment, {
      log: context.log,
      onRevision: async () => row.report({ pagesDone: 0, pagesTotal: null }, steps.go(SOURCE_STEP)),
      report: (progress) => row.report(progress, steps.go(stepAmongPages(progress))),
      onWhole: (pages) =>
        row.report({ pagesDone: pages, pagesTotal: pages }, steps.go(stepBehindPages(pages))),
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
    // Neither the end of a server nor a full disk is an attempt.
    const isNone = row.signal.aborted
      ? row.signal.reason instanceof HandedOnError
      : await context.lacksRoom(error)
    if (isNone) await handOnDeployment(queries, held).catch(() => undefined)
    if (isNone || row.signal.aborted) throw error
    await row.flush()
    const stalled = await endDeploymentAttempt(queries, held, boundPassed(error))
    if (!isFinal(error, stalled >= MAX_ATTEMPTS)) throw error
    if (isMachinery(error)) context.log.error({ deploymentId, error: error.message }, 'deployment.failed')
    await fail({
      error: error.message,
      code: jobErrorCode(error),
      ...(error instanceof SiteUnloadableError ? { warnings: toWarnings(error.problems) } : {}),
    })
  }
}
