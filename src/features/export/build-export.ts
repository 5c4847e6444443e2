/** export.build: builds a bundle from a source revision and writes it to object storage. */

import { toWarnings } from '../../base/errors/problem.ts'
import type { JobContext } from '../../queue/job-handler.ts'
import type { Jobs } from '../../queue/job-settings.ts'
import { runRowWork } from '../../queue/work-row.ts'
import { openPassages } from '../../render/outputs/version-files.ts'
import { SOURCE_STEP, stepAfterPages, stepDuringPages } from '../../render/plan/build-steps.ts'
import type { RenderProgress } from '../../render/plan/render-scope.ts'
import { storePassages } from '../assistant/store-passages.ts'
import { readBundleServers } from './bundle-servers.ts'
import { type MakeBundleDeps, makeBundle } from './make-bundle.ts'
import { ARCHIVE_PROGRESS } from './operations/static-export.ts'
import { completeExport, EXPORT_WORK, type ExportProgress, type ExportRow, setRevisionOnce } from './store.ts'

export async function buildExport(
  deps: MakeBundleDeps,
  { exportId }: Jobs['export.build'],
  context: JobContext,
): Promise<void> {
  const { database } = deps
  await runRowWork(
    EXPORT_WORK,
    database,
    exportId,
    context,
    async (job, { rowLease: held, signal, recordStep: reach }) => {
      const { bundle, manifest, problems } = await makeBundle(deps, job, {
        log: context.log,
        slot: context.slot,
        onRevision: async (revision) => {
          reach(SOURCE_STEP, NO_PROGRESS)
          return await setRevisionOnce(database.queries, held, revision)
        },
        report: (progress) => reach(stepDuringPages(progress), renderProgress(progress)),
        onWhole: (pages) => reach(stepAfterPages(pages), archiveProgress(pages)),
        signal,
        timed: context.timed,
      })
      const result = {
        ...bundle,
        pageCount: manifest.pageCount,
        warnings: toWarnings(problems),
        callServers: await readBundleServers(deps.objects, manifest),
      }
      const passages = isForEverybody(job) ? await openPassages(deps.objects, manifest) : null
      const corpus = {
        projectId: job.project_id,
        place: 'bundle' as const,
        startedAt: job.created_at,
        instructions: manifest.assistantInstructions ?? null,
      }
      await database.transaction(async (tx) => {
        const isOurs = await completeExport(tx, held, result)
        if (isOurs && passages !== null) await storePassages(tx, corpus, passages)
        else passages?.destroy()
      })
      context.log.info({ exportId, pages: manifest.pageCount, ...bundle }, 'export.built')
    },
  )
}

/** Only public bundles get an assistant, because it is queried by site id, without information about the reader. */
function isForEverybody({ groups }: Pick<ExportRow, 'groups'>): boolean {
  return groups.length === 0
}

const NO_PROGRESS: ExportProgress = { progress: 0, pageCount: 0, totalPages: null }

/** Counts each page twice: once when rendered and once when written. */
function renderProgress({ pagesDone, pagesLaidOut, pagesTotal }: RenderProgress): ExportProgress {
  const share = pagesTotal === 0 ? 0 : (pagesDone + pagesLaidOut) / (2 * pagesTotal)
  return {
    progress: share * ARCHIVE_PROGRESS,
    pageCount: pagesDone,
    totalPages: pagesTotal,
  }
}

function archiveProgress(pages: number): ExportProgress {
  return { progress: ARCHIVE_PROGRESS, pageCount: pages, totalPages: pages }
}
