/** Feedback widgets in bundles: on a customer's server, from disk, without a platform, and offline then online. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Page } from 'playwright-core'
import type { FeedbackFile } from '../../src/features/feedback/operations/feedback-file.ts'
import { browserTest } from '../kit/browser.ts'
import { operatorOf } from '../kit/operator.ts'
import { type FeedbackScene, freePort, openFeedbackScene, openPage, serveFolder } from './feedback-scene.ts'

let scene: FeedbackScene
/** Folder of the unpacked bundle. */
let clientHosted = ''
let airGapped = ''

before(async () => {
  scene = await openFeedbackScene()
  clientHosted = await scene.bundle('client-hosted', { bundles: true })
  airGapped = await scene.bundle('air-gapped', { bundles: true })
})
beforeEach(() => scene.clear())
after(() => scene[Symbol.asyncDispose]())

const thumb = (page: Page, name: 'Yes' | 'No') => page.getByRole('button', { name, exact: true })
const fromDisk = (folder: string, path: string) => pathToFileURL(join(folder, path)).href

async function write(page: Page, comment: string): Promise<void> {
  await page.locator('#feedback-form-input').fill(comment)
  await page.locator('#feedback-form-submit').click()
}

test('a bundle without feedback enabled does not mention the platform', async () => {
  const silent = await scene.bundle('client-hosted', {})
  const manifest = JSON.parse(await readFile(join(silent, 'manifest.json'), 'utf8')) as { files: object }
  assert.deepEqual(
    Object.keys(manifest.files).filter((path) => /platform|feedback/.test(path)),
    [],
  )
  const page = await readFile(join(silent, 'code.html'), 'utf8')
  for (const word of [scene.siteId, scene.node.url, 'feedback'])
    assert.equal(page.includes(word), false, word)
})

test('only _octavo/platform.js of a bundle with feedback names the platform, and no page does', async () => {
  const facts = await readFile(join(clientHosted, '_octavo/platform.js'), 'utf8')
  assert.ok(facts.includes(`${scene.node.url}/_octavo/sites/${scene.siteId}/feedback`))
  for (const file of ['index.html', 'code.html']) {
    const page = await readFile(join(clientHosted, file), 'utf8')
    assert.equal(page.includes(scene.siteId), false)
    assert.equal(page.includes(new URL(scene.node.url).host), false)
  }
  const shut = await readFile(join(airGapped, '_octavo/platform.js'), 'utf8')
  assert.match(shut, /"feedback":null/)
})

browserTest('a self-hosted bundle sends feedback to the platform', async (browser) => {
  await using server = await serveFolder(clientHosted)
  await openPage(browser, `${server.url}/code.html`, {}, async (page, errors) => {
    await page.locator('.code-snippet-feedback-button').first().click()
    await page.locator('#code-snippet-feedback-textarea').fill('From elsewhere')
    await page.locator('.code-snippet-feedback-form .button').click()
    await scene.entriesUntil(([first]) => first?.comment === 'From elsewhere')
    await thumb(page, 'Yes').click()
    await scene.entriesUntil(({ length }) => length === 2)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await scene.entriesUntil(({ length }) => length === 1)
    assert.deepEqual(errors, [])
  })
})

browserTest('feedback given offline is sent as one entry after reconnecting', async (browser) => {
  await using server = await serveFolder(clientHosted)
  await openPage(browser, `${server.url}/index.html`, {}, async (page, errors) => {
    await page.context().setOffline(true)
    await thumb(page, 'No').click()
    await write(page, 'Said in a tunnel')
    await page.getByText('Thank you for your feedback.').first().waitFor()
    assert.equal((await scene.entries()).length, 0)
    await page.context().setOffline(false)
    const [entry] = await scene.entriesUntil(([first]) => first?.comment === 'Said in a tunnel')
    assert.equal(entry?.helpful, false)
    assert.equal((await scene.entries()).length, 1)
    assert.deepEqual(
      errors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED')),
      [],
    )
  })
})

browserTest(
  'feedback is accepted while the platform is unreachable and sent from a later page',
  async (browser) => {
    const shown = await readFile(join(clientHosted, '_octavo/platform.js'), 'utf8')
    const away = shown.replace(new URL(scene.node.url).host, `127.0.0.1:${await freePort()}`)
    await using server = await serveFolder(clientHosted)
    await openPage(browser, 'about:blank', {}, async (page) => {
      await page.route('**/_octavo/platform.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: away }),
      )
      const failed = page.waitForEvent('requestfailed')
      await page.goto(`${server.url}/index.html`)
      await thumb(page, 'Yes').click()
      await failed
      await write(page, 'Patient')
      await page.getByText('Thank you for your feedback.').first().waitFor()
      assert.equal(await page.getByRole('alert').count(), 0)
      await page.unroute('**/_octavo/platform.js')
      // Retries back off exponentially. This ends the current wait.
      await page.evaluate(() => {
        for (const [key, text] of Object.entries(localStorage))
          if (key.startsWith('octavo-feedback '))
            localStorage.setItem(key, JSON.stringify({ ...JSON.parse(text), after: 0 }))
      })
      await page.goto(`${server.url}/code.html`)
      const [entry] = await scene.entriesUntil(([first]) => first?.comment === 'Patient')
      assert.equal(entry?.path, '/')
      assert.equal((await scene.entries()).length, 1)
      await page.waitForFunction(() => !Object.values(localStorage).some((text) => text.includes('Patient')))
    })
  },
)

browserTest('the delay between retries grows, and Retry-After is honored', async (browser) => {
  await using server = await serveFolder(clientHosted)
  await openPage(browser, 'about:blank', {}, async (page) => {
    const answers = [503, 503, 503, 429]
    let calls = 0
    await page.context().route('**/feedback', async (route) => {
      if (route.request().method() === 'OPTIONS') return route.fallback()
      calls += 1
      const status = answers.shift() ?? 201
      const headers = {
        'Access-Control-Allow-Origin': server.url,
        'Access-Control-Expose-Headers': 'Retry-After',
        ...(status === 429 ? { 'Retry-After': '120' } : {}),
      }
      await route.fulfill({ status, headers, json: {} })
    })
    await page.clock.install()
    await page.goto(`${server.url}/index.html`)
    const pause = () =>
      page.evaluate(() => {
        const text = Object.entries(localStorage).find(([key]) => key.startsWith('octavo-feedback '))?.[1]
        const { after, tries } = JSON.parse(text ?? '{}') as { after: number; tries: number }
        return { wait: after - Date.now(), tries }
      })
    const callsAre = async (count: number) => {
      while (calls < count) await page.clock.runFor(100)
      // A next attempt in the future means that the result of this call has been stored.
      await page.waitForFunction(() =>
        Object.values(localStorage).some((text) => JSON.parse(text).after > Date.now()),
      )
      return pause()
    }
    await thumb(page, 'Yes').click()
    const first = await callsAre(1)
    assert.ok(first.wait > 1500 && first.wait <= 4000, `${first.wait}`)
    const second = await callsAre(2)
    assert.ok(second.wait > 3500 && second.wait <= 8000, `${second.wait}`)
    const third = await callsAre(3)
    assert.ok(third.wait > 7500 && third.wait <= 16_000, `${third.wait}`)
    const fourth = await callsAre(4)
    assert.ok(fourth.wait > 115_000 && fourth.wait <= 120_000, `${fourth.wait}`)
    await page.clock.runFor(60_000)
    assert.equal(calls, 4)
    while (calls < 5) await page.clock.runFor(5000)
    await page.waitForFunction(() => !Object.values(localStorage).some((text) => text.includes('helpful')))
  })
})

browserTest('feedback that the platform rejects permanently is dropped silently', async (browser) => {
  await using server = await serveFolder(clientHosted)
  await openPage(browser, 'about:blank', {}, async (page) => {
    await page
      .context()
      .route('**/feedback', (route) =>
        route.fulfill({ status: 403, headers: { 'Access-Control-Allow-Origin': '*' }, json: {} }),
      )
    await page.goto(`${server.url}/index.html`)
    const told = page.waitForEvent('console', (message) => message.text().startsWith('feedback was refused'))
    await thumb(page, 'Yes').click()
    assert.equal((await told).type(), 'debug')
    await page.waitForFunction(() => !Object.values(localStorage).some((text) => text.includes('helpful')))
    assert.equal(await page.getByRole('alert').count(), 0)
  })
})

for (const kind of ['client-hosted', 'air-gapped'] as const) {
  browserTest(
    `a ${kind} bundle opened from disk stores feedback and exports it as a file`,
    async (browser) => {
      const folder = kind === 'air-gapped' ? airGapped : clientHosted
      await openPage(browser, fromDisk(folder, 'index.html'), {}, async (page, errors) => {
        const requests: string[] = []
        page.on('request', (request) => requests.push(request.url()))
        await thumb(page, 'No').click()
        await write(page, '=A comment')
        await page.getByText('It is kept in this browser.').waitFor()
        await page.goto(fromDisk(folder, 'code.html'))
        await page.getByRole('button', { name: 'Save feedback (1)' }).waitFor()
        await page.locator('.code-snippet-feedback-button').first().click()
        await page.locator('#code-snippet-feedback-textarea').fill('On the code')
        await page.locator('.code-snippet-feedback-form .button').click()
        const saved = page.waitForEvent('download')
        await page.getByRole('button', { name: 'Save feedback (2)' }).click()
        const download = await saved
        assert.match(download.suggestedFilename(), /^feedback-\d{4}-\d\d-\d\d\.json$/)
        const bytes = await readFile(await download.path())
        const file = JSON.parse(bytes.toString('utf8')) as FeedbackFile
        assert.equal(file.siteId, scene.siteId)
        assert.deepEqual(
          file.entries.map(({ comment, path }) => [path, comment]),
          [
            ['/', '=A comment'],
            ['/code', 'On the code'],
          ],
        )
        await page.getByRole('button', { name: /^Save feedback/ }).waitFor({ state: 'detached' })
        assert.deepEqual(
          requests.filter((url) => !/^(file|blob|data):/.test(url)),
          [],
        )
        assert.deepEqual(errors, [])
        await importTwice(bytes)
      })
    },
  )
}

browserTest('a page from disk does not read stored feedback before its first frame', async (browser) => {
  await openPage(browser, 'about:blank', {}, async (page) => {
    await page.addInitScript(() => {
      const { localStorage } = window
      const seen = { isFramed: false, before: 0, after: 0 }
      requestAnimationFrame(() => {
        seen.isFramed = true
      })
      Object.defineProperty(window, 'localStorage', {
        get() {
          seen[seen.isFramed ? 'after' : 'before']++
          return localStorage
        },
      })
      Object.assign(window, { seen })
    })
    await page.goto(fromDisk(airGapped, 'index.html'))
    await page.waitForFunction(() => (window as unknown as { seen: { after: number } }).seen.after > 0)
    assert.equal(
      await page.evaluate(() => (window as unknown as { seen: { before: number } }).seen.before),
      0,
    )
  })
})

/** Imports the file twice. The second import adds nothing. */
async function importTwice(bytes: Buffer): Promise<void> {
  const body = JSON.parse(bytes.toString()) as FeedbackFile
  const { call } = await operatorOf(scene.node)
  for (const added of [2, 0]) {
    const result = await call('importFeedback', { body })
    assert.equal(result.added, added)
  }
  const entries = await scene.entries()
  assert.deepEqual(entries.map(({ source }) => source).sort(), ['code_snippet', 'contextual'])
  assert.equal(entries.find(({ source }) => source === 'code_snippet')?.path, '/code')
}

browserTest(
  'drops the oldest entry when a browser has stored too many, and tells the reader',
  async (browser) => {
    await openPage(browser, fromDisk(airGapped, 'index.html'), {}, async (page) => {
      await thumb(page, 'Yes').click()
      await page.evaluate(() => {
        const key = Object.keys(localStorage).find((name) => name.startsWith('octavo-feedback ')) ?? ''
        const state = JSON.parse(localStorage.getItem(key) ?? '{}')
        const [entry] = state.entries
        state.entries = Array.from({ length: 200 }, (_, index) => ({
          ...entry,
          body: { ...entry.body, id: `kept-${String(index).padStart(16, '0')}` },
        }))
        localStorage.setItem(key, JSON.stringify(state))
      })
      await thumb(page, 'No').click()
      await page.waitForFunction(() =>
        document.querySelector('#octavo-status')?.textContent?.includes('make room'),
      )
      await page.getByRole('button', { name: 'Save feedback (200)' }).waitFor()
    })
  },
)

test('the feedback markup of a page stays below 1600 bytes gzipped', async () => {
  const page = await readFile(join(clientHosted, 'index.html'), 'utf8')
  const toolbar = /<section class="feedback-toolbar"[\s\S]*?<\/section>/.exec(page)?.[0] ?? ''
  const size = (await promisify(gzip)(toolbar)).length
  assert.ok(size > 0 && size < 1600, `${size} bytes`)
})
