/**
 * Streams changes of a project to its viewers. The newest rows of each kind are polled about once a second, shared by
 * all viewers of the project in this process, and not at all without viewers. Notifying triggers would make readers'
 * votes wait for each other at commit.
 *
 * Each poll compares rows with the previous poll by their time of change, so that late commits, commits in another
 * order, and those of other servers are noticed too.
 */
import { CompiledQuery } from 'kysely'
import type { Log } from '../../base/log.ts'
import type { Queries } from '../../database/database.ts'
import type { ProjectEvent } from './operations/projects.ts'

export interface ProjectWatch {
  /**
   * Resolves once watching has begun: data read from then on and the reported changes leave no gap. The changes end
   * with the signal. A slow consumer misses none, but repeated changes of one object are merged.
   */
  follow(projectId: string, signal: AbortSignal): Promise<Followed>
}

export interface Followed {
  changes: AsyncGenerator<ProjectEvent>
  /** Whether something changed in the minute before. If so, data read just before watching began may be outdated. */
  hasJustChanged: boolean
}

export interface ProjectWatchOptions {
  /** Interval between two polls. */
  lookMs?: number
}

const LOOK_MS = 800
/** Delay after a failed poll, since the database is unavailable. */
const AWAY_MS = 3000
/** How long a change counts as recent. */
const JUST_MS = 60_000
/** Maximum number of changes of one kind per poll that are reported individually. */
const NAMED = 50

interface Seen {
  /** Times of change by kind and id. */
  rows: Map<string, string>
  feedbackCount: number
  /** Number of the last recorded feedback change. */
  lastChange: number
}

interface Watched {
  projectId: string
  /** Resolves after the first poll. Never rejects. */
  begun: Promise<void>
  /** When a recent change was last observed, by this process's clock; -Infinity for never. */
  changedAt: number
  followers: Set<(event: ProjectEvent) => void>
  seen: Seen | null
  timer: NodeJS.Timeout | null
}

export function createProjectWatch(
  deps: { queries: Queries; log: Log },
  { lookMs = LOOK_MS }: ProjectWatchOptions = {},
): ProjectWatch {
  const watched = new Map<string, Watched>()

  async function look(watch: Watched): Promise<void> {
    let waitMs = lookMs
    try {
      const now = await takeLook(deps.queries, watch.projectId, watch.seen)
      const events = watch.seen === null ? [] : eventsOf(watch.seen, now)
      watch.seen = now.seen
      if (now.hasJustChanged || events.length > 0) watch.changedAt = performance.now()
      for (const event of events) for (const tell of watch.followers) tell(event)
    } catch (error) {
      deps.log.warn({ projectId: watch.projectId, error: (error as Error).message }, 'dashboard.watch_failed')
      waitMs = AWAY_MS
    }
    if (watched.get(watch.projectId) === watch) {
      watch.timer = setTimeout(() => void look(watch), waitMs).unref()
    }
  }

  function watchOf(projectId: string): Watched {
    const known = watched.get(projectId)
    if (known !== undefined) return known
    const begun = Promise.resolve()
    const watch: Watched = {
      projectId,
      begun,
      changedAt: Number.NEGATIVE_INFINITY,
      followers: new Set(),
      seen: null,
      timer: null,
    }
    watched.set(projectId, watch)
    watch.begun = look(watch)
    return watch
  }

  function leave(watch: Watched, tell: (event: ProjectEvent) => void): void {
    watch.followers.delete(tell)
    if (watch.followers.size > 0 || watched.get(watch.projectId) !== watch) return
    if (watch.timer !== null) clearTimeout(watch.timer)
    watched.delete(watch.projectId)
  }

  return {
    async follow(projectId, signal) {
      const watch = watchOf(projectId)
      const news = createNews(signal)
      watch.followers.add(news.tell)
      signal.addEventListener('abort', () => leave(watch, news.tell), { once: true })
      if (signal.aborted) leave(watch, news.tell)
      await watch.begun
      return { changes: news.events(), hasJustChanged: performance.now() - watch.changedAt < JUST_MS }
    },
  }
}

/** Queue of changes for one follower. */
function createNews(signal: AbortSignal) {
  const waiting = new Map<string, ProjectEvent>()
  let wake: () => void = () => undefined
  signal.addEventListener('abort', () => wake(), { once: true })
  return {
    tell(event: ProjectEvent): void {
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

interface Look {
  seen: Seen
  hasJustChanged: boolean
  /** Changed ids by kind. */
  ids: Map<ProjectEvent['kind'], Set<string>>
}

const NEWEST_FEEDBACK = 100
/** Changes with numbers this far back may be committed after later ones. */
const LATE_CHANGES = 200
/** Maximum number of recorded changes read per poll. */
const MOST_CHANGES = 1000

/**
 * Every part reads only the end of an index. Changes of older feedback are recorded individually and found by their
 * number.
 */
const IS_NEW = `updated_at > clock_timestamp() - interval '${JUST_MS} milliseconds'`
const LOOK = `
  (SELECT 'feedback' AS kind, id, updated_at::text AS at, ${IS_NEW} AS is_new FROM feedback WHERE project_id = $1
    ORDER BY sort_at DESC, id DESC LIMIT ${NEWEST_FEEDBACK})
  UNION ALL (SELECT 'agent_job', id, updated_at::text, ${IS_NEW} FROM agent_jobs WHERE project_id = $1
    ORDER BY created_at DESC, id DESC LIMIT 50)
  UNION ALL (SELECT 'agent_job', id, updated_at::text, ${IS_NEW} FROM agent_jobs WHERE project_id = $1 AND status = 'active')
  UNION ALL (SELECT 'export', id, updated_at::text, ${IS_NEW} FROM static_exports WHERE project_id = $1
    ORDER BY created_at DESC, id DESC LIMIT 50)
  UNION ALL (SELECT 'deployment', id, updated_at::text, ${IS_NEW} FROM deployments WHERE project_id = $1
    ORDER BY created_at DESC, id DESC LIMIT 20)
  UNION ALL (SELECT 'deployment', id, updated_at::text, ${IS_NEW} FROM deployments
    WHERE project_id = $1 AND preview_id IS NULL ORDER BY created_at DESC, id DESC LIMIT 20)
  UNION ALL (SELECT 'project', id, updated_at::text, ${IS_NEW} FROM projects WHERE id = $1)
  UNION ALL (SELECT 'notification', event.id, '', event.created_at > clock_timestamp() - interval '${JUST_MS} milliseconds'
    FROM notification_events AS event WHERE is_spread
      AND organization_id = (SELECT organization_id FROM projects WHERE id = $1) ORDER BY id DESC LIMIT 20)
  UNION ALL (SELECT 'domain', domain, updated_at::text, ${IS_NEW} FROM project_domains WHERE project_id = $1)
  UNION ALL (SELECT 'change', change.id::text, change.feedback_id, ${IS_NEW} FROM (
      SELECT id, feedback_id FROM feedback_changes
      WHERE id > coalesce($2::bigint, (SELECT max(id) FROM feedback_changes)) - ${LATE_CHANGES}
      ORDER BY id DESC LIMIT ${MOST_CHANGES}) AS change
    JOIN feedback ON feedback.id = change.feedback_id AND feedback.project_id = $1)
  UNION ALL (SELECT 'last_change', coalesce(max(id), 0)::text, '', false FROM feedback_changes)`

async function takeLook(queries: Queries, projectId: string, before: Seen | null): Promise<Look> {
  const { rows } = await queries.executeQuery<{ kind: string; id: string; at: string; is_new: boolean }>(
    CompiledQuery.raw(LOOK, [projectId, before?.lastChange ?? null]),
  )
  const seen: Seen = { rows: new Map(), feedbackCount: 0, lastChange: 0 }
  const ids: Look['ids'] = new Map()
  const add = (kind: ProjectEvent['kind'], id: string) => ids.set(kind, (ids.get(kind) ?? new Set()).add(id))
  for (const { kind, id, at } of rows) {
    const key = `${kind}:${id}`
    if (kind === 'last_change') {
      seen.lastChange = Number(id)
      continue
    }
    seen.rows.set(key, at)
    if (kind === 'feedback') seen.feedbackCount++
    if (before === null || before.rows.get(key) === at) continue
    if (kind === 'change') add('feedback', at)
    else if (kind === 'domain') add('project', projectId)
    else add(kind as ProjectEvent['kind'], id)
  }
  return { seen, ids, hasJustChanged: rows.some(({ is_new }) => is_new) }
}

function eventsOf(before: Seen, { seen, ids }: Look): ProjectEvent[] {
  const events = [...ids].flatMap(([kind, changed]): ProjectEvent[] =>
    // Notifications are personal, so only their existence is reported.
    changed.size > NAMED || kind === 'notification'
      ? [{ kind, id: null }]
      : [...changed].map((id) => ({ kind, id })),
  )
  // A vote was withdrawn, or more has changed than one poll reads.
  const isGone = seen.feedbackCount < before.feedbackCount
  const isMore = seen.lastChange - before.lastChange > MOST_CHANGES - LATE_CHANGES
  return isGone || isMore ? [...events, { kind: 'feedback', id: null }] : events
}
