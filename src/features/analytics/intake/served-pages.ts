/**
 * Counts how programs read the sites served here: they run no scripts, so the server records their requests itself.
 * Records are buffered in memory and written periodically, so that no page waits for it; a killed server loses its
 * buffer.
 */
import { randomBytes } from 'node:crypto'
import type { Log } from '../../../base/log.ts'
import type { Queries } from '../../../database/database.ts'
import { readerOf } from './bots.ts'
import { putBatches, type StoredEvent } from './inbox.ts'
import { createVisitorHashes } from './visitors.ts'

export interface ServedPages {
  note(served: NotedPage): void
}

export interface NotedPage {
  host: string
  path: string
  address: string
  userAgent: string
}

export interface ServedPagesDeps {
  queries: Queries
  sites: { byHost(host: string): Promise<{ projectId: string; isArchived: boolean } | null> }
  log: Log
}

const WRITE_AFTER_MS = 2000
/** Maximum size of the buffer between two writes (2 s); further requests are not counted. */
const MOST_WAITING = 5000
/**
 * Maximum number of records per statement. Building it blocks pages, and for a long text the driver takes more than
 * proportional time: 20 ms for 5,000.
 */
const MOST_TOGETHER = 250

export function createServedPages(deps: ServedPagesDeps): ServedPages {
  const visitors = createVisitorHashes(deps.queries)
  let waiting: (NotedPage & { at: number })[] = []

  async function write(): Promise<void> {
    const taken = waiting
    waiting = []
    for (let from = 0; from < taken.length; from += MOST_TOGETHER)
      await writeSome(taken.slice(from, from + MOST_TOGETHER))
  }

  async function writeSome(taken: typeof waiting): Promise<void> {
    const byProject = new Map<string, StoredEvent[]>()
    for (const page of taken) {
      const site = await deps.sites.byHost(page.host)
      if (site === null || site.isArchived) continue
      const { projectId } = site
      const events = byProject.get(projectId) ?? []
      events.push(await eventOf(page, projectId))
      byProject.set(projectId, events)
    }
    const batches = [...byProject].map(([projectId, events]) => ({
      projectId,
      hash: randomBytes(16),
      events,
    }))
    if (batches.length > 0) await putBatches(deps.queries, batches)
  }

  async function eventOf({ at, path, address, userAgent }: (typeof waiting)[number], projectId: string) {
    const { audience, agent } = readerOf(userAgent)
    const visitor = audience === 'ai' ? await visitors.of({ projectId, address, userAgent, at }) : null
    const nothing = { subject: null, results: null, device: null }
    return { at, kind: 'view', audience, path, detail: agent, visitor, ...nothing } as const
  }

  return {
    note(page) {
      if (waiting.length >= MOST_WAITING || readerOf(page.userAgent).audience === 'human') return
      const { host, path, address, userAgent } = page
      waiting.push({ host, path, address, userAgent, at: Date.now() })
      if (waiting.length > 1) return
      const later = () =>
        void write().catch((err: unknown) => deps.log.warn({ err }, 'analytics.served_pages_lost'))
      setTimeout(later, WRITE_AFTER_MS).unref()
    },
  }
}
