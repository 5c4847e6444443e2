/**
 * A sweep deletes old rows, then objects that no row needs any more, and records the storage usage. Only one runs in
 * the whole installation. If it is interrupted at any point, the next one continues.
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
import { findNeeded, type Need, type NeededObjects } from './needed-objects.ts'
import {
  type DeletedTotals,
  type DeletionDelay,
  deleteScheduled,
  isDueForDeletion,
  scheduleDeletion,
} from './scheduled-deletions.ts'
import { addUse, type StorageUse, writeUse } from './storage-use.ts'

export interface SweepDeps {
  database: Database
  objects: CheckedStore
  log: Log
  /** Default retention set by the operator. */
  retention: Retention
  /** Seconds that unneeded objects stay, except caches. Must be longer than a job may run. */
  graceSeconds: number
  /** Seconds that unused cache objects stay; null: forever. */
  cacheSeconds: number | null
  /** Maximum bytes of build cache per project. */
  cacheBytes?: number
  /** Called with manifests that rows need but that cannot be read. */
  onMissing?: (manifestKey: string) => void
}

export interface SweepResult {
  use: StorageUse[]
  /** Deleted objects, which were unneeded for long enough. */
  deleted: DeletedTotals
}

/** Same limit as for folders; see src/render/cache/folder-cache.ts. */
const DEFAULT_MAX_CACHE_BYTES = 1024 ** 3
const LIST_BATCH = 1000
/** Id of an advisory lock. Arbitrary, but must not be used elsewhere. */
const SWEEP_LOCK = 7_205_391_446

/** Returns null when another sweep is running. */
export async function sweep(deps: SweepDeps, signal: AbortSignal): Promise<SweepResult | null> {
  return deps.database.tryWithLock(SWEEP_LOCK, async () => {
    await deps.database.transaction(skipUnobservedTime)
    await recordStart(deps.database.queries)
    await retireRows(deps, signal)
    const needed = await findNeeded({ ...deps, ...deps.database }, deps.retention)
    for (const key of needed.missing) deps.onMissing?.(key)
    const use = await markObjects(deps, needed, signal)
    const deleted = await deleteDueObjects(deps, signal)
    await writeUse(deps.database, use)
    await recordEnd(deps.database.queries, deleted)
    deps.log.info({ ...deleted, missing: needed.missing.length }, 'storage.swept')
    return { use, deleted }
  })
}

/** Returns what a sweep would find and delete now, without changing anything. */
export async function previewSweep(deps: SweepDeps, signal: AbortSignal): Promise<SweepResult> {
  const needed = await findNeeded({ ...deps, ...deps.database }, deps.retention)
  const use = await measureObjects(deps, needed, signal, async () => undefined)
  const deleted = { objects: 0, bytes: 0 }
  for (const kind of listKinds()) {
    const { rows } = await sql<{ objects: number; bytes: number }>`
      SELECT count(*)::integer AS objects, coalesce(sum(size_bytes), 0)::bigint AS bytes FROM condemned_objects
      WHERE ${isDueForDeletion(deletionDelay(deps, kind))}`.execute(deps.database.queries)
    deleted.objects += rows[0]?.objects ?? 0
    deleted.bytes += Number(rows[0]?.bytes ?? 0)
  }
  return { use, deleted }
}

/** Whether this many seconds have passed since the last sweep ended. */
export async function isSweepDue(queries: Queries, seconds: number): Promise<boolean> {
  const recent = await queries
    .selectFrom('storage_sweeps')
    .select('started_at')
    .where('ended_at', '>', sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`)
    // After the clock was set back, the last sweep seems to be in the future.
    .where('ended_at', '<=', sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`)
    .executeTakeFirst()
  return recent === undefined
}

async function recordStart(queries: Queries): Promise<void> {
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

/** Renders may reuse caches. Archives and manifests are only used by rows. */
function isCache(kind: string): boolean {
  return kind !== 'bundles' && kind !== 'manifests'
}

/** Null: forever. */
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

/**
 * Scans all stored objects: schedules those that no row needs for deletion, and unschedules those that one needs
 * again.
 */
function markObjects(deps: SweepDeps, needed: NeededObjects, signal: AbortSignal): Promise<StorageUse[]> {
  const { queries } = deps.database
  return measureObjects(deps, needed, signal, async (kind, batch) => {
    const isNeeded = ({ key }: ListedObject) => needed.needOf(key) !== undefined
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
  each: (kind: string, batch: readonly ListedObject[]) => Promise<void>,
): Promise<StorageUse[]> {
  const uses = new Map<string, StorageUse>()
  for (const kind of listKinds()) {
    const unneeded: Need = { organizationId: '', holder: isCache(kind) ? 'renderCache' : 'unneeded' }
    for await (const batch of batchesOf(objects.list(`${kind}/`))) {
      signal.throwIfAborted()
      for (const { key, sizeBytes } of batch) addUse(uses, needed.needOf(key) ?? unneeded, sizeBytes)
      await each(kind, batch)
    }
  }
  return [...uses.values()]
}

async function* batchesOf(list: AsyncIterable<ListedObject>): AsyncGenerator<ListedObject[]> {
  let batch: ListedObject[] = []
  for await (const object of list) {
    batch.push(object)
    if (batch.length < LIST_BATCH) continue
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

/**
 * First half of a sweep: deletes expired rows. Each step is independent and can be repeated after an interruption.
 */
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
