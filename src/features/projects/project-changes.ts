/**
 * Streams changes of a project to its viewers. While a project has viewers, polls the newest rows of each kind
 * about once a second; all viewers of the project in this process share the poll. Does not use triggers with
 * NOTIFY, which would serialize the commits of readers' votes.
 *
 * Each poll compares the rows' times of change with the previous poll, so it also finds commits that are late,
 * in another order, or made by other servers.
 */
import { CompiledQuery } from 'kysely'
import type { Log } from '../../base/log.ts'
import type { Queries } from '../../database/database.ts'
import type { ProjectEvent } from './operations/projects.ts'

export interface ProjectWatch {
  /**
   * Resolves after the first poll. Every change after that is reported, so a caller that reads its data then misses
   * none. The signal ends the stream. A slow consumer misses no change either, but repeated changes of an object are
   * merged.
   */
  follow(projectId: string, signal: AbortSignal): Promise<Followed>
}

export interface Followed {
  changes: AsyncGenerator<ProjectEvent>
  /** Whether a change occurred in the previous minute, in which case data read just before may be outdated. */
  hasJustChanged: boolean
}

export interface ProjectWatchOptions {
  pollMs?: number
}

const POLL_INTERVAL_MS = 800
/** Delay after a failed poll, because the database is unavailable. */
const RETRY_INTERVAL_MS = 3000
/** Age up to which a change counts as recent. */
const RECENT_CHANGE_MS = 60_000
/** Maximum number of changes per kind and poll that are reported individually. */
const MAX_NAMED_CHANGES = 50

interface Snapshot {
  /** Times of the last change by kind and id. */
  rows: Map<string, string>
  feedbackCount: number
  /** Number of the last recorded feedback change. */
  lastChange: number
}

interface WatchedProject {
  projectId: string
  /** Resolves after the first poll. Never rejects. */
  started: Promise<void>
  /** Local time at which a recent change was last found; -Infinity if none was found. */
  changedAt: number
  followers: Set<(event: ProjectEvent) => void>
  snapshot: Snapshot | null
  timer: NodeJS.Timeout | null
}

export function createProjectWatch(
  deps: { queries: Queries; log: Log },
  { pollMs = POLL_INTERVAL_MS }: ProjectWatchOptions = {},
): ProjectWatch {
  const watched = new Map<string, WatchedProject>()

  async function runPolls(watch: WatchedProject): Promise<void> {
    let waitMs = pollMs
    try {
      const now = await poll(deps.queries, watch.projectId, watch.snapshot)
      const events = watch.snapshot === null ? [] : diffEvents(watch.snapshot, now)
      watch.snapshot = now.snapshot
      if (now.hasJustChanged || events.length > 0) watch.changedAt = performance.now()
      for (const event of events) for (const notify of watch.followers) notify(event)
    } catch (error) {
      deps.log.warn({ projectId: watch.projectId, error: (error as Error).message }, 'dashboard.watch_failed')
      waitMs = RETRY_INTERVAL_MS
    }
    if (watched.get(watch.projectId) === watch) {
      watch.timer = setTimeout(() => void runPolls(watch), waitMs).unref()
    }
  }

  function watchOf(projectId: string): WatchedProject {
    const known = watched.get(projectId)
    if (known !== undefined) return known
    const started = Promise.resolve()
    const watch: WatchedProject = {
      projectId,
      started,
      changedAt: Number.NEGATIVE_INFINITY,
      followers: new Set(),
      snapshot: null,
      timer: null,
    }
    watched.set(projectId, watch)
    watch.started = runPolls(watch)
    return watch
  }

  function unfollow(watch: WatchedProject, notify: (event: ProjectEvent) => void): void {
    watch.followers.delete(notify)
    if (watch.followers.size > 0 || watched.get(watch.projectId) !== watch) return
    if (watch.timer !== null) clearTimeout(watch.timer)
    watched.delete(watch.projectId)
  }

  return {
    async follow(projectId, signal) {
      const watch = watchOf(projectId)
      const changeQueue = createChangeQueue(signal)
      watch.followers.add(changeQueue.notify)
      signal.addEventListener('abort', () => unfollow(watch, changeQueue.notify), { once: true })
      if (signal.aborted) unfollow(watch, changeQueue.notify)
      await watch.started
      return {
        changes: changeQueue.events(),
        hasJustChanged: performance.now() - watch.changedAt < RECENT_CHANGE_MS,
      }
    },
  }
}

function createChangeQueue(signal: AbortSignal) {
  const waiting = new Map<string, ProjectEvent>()
  let wake: () => void = () => undefined
  signal.addEventListener('abort', () => wake(), { once: true })
  return {
    notify(event: ProjectEvent): void {
      waiting.set(`${event.kind}:${event.id}`, event)
      wake()
    },
    async *events(): AsyncGenerator<ProjectEvent> {
      while (!signal.aborted) {
        const events = [...waiting.values()]
        waiting.clear()
        yield* events
        if (waiting.size > 0 || signal.aborted) continue
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

interface PollResult {
  snapshot: Snapshot
  hasJustChanged: boolean
  ids: Map<ProjectEvent['kind'], Set<string>>
}

const MAX_NEWEST_FEEDBACK = 100
/** Number of earlier change numbers that each poll reads again: a change may commit after ones with higher numbers. */
const MAX_LATE_CHANGES = 200
const MAX_CHANGES = 1000

/** A poll reads only the end of each index. Changes of older feedback are recorded and found by their number. */
const IS_RECENT_CONDITION = `updated_at > clock_timestamp() - interval '${RECENT_CHANGE_MS} milliseconds'`
const POLL_QUERY = `
  (SELECT 'feedback' AS kind, id, updated_at::text AS at, ${IS_RECENT_CONDITION} AS is_new FROM feedback WHERE project_id = $1
    ORDER BY sort_at DESC, id DESC LIMIT ${MAX_NEWEST_FEEDBACK})
  UNION ALL (SELECT 'agent_job', id, updated_at::text, ${IS_RECENT_CONDITION} FROM agent_jobs WHERE project_id = $1
    ORDER BY created_at DESC, id DESC LIMIT 50)
  UNION ALL (SELECT 'agent_job', id, updated_at::text, ${IS_RECENT_CONDITION} FROM agent_jobs WHERE project_id = $1 AND status = 'active')
  UNION ALL (SELECT 'export', id, updated_at::text, ${IS_RECENT_CONDITION} FROM static_exports WHERE project_id = $1
    ORDER BY created_at DESC, id DESC LIMIT 50)
  UNION ALL (SELECT 'deployment', id, updated_at::text, ${IS_RECENT_CONDITION} FROM deployments WHERE project_id = $1
    ORDER BY created_at DESC, id DESC LIMIT 20)
  UNION ALL (SELECT 'deployment', id, updated_at::text, ${IS_RECENT_CONDITION} FROM deployments
    WHERE project_id = $1 AND preview_id IS NULL ORDER BY created_at DESC, id DESC LIMIT 20)
  UNION ALL (SELECT 'project', id, updated_at::text, ${IS_RECENT_CONDITION} FROM projects WHERE id = $1)
  UNION ALL (SELECT 'notification', event.id, '', event.created_at > clock_timestamp() - interval '${RECENT_CHANGE_MS} milliseconds'
    FROM notification_events AS event WHERE is_spread
      AND organization_id = (SELECT organization_id FROM projects WHERE id = $1) ORDER BY id DESC LIMIT 20)
  UNION ALL (SELECT 'domain', domain, updated_at::text, ${IS_RECENT_CONDITION} FROM project_domains WHERE project_id = $1)
  UNION ALL (SELECT 'change', change.id::text, change.feedback_id, ${IS_RECENT_CONDITION} FROM (
      SELECT id, feedback_id FROM feedback_changes
      WHERE id > coalesce($2::bigint, (SELECT max(id) FROM feedback_changes)) - ${MAX_LATE_CHANGES}
      ORDER BY id DESC LIMIT ${MAX_CHANGES}) AS change
    JOIN feedback ON feedback.id = change.feedback_id AND feedback.project_id = $1)
  UNION ALL (SELECT 'last_change', coalesce(max(id), 0)::text, '', false FROM feedback_changes)`

async function poll(queries: Queries, projectId: string, before: Snapshot | null): Promise<PollResult> {
  const { rows } = await queries.executeQuery<{ kind: string; id: string; at: string; is_new: boolean }>(
    CompiledQuery.raw(POLL_QUERY, [projectId, before?.lastChange ?? null]),
  )
  const snapshot: Snapshot = { rows: new Map(), feedbackCount: 0, lastChange: 0 }
  const ids: PollResult['ids'] = new Map()
  const add = (kind: ProjectEvent['kind'], id: string) => ids.set(kind, (ids.get(kind) ?? new Set()).add(id))
  for (const { kind, id, at } of rows) {
    const key = `${kind}:${id}`
    if (kind === 'last_change') {
      snapshot.lastChange = Number(id)
      continue
    }
    snapshot.rows.set(key, at)
    if (kind === 'feedback') snapshot.feedbackCount++
    if (before === null || before.rows.get(key) === at) continue
    if (kind === 'change') add('feedback', at)
    else if (kind === 'domain') add('project', projectId)
    else add(kind as ProjectEvent['kind'], id)
  }
  return { snapshot, ids, hasJustChanged: rows.some(({ is_new }) => is_new) }
}

function diffEvents(before: Snapshot, { snapshot, ids }: PollResult): ProjectEvent[] {
  const events = [...ids].flatMap(([kind, changed]): ProjectEvent[] =>
    // Notifications are personal, so their ids are not reported.
    changed.size > MAX_NAMED_CHANGES || kind === 'notification'
      ? [{ kind, id: null }]
      : [...changed].map((id) => ({ kind, id })),
  )
  // A vote was withdrawn, or there are more changes than a poll reads.
  const isGone = snapshot.feedbackCount < before.feedbackCount
  const isMore = snapshot.lastChange - before.lastChange > MAX_CHANGES - MAX_LATE_CHANGES
  return isGone || isMore ? [...events, { kind: 'feedback', id: null }] : events
}
