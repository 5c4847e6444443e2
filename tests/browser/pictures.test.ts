import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/features/export/build-folder.ts'
import { browserTest } from '../kit/browser.ts'
import { smallSite, writeSite } from '../kit/site.ts'
import { patience } from '../kit/until.ts'

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="400" height="200"/></svg>'

const ICONS = `---
title: Icons
---

<Card title="Card" icon={<img src="/map.svg" alt="Card icon" />}>Text</Card>
<Accordion title="Part" icon={<img src="/map.svg" alt="Part icon" />}>Text</Accordion>
<Tip icon={<img src="/map.svg" alt="Tip icon" />}>Text</Tip>
<Card title="Lost" icon={<img src="/lost.png" alt="Lost icon" />}>Text</Card>
`

let folder = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-pictures-'))
  await writeSite(join(folder, 'site'), {
    ...smallSite(1),
    'index.mdx':
      '---\ntitle: Home\n---\n\n![A map](/map.svg)\n\n![A lost map](/lost.png)\n\n<iframe src="/page-1" title="Framed" />\n',
    'page-1.mdx': ICONS,
    'map.svg': DRAWING,
  })
  await writeFile(join(folder, 'site/lost.png'), 'no picture')
  await buildFolder({
    folder: join(folder, 'site'),
    out: join(folder, 'out'),
    deployment: 'air-gapped',
    children: 1,
    log: silentLog,
    report() {},
    signal: patience(),
  })
})

after(() => rm(folder, { recursive: true, force: true }))

async function withHome(browser: Browser, act: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    await page.goto(pathToFileURL(join(folder, 'out/index.html')).href)
    await act(page)
  } finally {
    await context.close()
  }
}

browserTest('an image opens enlarged by keyboard, closes with Escape and gets the focus back', (browser) =>
  withHome(browser, async (page) => {
    const map = page.locator('#content img[alt="A map"]')
    await map.and(page.locator('[data-zoomable]')).focus()
    await page.keyboard.press('Enter')
    const large = page.getByRole('dialog', { name: 'A map' })
    await large.waitFor()
    assert.equal(await large.locator('img').getAttribute('alt'), 'A map')
    await page.keyboard.press('Escape')
    await large.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('alt')), 'A map')
  }),
)

browserTest('a broken image is shown as a bordered box', (browser) =>
  withHome(browser, async (page) => {
    const lost = page.locator('#content img[alt="A lost map"][data-broken]')
    await lost.waitFor()
    const { height, border } = await lost.evaluate((image) => ({
      height: image.getBoundingClientRect().height,
      border: getComputedStyle(image).borderTopStyle,
    }))
    assert.equal(border, 'dashed')
    assert.ok(height > 30, `${height}`)
    assert.equal(await page.locator('iframe').getAttribute('title'), 'Framed')
  }),
)

browserTest('images given as icons have icon size, and broken ones are hidden', (browser) =>
  withHome(browser, async (page) => {
    await page.goto(pathToFileURL(join(folder, 'out/page-1.html')).href)
    for (const name of ['Card', 'Part', 'Tip']) {
      const box = await page.locator(`#content img[alt="${name} icon"]`).boundingBox()
      assert.ok(
        box && box.width > 10 && box.width <= 24 && box.height <= 24,
        `${name} ${JSON.stringify(box)}`,
      )
    }
    const lost = page.locator('#content img[alt="Lost icon"]')
    await lost.and(page.locator('[data-broken]')).waitFor({ state: 'attached' })
    assert.equal(await lost.isVisible(), false)
  }),
)
