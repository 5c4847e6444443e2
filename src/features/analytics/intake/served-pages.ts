/**
 * Counts requests of programs to the sites served here. Programs run no scripts, so the server records their
 * requests itself. Records are buffered and written periodically, so that no response waits for the database;
 * a killed server loses its buffer.
 */
import { randomBytes } from 'node:crypto'
import type { Log } from '../../../base/log.ts'
import type { Queries } from '../../../database/database.ts'
import { classifyReader } from './bots.ts'
import { insertBatches, type StoredEvent } from './inbox.ts'
import { createVisitorHashes } from './visitors.ts'

export interface ServedPages {
  recordPage(served: ServedPage): void
}

export interface ServedPage {
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

const WRITE_DELAY_MS = 2000
/** Maximum number of records buffered between two writes (2 s); further requests are not counted. */
const MAX_WAITING = 5000
/**
 * Maximum number of records per statement. Building a statement blocks the event loop, and the driver's time
 * grows faster than the length of the text: 20 ms for 5,000 records.
 */
const MAX_PAGES_PER_WRITE = 250

export function createServedPages(deps: ServedPagesDeps): ServedPages {
  const visitors = createVisitorHashes(deps.queries)
  let pending: (ServedPage & { at: number })[] = []

  async function write(): Promise<void> {
    const batch = pending
    pending = []
    for (let from = 0; from < batch.length; from += MAX_PAGES_PER_WRITE)
      await writeSome(batch.slice(from, from + MAX_PAGES_PER_WRITE))
  }

  async function writeSome(batch: typeof pending): Promise<void> {
    const byProject = new Map<string, StoredEvent[]>()
    for (const page of batch) {
      const site = await deps.sites.byHost(page.host)
      if (site === null || site.isArchived) continue
      const { projectId } = site
      const events = byProject.get(projectId) ?? []
      events.push(await toEvent(page, projectId))
      byProject.set(projectId, events)
    }
    const batches = [...byProject].map(([projectId, events]) => ({
      projectId,
      hash: randomBytes(16),
      events,
    }))
    if (batches.length > 0) await insertBatches(deps.queries, batches)
  }

  async function toEvent({ at, path, address, userAgent }: (typeof pending)[number], projectId: string) {
    const { audience, agent } = classifyReader(userAgent)
    const visitor =
      audience === 'ai' ? await visitors.hashVisitor({ projectId, address, userAgent, at }) : null
    const nothing = { subject: null, results: null, device: null }
    return { at, kind: 'view', audience, path, detail: agent, visitor, ...nothing } as const
  }

  return {
    recordPage(page) {
      if (pending.length >= MAX_WAITING || classifyReader(page.userAgent).audience === 'human') return
      const { host, path, address, userAgent } = page
      pending.push({ host, path, address, userAgent, at: Date.now() })
      if (pending.length > 1) return
      const later = () =>
        void write().catch((err: unknown) => deps.log.warn({ err }, 'analytics.served_pages_lost'))
      setTimeout(later, WRITE_DELAY_MS).unref()
    },
  }
}
