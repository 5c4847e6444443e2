/** Adds weeks of page views and other events to the analytics inbox. */

import type { Queries } from '../../src/database/database.ts'
import type { StoredEvent } from '../../src/features/analytics/intake/inbox.ts'

const DAY_MS = 86_400_000

export type Read = Partial<StoredEvent> & { daysAgo: number; times?: number }

/** Adds events. By default they are views of `/` by people, each from a different reader. */
export async function putReading(queries: Queries, projectId: string, reads: readonly Read[]): Promise<void> {
  let readers = 0
  const events = reads.flatMap(({ daysAgo, times = 1, ...said }) =>
    Array.from({ length: times }, (): StoredEvent => {
      const isView = said.kind === undefined || said.kind === 'view'
      return {
        at: Date.now() - daysAgo * DAY_MS,
        ...{ kind: 'view', audience: 'human', path: '/', subject: null, detail: null, results: null },
        device: 'desktop',
        visitor: isView && said.audience !== 'bot' ? visitor(++readers) : null,
        ...said,
      }
    }),
  )
  for (let from = 0; from < events.length; from += 500)
    await queries
      .insertInto('analytics_inbox')
      .values({ project_id: projectId, events: JSON.stringify(events.slice(from, from + 500)) })
      .execute()
}

function visitor(number: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32BE(number, 4)
  return bytes.toString('base64')
}

/** Sample data with a page that gains views, one that loses views, and a search without results. */
export const A_MONTH: readonly Read[] = [
  { daysAgo: 1, path: '/code', times: 40, subject: 'news.example.org' },
  { daysAgo: 2, path: '/', times: 20 },
  { daysAgo: 3, path: '/', times: 5, device: 'mobile' },
  { daysAgo: 1, path: '/code', times: 10, audience: 'ai', detail: 'Claude' },
  { daysAgo: 1, path: '/code', times: 3, audience: 'bot' },
  { daysAgo: 35, path: '/', times: 60 },
  { daysAgo: 36, path: '/code', times: 4 },
  { daysAgo: 1, kind: 'search', path: '/code', subject: 'single sign-on', results: 0, times: 12 },
  { daysAgo: 1, kind: 'search', path: '/', subject: 'first steps', results: 2, detail: '/code', times: 5 },
  { daysAgo: 1, kind: 'outbound', path: '/code', subject: 'github.com', times: 7 },
  { daysAgo: 1, kind: 'copy', path: '/code', times: 9 },
]
