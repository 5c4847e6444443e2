import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { browserTest, launchBrowser } from '../kit/browser.ts'
import { until } from '../kit/until.ts'
import { type FeedbackScene, openFeedbackScene, openPage, serveFolder } from './feedback-scene.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

let scene: FeedbackScene
before(async () => {
  scene = await openFeedbackScene()
  await scene.publish()
})
after(() => scene[Symbol.asyncDispose]())

interface EventRow {
  kind: string
  audience: string
  path: string
  subject: string | null
  detail: string | null
  results: number | null
  device: string | null
}

const eventsUntil = (isEnough: (rows: EventRow[]) => boolean): Promise<EventRow[]> =>
  until(async () => {
    const { rows } = await scene.node.node.context.database.pool.query<EventRow>(
      'SELECT kind, audience, path, subject, detail, results, device FROM analytics_events ORDER BY at, kind',
    )
    return isEnough(rows) && rows
  }, `events with ${isEnough}`)

const PERSON: BrowserContextOptions = { userAgent: CHROME }

async function kept(page: Page): Promise<unknown> {
  return page.evaluate(() => [
    document.cookie,
    ...Object.keys(localStorage).filter((key) => /octavo-(?!searches)/.test(key)),
  ])
}

browserTest(
  'reports views, searches with their result and copied code, and stores nothing in the browser',
  async (browser) => {
    await openPage(browser, `${scene.hosted}/code`, PERSON, async (page, errors) => {
      await eventsUntil((rows) => rows.some(({ kind, path }) => kind === 'view' && path === '/code'))
      await page.locator('.code-block-copy-button').first().click()
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('combobox').fill('zzgargle')
      await page.getByText('zzgargle').first().waitFor()
      await page.keyboard.press('Escape')
      // Wait until all events are sent: those sent on leaving have the browser's own user agent, not a person's.
      await eventsUntil((found) => found.some(({ kind }) => kind === 'search'))
      await page.goto(`${scene.hosted}/`)
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('combobox').fill('first steps')
      await page.getByRole('option').nth(1).click()
      await page.waitForURL(/\/#first-steps$/)
      const rows = await eventsUntil((found) => found.length >= 5)
      assert.deepEqual(
        rows.map(({ kind, path, subject, detail, results }) => [kind, path, subject, detail, results]).sort(),
        [
          ['copy', '/code', null, null, null],
          ['search', '/', 'first steps', '/', 1],
          ['search', '/code', 'zzgargle', null, 0],
          ['view', '/', null, null, null],
          ['view', '/code', null, null, null],
        ],
      )
      assert.deepEqual(
        [...new Set(rows.map(({ audience, device }) => `${audience} ${device}`))],
        ['human desktop'],
      )
      assert.deepEqual(await kept(page), [''])
      assert.deepEqual(errors, [])
    })
  },
)

browserTest(
  'sends nothing under Do Not Track or Global Privacy Control and tolerates a failed request',
  async (browser) => {
    const visit = async (wish: string | null) => {
      const sent: string[] = []
      await openPage(browser, 'about:blank', PERSON, async (page) => {
        const broken: string[] = []
        page.on('pageerror', (error) => broken.push(String(error)))
        await page.clock.install()
        await page.route('**/_octavo/events', (route) => {
          sent.push(route.request().url())
          return route.abort()
        })
        await page.addInitScript((name) => {
          if (name !== null)
            Object.defineProperty(navigator, name, { value: name === 'doNotTrack' ? '1' : true })
        }, wish)
        await page.goto(`${scene.hosted}/`)
        await page.clock.runFor(3000)
        await page.goto(`${scene.hosted}/code`)
        if (wish === null) await until(() => sent.length > 0, 'an event that does not arrive')
        assert.deepEqual(broken, [])
      })
      return sent
    }
    assert.notDeepEqual(await visit(null), [])
    for (const wish of ['doNotTrack', 'globalPrivacyControl']) assert.deepEqual(await visit(wish), [], wish)
  },
)

browserTest('counts the view of a reader who leaves before any event was sent', async (browser) => {
  // Requests sent after a page is gone have the browser's own user agent, so set it at launch.
  await using leaving = (await launchBrowser([`--user-agent=${CHROME}`])) ?? browser
  const before = (await eventsUntil(() => true)).length
  await openPage(leaving, 'about:blank', {}, async (page, errors) => {
    // Disable the timer after which an open page sends its events.
    await page.addInitScript(() => {
      const after = globalThis.setTimeout
      const within = (act: () => void, ms?: number) => ((ms ?? 0) >= 1500 ? 0 : after(act, ms))
      globalThis.setTimeout = within as typeof setTimeout
    })
    await page.goto(`${scene.hosted}/code`)
    await page.waitForFunction(() => '__octavoPlatform' in globalThis)
    await page.goto('about:blank')
    const rows = (await eventsUntil((found) => found.length > before)).slice(before)
    assert.deepEqual(
      rows.map(({ kind, path, audience }) => [kind, path, audience]),
      [['view', '/code', 'human']],
    )
    assert.deepEqual(errors, [])
  })
})

browserTest(
  'a client-hosted bundle reports events, from the domains of its project only',
  async (browser) => {
    const folder = await scene.bundle('client-hosted', {}, { analytics: true })
    await using server = await serveFolder(folder)
    const foreign = server.url.replace('acme.localhost', 'elsewhere.localhost')
    const before = (await eventsUntil(() => true)).length
    const answers: [string, number][] = []
    const watch = (page: Page) =>
      page.on('response', (response) => {
        const { pathname } = new URL(response.url())
        if (pathname.endsWith('/events')) answers.push([response.request().method(), response.status()])
      })
    await openPage(browser, 'about:blank', PERSON, async (page) => {
      watch(page)
      await page.goto(`${foreign}/index.html`)
      await page.waitForEvent('requestfailed', (request) => request.url().endsWith('/events'))
    })
    assert.ok(answers.every(([method, status]) => method !== 'POST' || status >= 400))
    await openPage(browser, 'about:blank', PERSON, async (page, errors) => {
      watch(page)
      await page.goto(`${server.url}/code.html`)
      const rows = (await eventsUntil((found) => found.length > before)).slice(before)
      assert.deepEqual(
        rows.map(({ kind, path, audience }) => [kind, path, audience]),
        [['view', '/code', 'human']],
      )
      assert.deepEqual(errors, [])
    })
  },
)

test('the server records reads of a hosted site by AI agents and bots', async () => {
  for (const [path, agent] of [
    ['/code.md', 'ClaudeBot/1.0'],
    ['/llms.txt', 'Mozilla/5.0; compatible; ChatGPT-User/1.0'],
    ['/code', 'Googlebot/2.1'],
    ['/code', CHROME],
  ] as const)
    assert.equal(await statusOf(path, agent), 200, path)
  const rows = await eventsUntil((found) => found.filter(({ audience }) => audience !== 'human').length >= 3)
  assert.deepEqual(
    rows
      .filter(({ audience }) => audience !== 'human')
      .map(({ audience, path, detail }) => [audience, path, detail])
      .sort(),
    [
      ['ai', '/code', 'Claude'],
      ['ai', '/llms.txt', 'ChatGPT'],
      ['bot', '/code', null],
    ],
  )
})

/** Uses `http.get`, because `fetch` does not resolve names below localhost and cannot set the Host header. */
function statusOf(path: string, userAgent: string): Promise<number | undefined> {
  const { port, host } = new URL(scene.hosted)
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const headers = { Host: host, 'User-Agent': userAgent }
  get({ host: '127.0.0.1', port, path, headers }, (response) => {
    response.resume()
    resolve(response.statusCode)
  }).once('error', reject)
  return promise
}
