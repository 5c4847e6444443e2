/** The preview in a browser: reloads on file changes, keeps the scroll position and lists problems of the page. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { loadAxe, serious } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { openPreviewScene, type PreviewScene, SITE } from '../preview/preview-scene.ts'

let scene: PreviewScene

const paragraphs = (word: string) =>
  Array.from({ length: 120 }, (_, place) => `Paragraph ${place} with a ${word}.`).join('\n\n')
const second = (text: string) => ({ 'guides/second.mdx': `---\ntitle: Second\n---\n\n${text}\n` })

before(async () => {
  scene = await openPreviewScene({ ...SITE, ...second(paragraphs('first word')) })
})
after(() => scene[Symbol.asyncDispose]())

async function openPage(browser: Browser, path: string, options: object = {}): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(scene.url + path)
  return page
}

const button = (page: Page) => page.getByRole('button', { name: /problem/ }).first()

browserTest('a saved page reloads and keeps its scroll position', async (browser) => {
  const page = await openPage(browser, '/guides/second')
  await page.evaluate(() => scrollTo({ top: 1500, behavior: 'instant' }))
  await scene.write(second(paragraphs('second word')))
  await page.getByText('Paragraph 40 with a second word.').waitFor()
  await page.waitForFunction(() => scrollY === 1500)
  // Navigation to another page starts at its top.
  await page.goto(`${scene.url}/guides/first`)
  assert.equal(await page.evaluate(() => scrollY), 0)
  await page.context().close()
})

browserTest('a hidden page waits and shows the newest version when it becomes visible', async (browser) => {
  const page = await openPage(browser, '/guides/second')
  const setVisibility = (state: string) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await setVisibility('hidden')
  await scene.write(second(paragraphs('third word')))
  await scene.preview.refresh()
  assert.equal(await page.getByText('Paragraph 40 with a third word.').count(), 0)
  await setVisibility('visible')
  await page.getByText('Paragraph 40 with a third word.').waitFor()
  await page.context().close()
})

browserTest(
  'page problems open as a list from a button by keyboard, and the button goes when they are fixed',
  async (browser) => {
    const page = await openPage(browser, '/guides/second')
    assert.equal(await button(page).count(), 0)
    await scene.write(
      second('[one](/nowhere) and [two](/nothing) and <b>x</b>\n\n<img src="x" onerror="owned=1" />'),
    )
    await button(page).waitFor()
    await page.getByRole('status').filter({ hasText: 'problems' }).waitFor({ state: 'attached' })
    assert.equal(await button(page).getAttribute('aria-expanded'), 'false')
    await button(page).focus()
    await page.keyboard.press('Enter')
    const region = page.getByRole('region', { name: 'Problems of this page' })
    await region.waitFor()
    assert.equal(await button(page).getAttribute('aria-expanded'), 'true')
    assert.equal(await button(page).getAttribute('aria-controls'), await region.getAttribute('id'))
    assert.match(
      (await region.textContent()) ?? '',
      /guides\/second\.mdx:5[\s\S]*nothing[\s\S]*does not match/,
    )
    await page.keyboard.press('Escape')
    await region.waitFor({ state: 'detached' })
    assert.equal(await button(page).evaluate((one) => one.matches(':focus')), true, 'the focus is back')
    await scene.write(second('All is well.'))
    await page.getByText('All is well.').waitFor()
    await button(page).waitFor({ state: 'detached' })
    await page.context().close()
  },
)

browserTest('dismissed problems reappear when they change', async (browser) => {
  await scene.write(second('[one](/nowhere)'))
  await scene.preview.refresh()
  const page = await openPage(browser, '/guides/second')
  await button(page).waitFor()
  await page.getByRole('button', { name: 'Hide the problems until they change' }).click()
  await button(page).waitFor({ state: 'detached' })
  await scene.write(second('[one](/nowhere) [two](/nothing)'))
  await button(page).waitFor()
  await scene.write(second('All is well.'))
  await button(page).waitFor({ state: 'detached' })
  await page.context().close()
})

for (const colorScheme of ['light', 'dark'] as const)
  browserTest(
    `the list of problems has no serious accessibility violations, ${colorScheme}`,
    async (browser) => {
      await scene.write(second('[one](/nowhere) and [two](/nothing)'))
      await scene.preview.refresh()
      const page = await openPage(browser, '/guides/second', { colorScheme })
      await button(page).click()
      await loadAxe(page)
      assert.deepEqual(await page.evaluate(serious, { root: 'octavo-preview', rules: null }), [])
      await page.context().close()
    },
  )

browserTest('renders the names in a problem as plain text', async (browser) => {
  await scene.write(second('<img src="/a<img src=x onerror=globalThis.owned=1>" alt="" />'))
  await scene.preview.refresh()
  const page = await openPage(browser, '/guides/second')
  await button(page).click()
  const region = page.getByRole('region', { name: 'Problems of this page' })
  assert.match((await region.textContent()) ?? '', /onerror/)
  assert.equal(await region.locator('img').count(), 0)
  assert.equal(await page.evaluate(() => 'owned' in globalThis), false)
  await page.context().close()
})

browserTest('a page of another origin cannot read the preview', async (browser) => {
  const elsewhere = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>Elsewhere</title>')
  }).listen(0, '127.0.0.1')
  await once(elsewhere, 'listening')
  const { port } = elsewhere.address() as { port: number }
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`http://localhost:${port}/`)
  const read = await page.evaluate(async (url) => {
    const fetched = await fetch(`${url}/`).then(
      () => 'read',
      () => 'refused',
    )
    const heard = await new Promise<string>((resolve) => {
      const source = new EventSource(`${url}/_octavo/preview/events?page=/`)
      source.onerror = () => resolve('refused')
      source.addEventListener('version', () => resolve('heard'))
    })
    const ran = await new Promise<string>((resolve) => {
      const script = document.createElement('script')
      script.src = `${url}/_octavo/preview/preview.js`
      script.onload = () => resolve('ran')
      script.onerror = () => resolve('refused')
      document.head.append(script)
    })
    return { fetched, heard, ran }
  }, scene.url)
  assert.deepEqual(read, { fetched: 'refused', heard: 'refused', ran: 'refused' })
  await context.close()
  elsewhere.close()
})
