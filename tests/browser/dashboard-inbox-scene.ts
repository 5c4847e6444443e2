/** A node with a published site, feedback, and members who each use their own browser context. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { CompiledQuery } from 'kysely'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../../src/base/api/roles.ts'
import type { Database } from '../../src/database/database.ts'
import { look, type MemberLooking } from './dashboard-look.ts'
import { type FeedbackScene, openFeedbackScene } from './feedback-scene.ts'

export interface InboxScene extends AsyncDisposable {
  scene: FeedbackScene
  projectId: string
  /** Returns the URL of a dashboard page of the project. */
  at(path: string): string
  /** Adds entries, the newest a minute ago and each a minute older. Number 1 is the newest. */
  fill(count: number): Promise<void>
  /** Submits an entry now, so that open dashboards are notified. */
  arrive(comment: string): Promise<void>
  clear(): Promise<void>
  /** Opens a browser context for a new signed-in member with this role. */
  look(browser: Browser, role: Role, options?: BrowserContextOptions): Promise<MemberLooking>
}

export const row = (page: Page, words: string) => page.locator('[data-row]').filter({ hasText: words })
export const detail = (page: Page) => page.getByRole('region', { name: 'Detail' })
/** Returns the id of the entry with this number, see `fill`. */
export const idOf = (number: number) => `fb_${String(10_000_000 - number).padStart(26, '0')}`

const CODE = "const a = '<b>'\nconst  b = 1\n"

/** Adds entries, the newest a minute ago and each a minute older. */
export async function fillFeedback(database: Database, projectId: string, count: number): Promise<void> {
  await database.queries.executeQuery(CompiledQuery.raw(FILL, [projectId, count, CODE]))
}

export async function openInboxScene(env: Record<string, string> = {}): Promise<InboxScene> {
  await using opening = new AsyncDisposableStack()
  const scene = opening.use(
    await openFeedbackScene(undefined, { OCTAVO_LIMIT_MEMBERS: '1000000/60', ...env }),
  )
  await scene.publish()
  const { node, projectId } = scene
  const { database } = node.node.context
  const open = opening.move()
  return {
    scene,
    projectId,
    at: (path) => `${node.url}/p/${projectId}${path}`,
    fill: (count) => fillFeedback(database, projectId, count),
    async arrive(comment) {
      const { hostname, port } = new URL(node.url)
      const asked = request({
        host: hostname,
        port,
        method: 'POST',
        path: '/_octavo/feedback',
        headers: {
          Host: new URL(scene.hosted).host,
          'Content-Type': 'application/json',
          Origin: scene.hosted,
        },
      })
      asked.end(JSON.stringify({ id: crypto.randomUUID(), path: '/', helpful: false, comment }))
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      const answer = await text(response)
      if (response.statusCode !== 201 && response.statusCode !== 200)
        throw new Error(`${response.statusCode} ${answer}`)
    },
    clear: () => scene.clear(),
    look: (browser, role, options) => look(browser, node, role, options),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** Every tenth entry is about the code block of `/code`, every seventh is by an agent, and the others are about `/`. */
const FILL = `
  INSERT INTO feedback (id, project_id, source, status, created_at, path, helpful, reason, comment, code, filename, lang)
  SELECT 'fb_' || lpad((10000000 - n)::text, 26, '0'), $1, source, 'pending', now() - n * interval '1 minute',
    CASE source WHEN 'code_snippet' THEN '/code' ELSE '/' END,
    CASE source WHEN 'contextual' THEN n % 2 = 0 END,
    CASE source WHEN 'contextual' THEN 'Out of date' END,
    'Entry number ' || n,
    CASE source WHEN 'code_snippet' THEN $3 END,
    CASE source WHEN 'code_snippet' THEN 'src/client.ts' END,
    CASE source WHEN 'code_snippet' THEN 'ts' END
  FROM (SELECT n, CASE WHEN n % 10 = 0 THEN 'code_snippet' WHEN n % 7 = 0 THEN 'agent' ELSE 'contextual' END AS source
    FROM generate_series(1, $2::int) AS n) AS wanted`
