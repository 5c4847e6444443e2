/** What pages load before anything is opened, from disk with the network cut: how much, from where, and whether they stand still. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext } from 'playwright-core'
import { browserTest } from '../kit/browser.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'

const DOCS = join(import.meta.dirname, '../../docs')
const SAMPLE = join(import.meta.dirname, '../../examples/starter')

/** Bytes of scripts and styles after gzip. */
const BUDGET = 40_000
const PAGES = 20
const WIDTHS = [390, 1440]

interface Load {
  /** Addresses outside the folder. */
  outside: string[]
  bytes: number
  /** Sum of the scores, and what moved. */
  shift: number
  moved: string[]
}

browserTest('pages of a bundle load little, from their folder alone, and nothing moves', async (browser) => {
  await using site = await buildSite(DOCS)
  const pages = await somePages(site)
  assert.equal(pages.length, PAGES)
  for (const width of WIDTHS) await loadAll(browser, site, pages, width)
})

browserTest('so do those of the sample site where all features are on', async (browser) => {
  await using site = await buildSite(SAMPLE, 'client-hosted', { analytics: true, search: true })
  const pages = await htmlPages(site)
  assert.ok((await withForm(site, pages)).length > 0)
  await loadAll(browser, site, pages, WIDTHS[1] ?? 0)
})

/** The start, five operations, and pages from all over the site. */
async function somePages(site: BuiltSite): Promise<string[]> {
  const all = await htmlPages(site)
  const operations = await withForm(site, all)
  assert.ok(operations.length > 5)
  const others = all.filter((name) => !operations.includes(name) && name !== 'index')
  const spread = (names: string[], count: number) =>
    Array.from({ length: count }, (_, place) => names[Math.floor((place * names.length) / count)] ?? '')
  return ['index', ...spread(operations, 5), ...spread(others, PAGES - 6)]
}

async function htmlPages(site: BuiltSite): Promise<string[]> {
  const files = await readdir(site.out, { recursive: true })
  return files
    .filter((name) => name.endsWith('.html') && name !== '404.html')
    .map((name) => name.slice(0, -'.html'.length))
    .sort()
}

async function withForm(site: BuiltSite, names: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of names) {
    const html = await readFile(join(site.out, `${name}.html`), 'utf8')
    if (html.includes('class="try-button"')) found.push(name)
  }
  return found
}

async function loadAll(browser: Browser, site: BuiltSite, pages: readonly string[], width: number) {
  const context = await browser.newContext({ offline: true, viewport: { width, height: 800 } })
  try {
    for (const name of pages) {
      const { outside, bytes, shift, moved } = await load(context, site, name)
      assert.deepEqual(outside, [], name)
      assert.ok(bytes > 1000 && bytes <= BUDGET, `${name}: ${bytes} bytes`)
      assert.equal(shift, 0, `${name} at ${width}: ${moved.join(', ')}`)
    }
  } finally {
    await context.close()
  }
}

async function load(context: BrowserContext, site: BuiltSite, name: string): Promise<Load> {
  const page = await context.newPage()
  const asked = new Set<string>()
  page.on('request', (request) => asked.add(request.url()))
  try {
    await page.goto(site.at(name), { waitUntil: 'load' })
    const moves = await page.evaluate(watchMoves)
    const root = pathToFileURL(`${site.out}/`).href
    const files = [...asked].filter((url) => /\.(?:m?js|css)(?:[?#]|$)/.test(url) && url.startsWith(root))
    const sizes = await Promise.all(
      files.map(async (url) => gzipSync(await readFile(fileURLToPath(url))).length),
    )
    return {
      outside: [...asked].filter((url) => !url.startsWith(root) && !/^(?:data|blob):/.test(url)),
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      shift: moves.shift,
      moved: moves.moved,
    }
  } finally {
    await page.close()
  }
}

/** From the first frame on, down to the end of the page. Runs in the page. */
async function watchMoves(): Promise<{ shift: number; moved: string[] }> {
  let shift = 0
  const moved: string[] = []
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      sources: { node: Node | null }[]
    })[]) {
      shift += entry.value
      for (const { node } of entry.sources)
        moved.push((node as Element | null)?.outerHTML?.slice(0, 120) ?? '')
    }
  })
  observer.observe({ type: 'layout-shift', buffered: true })
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30)))
  await document.fonts.ready
  for (let top = 0; top < document.documentElement.scrollHeight && top < 20_000; top += 600) {
    scrollTo({ top, behavior: 'instant' })
    await frame()
  }
  await frame()
  return { shift, moved }
}
