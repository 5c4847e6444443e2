import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadAxe, serious } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { sampleOf } from '../kit/whole-run.ts'

const SITE = join(import.meta.dirname, '../fixtures/api-reference')
const CREATE = 'api-reference/orders/create-an-order'
const PAGES = [
  CREATE,
  'api-reference/orders/get-an-order',
  'api-reference/list-categories',
  'api-reference/order-paid',
  'order',
  'by-hand',
  'model',
  'old/add-a-photo',
  'events2/rooms-room',
  'events/prices',
]

let site: BuiltSite
before(async () => {
  site = await buildSite(SITE)
})
after(() => site[Symbol.asyncDispose]())

test('a site with every kind of API description builds without problems', () => {
  assert.deepEqual(site.problems, [])
})

test('text of an API description appears on the page and in its Markdown version', async () => {
  const html = await readFile(join(site.out, `${CREATE}.html`), 'utf8')
  const twin = await readFile(join(site.out, `${CREATE}.md`), 'utf8')
  const words = [
    'Makes repeats harmless.',
    'Something that is sent.',
    'Kilograms',
    'With feet',
    'Card refused',
    'Id of the request',
    'Read it again',
    'The order was paid',
    'Where the data lies',
  ]
  for (const word of words) assert.ok(html.includes(word), `${word} is on the page`)
  for (const word of words.slice(0, 8)) assert.ok(twin.includes(word), `${word} is in the twin`)
  assert.match(twin, /^- `customer` string required/m)
  assert.doesNotMatch(twin, /requests\.post/, 'one language is enough for agents')
  assert.doesNotMatch(html, /<Tags>|&lt;\/script/)
})

test('Markdown versions and search records contain no labels of field toggles', async () => {
  for (const name of [CREATE, 'events2/rooms']) {
    const twin = await readFile(join(site.out, `${name}.md`), 'utf8')
    assert.doesNotMatch(twin, /^ +\*\*\d+\*\*$/m, name)
  }
  const records = await readFile(join(site.out, '_octavo/pages.jsonl'), 'utf8')
  assert.match(records, /Messages of a room/)
  assert.doesNotMatch(records, /Show fields|Hide fields/)
})

test('ids on a page are unique and every fragment link has a target', async () => {
  for (const name of PAGES) {
    const html = await readFile(join(site.out, `${name}.html`), 'utf8')
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id as string)
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
    assert.deepEqual(twice, [], name)
    const content = html.slice(html.indexOf('id="content"'))
    for (const [, target] of content.matchAll(/href="#([^"]+)"/g)) {
      assert.ok(ids.includes(decodeURIComponent(target as string)), `#${target} of ${name}`)
    }
  }
})

browserTest('axe finds no serious violations on API pages in light and dark mode', async (browser) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const found: string[] = []
  try {
    const page = await context.newPage()
    for (const name of sampleOf(PAGES, 3)) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(site.at(name), { waitUntil: 'domcontentloaded' })
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('#content details')) details.setAttribute('open', '')
      })
      await loadAxe(page)
      const light = await page.evaluate(serious, { root: 'main', rules: null })
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.locator('html.dark').waitFor()
      const dark = await page.evaluate(serious, { root: 'main', rules: ['color-contrast'] })
      found.push(
        ...light.map((what) => `${name} light: ${what}`),
        ...dark.map((what) => `${name} dark: ${what}`),
      )
    }
  } finally {
    await context.close()
  }
  assert.deepEqual(found, [])
})

browserTest('a selected language persists on the next page, a selected status does not', (browser) =>
  site.visit(browser, CREATE, {}, async (page) => {
    const language = page.locator('#request-example select').first()
    await language.selectOption({ label: 'Python' })
    await page.locator('#request-example pre:visible').getByText('import requests').waitFor()
    await page.locator('#content').getByRole('tab', { name: '402' }).click()
    assert.match((await page.locator('#response-example pre:visible').textContent()) ?? '', /card_refused/)
    // 409 has the same response as 402, so both tabs share a panel.
    await page.locator('#content').getByRole('tab', { name: '409' }).click()
    assert.match((await page.locator('#response-example pre:visible').textContent()) ?? '', /card_refused/)
    assert.deepEqual(
      await page
        .locator('[role="tab"][data-active]')
        .evaluateAll((tabs) =>
          tabs.flatMap(({ dataset: { title } }) => (/^4\d\d$/.test(title ?? '') ? [title] : [])),
        ),
      ['409', '409'],
    )
    assert.match(await page.evaluate(() => localStorage.getItem('octavo-tabs') ?? ''), /Python/)
    await page.goto(site.at('api-reference/orders/get-an-order'))
    assert.match(await page.evaluate(() => localStorage.getItem('octavo-tabs') ?? ''), /Python/)
    await page.locator('#request-example pre:visible').getByText('import requests').waitFor()
    await page.goto(site.at(CREATE))
    assert.equal(
      await page.locator('#content').getByRole('tab', { name: '201' }).getAttribute('aria-selected'),
      'true',
    )
  }),
)

browserTest('a language selected in one window applies to other windows', (browser) =>
  site.visit(browser, CREATE, {}, async (page) => {
    const other = await page.context().newPage()
    await other.goto(site.at('api-reference/orders/get-an-order'))
    await page.locator('#request-example select').first().selectOption({ label: 'Python' })
    await other.locator('#request-example pre:visible').getByText('import requests').waitFor()
  }),
)

browserTest('selecting another server updates the endpoint line and the code samples', (browser) =>
  site.visit(browser, 'api-reference/orders/get-an-order', {}, async (page) => {
    const sample = page.locator('#request-example pre:visible')
    assert.match((await sample.textContent()) ?? '', /https:\/\/eu\.api\.example\.com\/v1\/orders\/ord_42/)
    await page.locator('.api-servers > summary').press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    assert.equal(await page.locator('.api-base').textContent(), 'https://sandbox.example.com/v1')
    assert.match((await sample.textContent()) ?? '', /https:\/\/sandbox\.example\.com\/v1\/orders\/ord_42/)
  }),
)

browserTest('a link to a nested field opens its collapsed parents', (browser) =>
  site.visit(browser, `${CREATE}`, {}, async (page) => {
    const field = page.locator('.field:has(> #body-address-country)')
    assert.equal(await field.isVisible(), false)
    await page.evaluate(() => {
      location.hash = '#body-address-country'
    })
    await field.waitFor({ state: 'visible' })
  }),
)

browserTest('every field, response and sample is readable without JavaScript', (browser) =>
  site.visit(browser, CREATE, { javaScriptEnabled: false }, async (page) => {
    await page.locator('#body-address > .field-content > details > summary').click()
    assert.equal(await page.locator('.field:has(> #body-address-country)').isVisible(), true)
    for (const text of ['Something in the request is wrong.', 'No money.']) {
      assert.equal(await page.getByText(text).isVisible(), true)
    }
    assert.equal(await page.locator('#request-example').getByText('package main').isVisible(), true)
  }),
)

browserTest('an API page does not overflow horizontally on a phone', (browser) =>
  site.visit(browser, CREATE, { viewport: { width: 390, height: 800 } }, async (page) => {
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('#content details')) details.setAttribute('open', '')
    })
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= 390, `${width} pixels`)
  }),
)
