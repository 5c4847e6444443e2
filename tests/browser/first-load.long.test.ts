/** Initial load of bundle pages from disk, offline: size of the assets, their origin and layout shift. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext } from 'playwright-core'
import { browserTest } from '../kit/browser.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { BODIES, SECURITY } from '../kit/try-bodies.ts'
import { siteOf } from '../kit/try-operations.ts'
import { sampleOf } from '../kit/whole-run.ts'

const SAMPLE = join(import.meta.dirname, '../../examples/starter')

/** Gzipped bytes of scripts and styles. */
const BUDGET = 40_000
const WIDTHS = [390, 820, 1440]
/** Tolerance for a layout shift of zero. */
const NOTHING = 0.0001
const MOST_TRIES = 3
/** CPU throttling rate, as phones are slower than the machines that run tests. */
const SLOWER = 4

interface Load {
  /** URLs outside the bundle folder. */
  outside: string[]
  bytes: number
  /** Total layout shift score. `moved` lists the elements. */
  shift: number
  moved: string[]
}

browserTest(
  'bundle pages load little, only from their own folder, and without layout shift',
  async (browser) => {
    await using sample = await buildSite(SAMPLE, 'client-hosted', { analytics: true, search: true })
    await using proofs = await siteOf(SECURITY, { url: 'https://api.example.com' })
    await using bodies = await siteOf(BODIES, { url: 'https://api.example.com' })
    let count = 0
    for (const site of [sample, proofs.site, bodies.site]) {
      const pages = await htmlPages(site)
      assert.ok((await withForm(site, pages)).length > 0)
      count += pages.length
      for (const [place, width] of WIDTHS.entries())
        await loadAll(browser, site, sampleOf(pages.slice(place), WIDTHS.length), width)
    }
    assert.ok(count >= 20, `${count} pages`)
  },
)

async function htmlPages(site: BuiltSite): Promise<string[]> {
  const files = await readdir(site.out, { recursive: true })
  const names = files
    .filter((name) => /^(?!_octavo|404).*\.html$/.test(name))
    .map((name) => name.slice(0, -'.html'.length))
    .sort()
  const pages: string[] = []
  // Skips redirect pages.
  for (const name of names) if (!(await htmlOf(site, name)).includes('http-equiv="refresh"')) pages.push(name)
  return pages
}

async function withForm(site: BuiltSite, names: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of names) {
    if ((await htmlOf(site, name)).includes('class="try-button"')) found.push(name)
  }
  return found
}

const htmlOf = (site: BuiltSite, name: string) => readFile(join(site.out, `${name}.html`), 'utf8')

async function loadAll(browser: Browser, site: BuiltSite, pages: readonly string[], width: number) {
  const context = await browser.newContext({ offline: true, viewport: { width, height: 800 } })
  try {
    for (const name of pages) {
      const { outside, bytes, shift, moved } = await loadStill(context, site, name)
      assert.deepEqual(outside, [], name)
      assert.ok(bytes > 1000 && bytes <= BUDGET, `${name}: ${bytes} bytes`)
      assert.ok(shift < NOTHING, `${name} at ${width}: ${shift} by ${moved.join(', ')}`)
    }
  } finally {
    await context.close()
  }
}

/**
 * Loads a page again if its layout shifts. A page waits only a limited time for its end and its fonts, which a busy
 * machine may exceed. A shift caused by the page itself occurs on every load.
 */
async function loadStill(context: BrowserContext, site: BuiltSite, name: string): Promise<Load> {
  let loaded = await load(context, site, name)
  for (let tries = 1; loaded.shift >= NOTHING && tries < MOST_TRIES; tries++)
    loaded = await load(context, site, name)
  return loaded
}

async function load(context: BrowserContext, site: BuiltSite, name: string): Promise<Load> {
  const page = await context.newPage()
  const asked = new Set<string>()
  page.on('request', (request) => asked.add(request.url()))
  try {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
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

/** Records layout shifts from the first frame on while scrolling to the end of the page. Runs in the page. */
async function watchMoves(): Promise<{ shift: number; moved: string[] }> {
  let shift = 0
  const moved: string[] = []
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    })[]) {
      shift += entry.value
      for (const { node, previousRect, currentRect } of entry.sources)
        moved.push(`${boxOf(node)} ${sidesOf(previousRect)} → ${sidesOf(currentRect)}`)
    }
  })
  const sidesOf = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ')
  const boxOf = (node: Node | null) =>
    (node instanceof Element ? node : node?.parentElement)?.outerHTML.slice(0, 160) ?? ''
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
