/** Playground forms: the values that readers enter reach the API, from disk and from a web server. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { JsonObject } from '../../src/openapi/api-json.ts'
import { allFaultsInBothSchemes } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type RecordingServer, startRecordingServer } from '../kit/recording-server.ts'
import { BODIES } from '../kit/try-bodies.ts'
import { ORDERS } from '../kit/try-descriptions.ts'
import { openForm, siteOf, type TriedSite, tryAll } from '../kit/try-operations.ts'

/** playground-ways.long.test.ts covers the other descriptions, tests/render/example-requests.test.ts their requests. */
const DESCRIPTIONS = [ORDERS, BODIES]

const servers: RecordingServer[] = []
const sites: TriedSite[] = []
before(async () => {
  for (const description of DESCRIPTIONS) {
    const server = await startRecordingServer()
    servers.push(server)
    sites.push(await siteOf(description, server))
  }
})
after(async () => {
  for (const one of [...sites, ...servers]) await one[Symbol.asyncDispose]()
})

const site = (index: number) => sites[index] ?? assert.fail('no such site')
const server = (index: number) => servers[index] ?? assert.fail('no such server')

test('the descriptions build without problems, and each operation has a form', () => {
  for (const [index, { site: built, forms }] of sites.entries()) {
    assert.deepEqual(built.problems, [])
    const operations = Object.values(DESCRIPTIONS[index]?.paths as JsonObject).flatMap((item) =>
      Object.keys(item as JsonObject),
    )
    assert.equal(forms.size, operations.length)
  }
})

browserTest('the example request of every operation matches its description', async (browser) => {
  const faults: string[] = []
  for (const [index, description] of DESCRIPTIONS.entries())
    faults.push(...(await tryAll(browser, description, server(index), site(index), site(index).site.at)))
  assert.deepEqual(faults, [])
})

browserTest(
  'names missing fields, shows input in the sample and sends it, and stores no credentials',
  (browser) => {
    const tried = site(0)
    return tried.site.visit(browser, tried.forms.get('POST /orders/{id}') ?? '', {}, async (page) => {
      await page.locator('.try-button').click()
      const before = server(0).requests.length
      await page.locator('.try-send').click()
      await page.getByRole('alert').getByText('Fill in first: id').waitFor()
      assert.equal(server(0).requests.length, before)
      await page.getByLabel(/^id /).fill('a/b')
      await page.getByRole('button', { name: 'JSON' }).click()
      await page.getByRole('textbox', { name: 'Body' }).fill('{"count": 7, "kind": "gift"}')
      await page.locator('.try-scheme input[type=password]:visible').fill('t0ken')
      const code = page.locator('.try-sample .try-body')
      await code.getByText('orders/a%2Fb').waitFor()
      await code.getByText('Bearer t0ken').waitFor()
      await page.locator('.try-send').click()
      await page.locator('.try-status').getByText('200').waitFor()
      const request = server(0).requests[before]
      assert.equal(request?.target, '/orders/a%2Fb')
      assert.equal(request?.headers.authorization, 'Bearer t0ken')
      assert.equal(request?.headers.cookie, undefined)
      assert.deepEqual(JSON.parse(request?.body ?? ''), { count: 7, kind: 'gift' })
      assert.equal(
        await page.evaluate(() =>
          Object.values({ ...localStorage })
            .join()
            .includes('t0ken'),
        ),
        false,
      )
    })
  },
)

browserTest(
  'shows each response by its type: errors, long JSON and text, files, streams and HTML',
  async (browser) => {
    const tried = site(0)
    const { answers } = server(0)
    const context = await browser.newContext()
    const page = await context.newPage()
    try {
      await openForm(page, tried.site.at(tried.forms.get('GET /things') ?? ''))
      const send = async () => {
        await page.locator('.try-send').click()
        await page.locator('.try-answer').waitFor()
      }
      answers.set('/things', { status: 422, parts: ['{"error":{"code":"bad","list":[1,2]}}'] })
      await send()
      await page.locator('.try-status').getByText('422').waitFor()
      await page.locator('.try-key').getByText('"code"').waitFor()
      assert.deepEqual(await allFaultsInBothSchemes(page), [])
      // Long responses are collapsed or truncated.
      const rows = Array.from({ length: 3000 }, (_, id) => ({ id, note: 'x'.repeat(100) }))
      answers.set('/things', { parts: [JSON.stringify(rows)] })
      await send()
      await page.locator('.try-json').getByText('[', { exact: true }).waitFor()
      assert.equal(await page.locator('.try-json details').count(), 501)
      assert.equal(await page.locator('.try-json details[open]').count(), 1)
      await page.locator('.try-json details details summary').nth(2).click()
      await page.locator('.try-json').getByText('"id": 2').waitFor()
      answers.set('/things', { headers: { 'Content-Type': 'text/plain' }, parts: ['x'.repeat(300_000)] })
      await send()
      await page.locator('.try-result').getByText('Only the beginning is shown.').waitFor()
      assert.equal((await page.locator('.try-result .try-body').textContent())?.length, 200_000)
      answers.set('/things', {
        headers: { 'Content-Type': 'application/pdf' },
        parts: [Buffer.from([37, 80, 68, 70])],
      })
      await send()
      await page.getByText('The answer is a file.').waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('.try-result').getByRole('button', { name: 'Download' }).click(),
      ])
      assert.equal(download.suggestedFilename(), 'things.pdf')
      answers.set('/things', {
        headers: { 'Content-Type': 'text/event-stream' },
        parts: ['data: 1\n\n', 'data: 2\n\n'],
      })
      await send()
      await page.locator('.try-result .try-body').getByText('data: 2').waitFor()
      answers.set('/things', {
        headers: { 'Content-Type': 'text/html' },
        parts: ['<script>document.title="gone"</script>'],
      })
      await send()
      await page.locator('.try-result .try-body').getByText('<script>').waitFor()
      assert.notEqual(await page.title(), 'gone')
    } finally {
      answers.clear()
      await context.close()
    }
  },
)

browserTest('shows a stream as it arrives and keeps what has arrived after cancelling', async (browser) => {
  const tried = site(0)
  const { answers } = server(0)
  const context = await browser.newContext()
  const page = await context.newPage()
  const waiting: (() => void)[] = []
  async function* events(lead: string) {
    for (let count = 1; count < 9; count++) {
      yield `${lead}{"event": ${count}}\n\n`
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  try {
    await openForm(page, tried.site.at(tried.forms.get('GET /things') ?? ''))
    const shown = page.locator('.try-result .try-body')
    for (const [type, lead] of [
      ['text/event-stream', 'data: '],
      ['application/x-ndjson', ''],
    ] as const) {
      answers.set('/things', { headers: { 'Content-Type': type }, parts: events(lead) })
      await page.locator('.try-send').click()
      await shown.getByText(`${lead}{"event": 1}`).waitFor()
      assert.equal(await shown.getByText('{"event": 2}').count(), 0)
      waiting.pop()?.()
      await shown.getByText('{"event": 2}').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('alert').getByText('Cancelled.').waitFor()
      assert.match((await shown.textContent()) ?? '', /"event": 1.*"event": 2/s)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('.try-result').getByRole('button', { name: 'Download' }).click(),
      ])
      assert.match(await readFile(await download.path(), 'utf8'), /"event": 2/)
    }
    await page.locator('.try-history summary').click()
    assert.equal(await page.locator('.try-history li').count(), 2)
    await page.reload()
    await page.locator('.try-dialog[open] .try-send').waitFor()
    assert.equal(await page.locator('.try-history li').count(), 2, 'it stays in the tab')
    await page.locator('.try-history summary').click()
    await page.locator('.try-history').getByRole('button', { name: 'Clear' }).click()
    assert.equal(await page.locator('.try-history li').count(), 0)
  } finally {
    for (const resolve of waiting) resolve()
    answers.clear()
    await context.close()
  }
})

browserTest(
  'reports a server that refuses cross-origin requests, and a request can be cancelled',
  async (browser) => {
    await using closed = await startRecordingServer({ allowsPages: false })
    await using tried = await siteOf(ORDERS, closed)
    const context = await browser.newContext()
    const page = await context.newPage()
    try {
      await openForm(page, tried.site.at(tried.forms.get('GET /things') ?? ''))
      await page.locator('.try-send').click()
      await page.getByRole('alert').getByText('refuses requests from pages of other sites').waitFor()
      await page.route(`${closed.url}/**`, () => new Promise(() => {}))
      await page.locator('.try-send').click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('alert').getByText('Cancelled.').waitFor()
    } finally {
      await context.close()
    }
  },
)

browserTest(
  'axe finds no violations in a form, and nothing shifts or loads before it is opened',
  async (browser) => {
    const tried = site(0)
    const name = tried.forms.get('POST /orders/{id}') ?? ''
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    const loaded: string[] = []
    page.on('request', (request) => void loaded.push(request.url()))
    try {
      await page.goto(tried.site.at(name))
      assert.deepEqual(
        loaded.filter((url) => /playground|_octavo\/try/.test(url)),
        [],
      )
      const before = await page.locator('#content').boundingBox()
      await page.locator('.try-button').click()
      await page.locator('.try-plain').last().click()
      assert.deepEqual(await page.locator('#content').boundingBox(), before)
      assert.deepEqual(
        loaded.filter((url) => !url.startsWith('file:')),
        [],
      )
      assert.deepEqual(await allFaultsInBothSchemes(page), [])
      await page.keyboard.press('Escape')
      assert.equal(await page.locator('.try-dialog').isVisible(), false)
    } finally {
      await context.close()
    }
  },
)
