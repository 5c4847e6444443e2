/**
 * A sweep deletes old rows, then objects that rows no longer need, and records the storage usage. Only one
 * sweep runs in the whole installation. After an interruption at any point, the next sweep continues.
 */
import { sql } from 'kysely'
import type { Retention } from '../../base/api/retention.ts'
import type { Log } from '../../base/log.ts'
import { SYSTEM_ACTOR } from '../../database/audit.ts'
import { skipUnobservedTime } from '../../database/clock.ts'
import type { Database, Queries } from '../../database/database.ts'
import { unscheduleObjects } from '../../database/unschedule-objects.ts'
import type { CheckedStore } from '../../objects/checked-store.ts'
import { OBJECT_KINDS, RETIRED_KINDS } from '../../objects/object-kinds.ts'
import type { ListedObject } from '../../objects/object-store.ts'
import { pruneAudit } from '../accounts/audit/audit-chain.ts'
import { retireAgentWork } from '../agent/retire-work.ts'
import { retireAnalytics } from '../analytics/retire-analytics.ts'
import { retireQuestions } from '../assistant/retire-questions.ts'
import { retireRuns } from '../automations/retire-runs.ts'
import { retireVersions } from '../hosting/deploy/retire-versions.ts'
import { retireMails } from '../notifications/mail/retire-mails.ts'
import { retireNotifications } from '../notifications/retire-notifications.ts'
import { retireOffers } from '../projects/lifecycle/project-transfers.ts'
import { type PurgeDeps, purgeProjects } from '../projects/lifecycle/purge-projects.ts'
import { cleanUpWebhooks } from '../webhooks/clean-up-webhooks.ts'
import { clearNeededObjects, findNeededObjects, type Need, type NeededObjects } from './needed-objects.ts'
import {
  type DeletedTotals,
  type DeletionDelay,
  deleteScheduled,
  isDueForDeletion,
  scheduleDeletion,
} from './scheduled-deletions.ts'
import { addStorageUse, type StorageUse, writeStorageUse } from './storage-use.ts'

export interface SweepDeps {
  database: Database
  objects: CheckedStore
  log: Log
  retention: Retention
  /** Seconds for which unneeded objects are retained, except caches. Must be longer than the longest job. */
  graceSeconds: number
  /** Seconds for which unused cache objects are retained; null retains them forever. */
  cacheSeconds: number | null
  cacheBytes?: number
  onMissing?: (manifestKey: string) => void
}

export interface SweepResult {
  use: StorageUse[]
  deleted: DeletedTotals
}

/** Must equal the limit for folders in src/render/cache/folder-cache.ts. */
const DEFAULT_MAX_CACHE_BYTES = 1024 ** 3
const LIST_BATCH_SIZE = 1000
/** Key of an advisory lock; an arbitrary number not used elsewhere. */
const SWEEP_LOCK = 7_205_391_446

export async function sweep(deps: SweepDeps, signal: AbortSignal): Promise<SweepResult | null> {
  return deps.database.tryWithLock(SWEEP_LOCK, async () => {
    await deps.database.transaction(skipUnobservedTime)
    const isContinued = await isUnfinished(deps.database.queries)
    await recordSweepStart(deps.database.queries)
    await retireRows(deps, signal)
    const needed = await findNeededObjects({ ...deps, ...deps.database }, deps.retention, {
      isContinued,
      signal,
    })
    for (const key of needed.missing) deps.onMissing?.(key)
    const use = await markObjects(deps, needed, signal)
    const deleted = await deleteDueObjects(deps, signal)
    await writeStorageUse(deps.database, use)
    await recordEnd(deps.database.queries, deleted)
    await clearNeededObjects(deps.database.queries)
    deps.log.info({ ...deleted, missing: needed.missing.length }, 'storage.swept')
    return { use, deleted }
  })
}

/** Returns the result that a sweep would have now, without changing anything. Waits for a running sweep. */
export async function previewSweep(deps: SweepDeps, signal: AbortSignal): Promise<SweepResult> {
  return deps.database.withLock(SWEEP_LOCK, async () => {
    const { queries } = deps.database
    const isContinued = await isUnfinished(queries)
    const needed = await findNeededObjects({ ...deps, queries }, deps.retention, { isContinued, signal })
    const use = await measureObjects(deps, needed, signal, async () => undefined)
    await clearNeededObjects(queries)
    return { use, deleted: await countDue(deps) }
  })
}

async function countDue(deps: SweepDeps): Promise<DeletedTotals> {
  const deleted = { objects: 0, bytes: 0 }
  for (const kind of listKinds()) {
    const { rows } = await sql<{ objects: number; bytes: number }>`
      SELECT count(*)::integer AS objects, coalesce(sum(size_bytes), 0)::bigint AS bytes FROM condemned_objects
      WHERE ${isDueForDeletion(deletionDelay(deps, kind))}`.execute(deps.database.queries)
    deleted.objects += rows[0]?.objects ?? 0
    deleted.bytes += Number(rows[0]?.bytes ?? 0)
  }
  return deleted
}

async function isUnfinished(queries: Queries): Promise<boolean> {
  const last = await queries.selectFrom('storage_sweeps').select('ended_at').executeTakeFirst()
  return last !== undefined && last.ended_at === null
}

/** Returns true if at least this many seconds have passed since the end of the last sweep. */
export async function isSweepDue(queries: Queries, seconds: number): Promise<boolean> {
  const recent = await queries
    .selectFrom('storage_sweeps')
    .select('started_at')
    .where('ended_at', '>', sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`)
    // After the clock was set back, the end of the last sweep can be in the future.
    .where('ended_at', '<=', sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`)
    .executeTakeFirst()
  return recent === undefined
}

async function recordSweepStart(queries: Queries): Promise<void> {
  const started = { started_at: sql<Date>`clock_timestamp()`, ended_at: null }
  await queries
    .insertInto('storage_sweeps')
    .values(started)
    .onConflict((conflict) => conflict.column('is_one').doUpdateSet(started))
    .execute()
}

async function recordEnd(queries: Queries, { objects, bytes }: DeletedTotals): Promise<void> {
  await queries
    .updateTable('storage_sweeps')
    .set({ ended_at: sql<Date>`clock_timestamp()`, deleted_objects: objects, deleted_bytes: bytes })
    .execute()
}

function listKinds(): string[] {
  return [...Object.keys(OBJECT_KINDS), ...RETIRED_KINDS]
}

/** Renders may reuse cache objects; archives and manifests are only used by rows. */
function isCache(kind: string): boolean {
  return kind !== 'bundles' && kind !== 'manifests'
}

/** Null retains the objects forever. */
function retentionSeconds({ cacheSeconds, graceSeconds }: SweepDeps, kind: string): number | null {
  if (!isCache(kind)) return graceSeconds
  return cacheSeconds === null ? null : Math.max(graceSeconds, cacheSeconds)
}

function deletionDelay(deps: SweepDeps, kind: string): DeletionDelay {
  const maxCacheBytes = kind === 'cache' ? (deps.cacheBytes ?? DEFAULT_MAX_CACHE_BYTES) : null
  return {
    kind,
    seconds: retentionSeconds(deps, kind),
    graceSeconds: deps.graceSeconds,
    maxBytes: maxCacheBytes,
  }
}

/** Scans all stored objects: schedules the deletion of unneeded objects, and cancels it for needed ones. */
function markObjects(deps: SweepDeps, needed: NeededObjects, signal: AbortSignal): Promise<StorageUse[]> {
  const { queries } = deps.database
  return measureObjects(deps, needed, signal, async (kind, batch, needs) => {
    const isNeeded = ({ key }: ListedObject) => needs.has(key)
    await unscheduleObjects(
      queries,
      batch.filter(isNeeded).map(({ key }) => key),
    )
    await scheduleDeletion(
      queries,
      kind,
      batch.filter((object) => !isNeeded(object)),
    )
  })
}

async function measureObjects(
  { objects }: SweepDeps,
  needed: NeededObjects,
  signal: AbortSignal,
  each: (kind: string, batch: readonly ListedObject[], needs: ReadonlyMap<string, Need>) => Promise<void>,
): Promise<StorageUse[]> {
  const uses = new Map<string, StorageUse>()
  for (const kind of listKinds()) {
    const unneeded: Need = { organizationId: '', holder: isCache(kind) ? 'renderCache' : 'unneeded' }
    for await (const batch of batchesOf(objects.list(`${kind}/`))) {
      signal.throwIfAborted()
      const needs = await needed.needsOf(batch.map(({ key }) => key))
      for (const { key, sizeBytes } of batch) addStorageUse(uses, needs.get(key) ?? unneeded, sizeBytes)
      await each(kind, batch, needs)
    }
  }
  return [...uses.values()]
}

async function* batchesOf(list: AsyncIterable<ListedObject>): AsyncGenerator<ListedObject[]> {
  let batch: ListedObject[] = []
  for await (const object of list) {
    batch.push(object)
    if (batch.length < LIST_BATCH_SIZE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function deleteDueObjects(deps: SweepDeps, signal: AbortSignal): Promise<DeletedTotals> {
  const deleted = { objects: 0, bytes: 0 }
  for (const kind of listKinds()) {
    const { objects, bytes } = await deleteScheduled(deps, deletionDelay(deps, kind), signal)
    deleted.objects += objects
    deleted.bytes += bytes
  }
  return deleted
}

/** Deletes expired rows. Each step is independent and can be repeated after an interruption. */
async function retireRows(
  { database, objects, retention }: PurgeDeps & { retention: Retention },
  signal: AbortSignal,
): Promise<void> {
  await purgeProjects({ database, objects }, signal)
  await retireOffers(database.queries)
  await retireAgentWork(database, retention, signal)
  await retireRuns(database.queries, retention)
  await retireVersions(database.queries, retention)
  await cleanUpWebhooks(database.queries, retention)
  await retireAnalytics(database.queries, retention)
  await retireQuestions(database.queries, retention)
  await retireNotifications(database.queries, retention)
  await retireMails(database.queries, retention)
  await retireAudit(database, retention, signal)
}

async function retireAudit(database: Database, retention: Retention, signal: AbortSignal): Promise<void> {
  const organizations = await database.queries
    .selectFrom('organizations')
    .select(['id', 'retention'])
    .execute()
  for (const { id: organizationId, retention: chosen } of organizations) {
    signal.throwIfAborted()
    const days = chosen.audit ?? retention.audit
    if (days === 0) continue
    const before = new Date(Date.now() - days * 86_400_000)
    await database.transaction((tx) => pruneAudit(tx, { organizationId, before, actor: SYSTEM_ACTOR }))
  }
}
