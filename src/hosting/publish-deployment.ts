/** deployment.publish: one revision of a source in, one published site version out. */
import { keepPassages } from '../assistant/keep-passages.ts'
import type { Jobs } from '../contract/jobs.ts'
import type { JobContext } from '../queue/job-handler.ts'
import { workRow } from '../queue/work-row.ts'
import { SOURCE_STEP, stepAmongPages, stepBehindPages } from '../render/build-steps.ts'
import { openPassages } from '../render/passages.ts'
import { type MakeVersionDeps, makeVersion } from './make-version.ts'
import { DEPLOYMENT_WORK, publishVersion } from './store.ts'

/** The same steps as an export with the cloud profile, then one pointer moves. */
export async function publishDeployment(
  deps: MakeVersionDeps,
  { deploymentId }: Jobs['deployment.publish'],
  context: JobContext,
): Promise<void> {
  const { database } = deps
  await workRow(DEPLOYMENT_WORK, database, deploymentId, context, async (row, { held, signal, reach }) => {
    const { manifest, manifestKey, problems } = await makeVersion(deps, row, {
      log: context.log,
      onRevision: async () => reach(SOURCE_STEP, { pagesDone: 0, pagesTotal: null }),
      report: (progress) => reach(stepAmongPages(progress), progress),
      onWhole: (pages) => reach(stepBehindPages(pages), { pagesDone: pages, pagesTotal: pages }),
      signal,
      timed: context.timed,
    })
    const { revision, pageCount } = manifest
    const version = { projectId: row.project_id, revision, manifestKey, pageCount, problems }
    const passages = await openPassages(deps.objects, manifest)
    const corpus = { projectId: row.project_id, place: 'hosted' as const, startedAt: row.created_at }
    await database.transaction(async (tx) => {
      if (await publishVersion(tx, held, version)) await keepPassages(tx, corpus, passages)
      else passages?.destroy()
    })
    context.log.info({ deploymentId, pages: pageCount }, 'deployment.published')
  })
}
