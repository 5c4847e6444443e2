/** The project's own documentation: no build problems, on a server and as files, and accessible. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { allFaultsInBothSchemes } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { sampleOf } from '../kit/whole-run.ts'

const DOCS = join(import.meta.dirname, '..', '..', 'docs')

let built: BuiltSite
before(async () => {
  built = await buildSite(DOCS)
})
after(() => built?.[Symbol.asyncDispose]())

test('the documentation builds without problems, offline and online', async () => {
  assert.deepEqual(built.problems, [])
  await using hosted = await buildSite(DOCS, 'client-hosted')
  assert.deepEqual(hosted.problems, [])
})

browserTest(
  'axe finds no issue in light or dark mode (one page in 24, every page in a whole run)',
  async (browser) => {
    const names = await readdir(built.out, { recursive: true })
    const files = names.filter((name) => name.endsWith('.html') && !name.startsWith('_octavo')).sort()
    assert.ok(files.length > 100, `${files.length} pages`)
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    const faults: string[] = []
    for (const file of sampleOf(files, 24)) {
      const path = join(built.out, file)
      if ((await readFile(path, 'utf8')).includes('http-equiv="refresh"')) continue
      await page.goto(pathToFileURL(path).href)
      faults.push(...(await allFaultsInBothSchemes(page)).map((fault) => `${file}: ${fault}`))
    }
    await context.close()
    assert.deepEqual(faults, [])
  },
)
