/** deployment.publish: builds a published site version from a source revision. */
import { sql } from 'kysely'
import type { CommitInfo } from '../../../base/files/file-tree.ts'
import { pause } from '../../../base/net/retry.ts'
import type { Queries } from '../../../database/database.ts'
import type { ChangesRow } from '../../../database/schema/hosting.ts'
import { ObjectMissingError, type ObjectStore } from '../../../objects/object-store.ts'
import type { JobContext } from '../../../queue/job-handler.ts'
import type { Jobs } from '../../../queue/job-settings.ts'
import { runRowWork } from '../../../queue/work-row.ts'
import { openPassages } from '../../../render/outputs/version-files.ts'
import { SOURCE_STEP, stepAfterPages, stepDuringPages } from '../../../render/plan/build-steps.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'
import { readManifest } from '../../../render/versions/site-versions.ts'
import { hostedCorpus, storePassages } from '../../assistant/store-passages.ts'
import { createRecord } from './deployment-record.ts'
import { type MakeVersionDeps, makeVersion } from './make-version.ts'
import { publishVersion } from './promote.ts'
import { DEPLOYMENT_WORK, setCommit } from './store.ts'
import { compareVersions } from './version-changes.ts'

/** Runs the same steps as an export with the cloud profile, then moves the pointer. */
export async function publishDeployment(
  deps: MakeVersionDeps,
  { deploymentId }: Jobs['deployment.publish'],
  context: JobContext,
): Promise<void> {
  const { database } = deps
  await waitForTurn(database.queries, deploymentId, context.signal)
  await runRowWork(
    DEPLOYMENT_WORK,
    database,
    deploymentId,
    context,
    async (row, { rowLease: held, signal, recordStep: reach }) => {
      const record = createRecord(row)
      reach(0, { pagesDone: 0, pagesTotal: null, record })
      const { manifest, manifestKey, problems } = await makeVersion(deps, row, {
        log: context.log,
        slot: context.slot,
        onRevision: async (revision, commit) => {
          record.writeLine(`Read ${describeRevision(revision, commit)}`)
          await setCommit(database.queries, held, revision, commit)
          reach(SOURCE_STEP, { pagesDone: 0, pagesTotal: null, record })
        },
        report: (progress) => reach(stepDuringPages(progress), { ...progress, record }),
        onWhole: (pages) => {
          record.writeLine(`Rendered ${pages} ${pages === 1 ? 'page' : 'pages'} and stored all files`)
          reach(stepAfterPages(pages), { pagesDone: pages, pagesTotal: pages, record })
        },
        signal,
        timed: (stage, work) => record.during(stage, () => context.timed(stage, work)),
      })
      await record.during('publish', async () => {
        const changes = await findChanges(deps, row.project_id, manifest)
        const passages = await openPassages(deps.objects, manifest)
        record.writeLine(changes === null ? 'Published' : `Published: ${describeChanges(changes)}`)
        const { revision, pageCount } = manifest
        const version = {
          projectId: row.project_id,
          revision,
          manifestKey,
          pageCount,
          problems,
          changes,
          record,
        }
        await database.transaction(async (tx) => {
          const published = await publishVersion(tx, held, version)
          // While another version is pinned, a new version does not go live, and the assistant does not use it.
          const corpus = hostedCorpus(row.project_id, manifest.assistantInstructions ?? null)
          if (published?.isLive === true) await storePassages(tx, corpus, passages)
          else passages?.destroy()
        })
      })
      context.log.info({ deploymentId, pages: manifest.pageCount }, 'deployment.published')
    },
  )
}

const POLL_INTERVAL_MS = 250
/** Workers update their row more than once a second; without updates for this time, a worker is dead. */
const HEARTBEAT_TIMEOUT_SECONDS = 5

/**
 * Serializes the deployments of a project. A waiting deployment is claimed only at its turn, so it includes
 * everything requested in the meantime.
 */
async function waitForTurn(queries: Queries, deploymentId: string, signal: AbortSignal): Promise<void> {
  const isEarlierAtWork = async () =>
    (await queries
      .selectFrom('deployments as mine')
      .innerJoin('deployments as other', 'other.project_id', 'mine.project_id')
      .select('other.id')
      .where('mine.id', '=', deploymentId)
      .where('mine.status', '=', 'queued')
      .where('mine.attempt', '=', 0)
      .where(sql<boolean>`mine.preview_id IS NOT DISTINCT FROM other.preview_id`)
      .where('other.status', '=', 'running')
      .where(sql<boolean>`other.number < mine.number`)
      .where(
        sql<boolean>`other.updated_at > clock_timestamp() - make_interval(secs => ${HEARTBEAT_TIMEOUT_SECONDS})`,
      )
      .limit(1)
      .executeTakeFirst()) !== undefined
  while (await isEarlierAtWork()) await pause(POLL_INTERVAL_MS, signal)
}

/** Returns null if no version was live before or the live version cannot be read. */
async function findChanges(
  { database, objects }: { database: { queries: Queries }; objects: ObjectStore },
  projectId: string,
  manifest: SiteManifest,
): Promise<ChangesRow | null> {
  const live = await database.queries
    .selectFrom('published_sites')
    .select(['deployment_id', 'manifest_key'])
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (live === undefined) return null
  try {
    const before = await readManifest(objects, live.manifest_key)
    return { comparedWith: live.deployment_id, ...(await compareVersions(before, manifest)) }
  } catch (error) {
    if (error instanceof ObjectMissingError) return null
    throw error
  }
}

function describeRevision(revision: string, commit: CommitInfo | undefined): string {
  if (commit === undefined) return 'the current files of the folder'
  return `commit ${revision.slice(0, 10)} by ${commit.author}: ${commit.title}`
}

function describeChanges({ added, changed, removed }: ChangesRow): string {
  if (added + changed + removed === 0) return 'no page has changed'
  const parts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
  ] as const
  return parts.flatMap(([pages, word]) => (pages === 0 ? [] : [`${pages} ${word}`])).join(', ')
}
