/**
 * Measures the size and load time of the dashboard: compressed bytes of a first view by kind, the largest parts that
 * load later, and in a browser the time until a page is interactive, on the first and on repeated visits.
 *
 *   node bench/dashboard/size.ts            bytes
 *   node bench/dashboard/size.ts <url>      also the sign-in page of a running server, five times each
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { buildDashboard } from '../../scripts/build/dashboard.ts'
import { launchBrowser } from '../../tests/kit/browser.ts'

const BUDGET = 75_000
const TRIES = 5

const folder = await mkdtemp(join(tmpdir(), 'octavo-dashboard-'))
try {
  await weigh()
} finally {
  await rm(folder, { recursive: true, force: true })
}
const url = process.argv[2]
if (url !== undefined) await time(url)

async function weigh(): Promise<void> {
  const began = performance.now()
  await buildDashboard(folder)
  const seconds = (performance.now() - began) / 1000
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const first = [...html.matchAll(/\/_dashboard\/([\w.-]+)/g)].map(([, name]) => name ?? '')
  const sums: Record<string, number> = {}
  for (const name of new Set(first)) {
    const size = await sizeOf(name)
    sums[extname(name)] = (sums[extname(name)] ?? 0) + size
  }
  console.log(`built in ${seconds.toFixed(1)} s`)
  for (const [kind, bytes] of Object.entries(sums)) console.log(`first view ${kind}: ${bytes} bytes (gzip)`)
  console.log(`budget of the first view's scripts: ${BUDGET} bytes, used ${sums['.js'] ?? 0}`)
  const later = (await readdir(folder)).filter((name) => /\.js$/.test(name) && !first.includes(name))
  const weighed = await Promise.all(later.map(async (name) => ({ name, bytes: await sizeOf(name) })))
  weighed.sort((a, b) => b.bytes - a.bytes)
  for (const { name, bytes } of weighed.slice(0, 12)) console.log(`later ${name}: ${bytes} bytes (gzip)`)
}

async function sizeOf(name: string): Promise<number> {
  const compressed = await stat(join(folder, `${name}.gz`)).catch(() => null)
  return (compressed ?? (await stat(join(folder, name)))).size
}

async function time(server: string): Promise<void> {
  const browser = await launchBrowser()
  if (browser === null) throw new Error('There is no browser on this machine.')
  for (const kind of ['first', 'again'] as const) {
    const times: number[] = []
    const shared = await browser.newContext()
    for (let attempt = 0; attempt <= TRIES; attempt++) {
      const context = kind === 'first' ? await browser.newContext() : shared
      const page = await context.newPage()
      await page.goto(`${server}/sign-in`)
      await page.getByLabel('Email address').waitFor()
      times.push(await page.evaluate(() => performance.now()))
      await (kind === 'first' ? context : page).close()
    }
    times.shift() // Warms up.
    times.sort((a, b) => a - b)
    console.log(`sign-in page can be used, ${kind}: ${times.map((ms) => Math.round(ms)).join(', ')} ms`)
  }
  await browser.close()
}
