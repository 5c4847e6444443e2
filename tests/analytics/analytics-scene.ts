/** Shared setup of the analytics tests. */
import { countInbox } from '../../src/features/analytics/intake/count-inbox.ts'
import type { PageEvent } from '../../src/features/analytics/operations/analytics-events.ts'
import { makeSite, type Site } from '../feedback/feedback-scene.ts'
import { type ApiUnderTest, startApi, withKey } from '../http/api-under-test.ts'

export const CHROME =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
export const GPT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot'
export const GOOGLE = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

/** Starts the API behind one proxy, with a rate limit too high to matter. */
export function startAnalytics(): Promise<ApiUnderTest> {
  return startApi({ limits: { analytics: { count: 100_000, seconds: 3600 } }, trustedProxies: 1 })
}

export { makeSite, type Site }

let made = 0
export const batchId = () => `batch-id-of-a-test-${++made}`

export type Told = Partial<PageEvent> & Pick<PageEvent, 'path'>

export interface Teller {
  id?: string
  address?: string
  userAgent?: string
  headers?: Record<string, string>
}

/** Sends events like a page of a client-hosted site. */
export function tell(
  api: ApiUnderTest,
  site: Site,
  events: readonly Told[],
  from: Teller = {},
): Promise<Response> {
  const { id = batchId(), address = '203.0.113.7', userAgent = CHROME, headers = {} } = from
  return api.fetch(`/_octavo/sites/${site.siteId}/events`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': userAgent,
      'X-Forwarded-For': address,
      ...headers,
    },
    body: JSON.stringify({ id, events: events.map((event) => ({ kind: 'view', ago: 0, ...event })) }),
  })
}

export async function tellTaken(
  api: ApiUnderTest,
  site: Site,
  events: readonly Told[],
  from: Teller = {},
): Promise<number> {
  const response = await tell(api, site, events, from)
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return ((await response.json()) as { recorded: number }).recorded
}

export async function countAll(api: ApiUnderTest): Promise<void> {
  while ((await countInbox(api.database)).mayBeMore) {
    // Count the next batch.
  }
}

export async function read(api: ApiUnderTest, site: Site, rest: string): Promise<Record<string, unknown>> {
  const response = await api.fetch(`/v1/analytics/${site.projectId}/${rest}`, withKey(site.key))
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}
