import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browserTest } from '../kit/browser.ts'
import { buildSite } from '../kit/built-site.ts'
import { writeSite } from '../kit/site.ts'

browserTest('a version label is not truncated, and a single tab renders no tab bar', async (browser) => {
  const label = 'Version 2026-07-01.preview'
  const own = await mkdtemp(join(tmpdir(), 'octavo-versions-'))
  await writeSite(own, {
    'docs.json': JSON.stringify({
      theme: 'mint',
      name: 'Acme',
      colors: { primary: '#5B5BD6' },
      navigation: {
        versions: [
          { version: label, tabs: [{ tab: 'Docs', pages: ['new/index'] }] },
          { version: 'v1', pages: ['old/index'] },
        ],
      },
    }),
    'new/index.mdx': '---\ntitle: New\n---\n\nText\n',
    'old/index.mdx': '---\ntitle: Old\n---\n\nText\n',
  })
  await using built = await buildSite(own, 'client-hosted')
  await built.visit(browser, 'new', {}, async (page) => {
    const shown = page.locator('.menu-label', { hasText: label }).filter({ visible: true }).first()
    await shown.waitFor()
    // The text would be wider than its box if it were truncated.
    const [text = 0, box = 0] = await shown.evaluate((element) => [element.scrollWidth, element.clientWidth])
    assert.ok(box > 0 && text <= box, `${text} in ${box}`)
    assert.equal(await page.locator('.nav-tabs').count(), 0)
  })
  await rm(own, { recursive: true, force: true })
})
