/**
 * Reports serious and critical axe violations on random pages of built sites, in both color schemes.
 *
 *   node bench/axe-corpus.ts <built folder>... [--pages 50] [--seed 1] [--width 1280]
 *
 * The same seed selects the same pages of the same folders. Each folder contributes in proportion to its page count.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { loadAxe, serious } from '../tests/kit/axe.ts'
import { launchBrowser } from '../tests/kit/browser.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    width: { type: 'string', default: '1280' },
  },
})
if (positionals.length === 0) {
  console.error('usage: node bench/axe-corpus.ts <built folder>... [--pages 50] [--seed 1] [--width 1280]')
  process.exit(2)
}

const chosen = choose(positionals.flatMap(pagesOf), Number(values.pages), Number(values.seed))
const browser = await launchBrowser()
if (!browser) throw new Error('there is no browser on this machine')
const found = new Map<string, string[]>()
try {
  for (const file of chosen) await lookAt(file)
} finally {
  await browser.close()
}
const total = [...found.values()].reduce((sum, places) => sum + places.length, 0)
console.log(`${chosen.length} pages, light and dark: ${total} elements with something serious or critical`)
for (const [what, places] of [...found].sort((a, b) => b[1].length - a[1].length))
  console.log(`${places.length}  ${what}\n    ${places.slice(0, 3).join('\n    ')}`)

/** Checks both color schemes in one visit. Motion is reduced, so that no color is in transition. */
async function lookAt(file: string): Promise<void> {
  if (!browser) return
  const viewport = { width: Number(values.width), height: 900 }
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
  try {
    // Block network requests: pages are checked as they look offline.
    await context.route(/^https?:/, (route) => route.abort())
    const page = await context.newPage()
    await page.goto(pathToFileURL(file).href)
    await loadAxe(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const line of await page.evaluate(serious, { root: 'html', rules: null }))
        note(line, file, colorScheme)
    }
  } finally {
    await context.close()
  }
}

function note(line: string, file: string, scheme: string): void {
  const [rule = '', ...rest] = line.split(' ')
  const text = rest.join(' ')
  const key = `${rule} ${scheme}: ${text}`
  found.set(key, [...(found.get(key) ?? []), file])
}

function pagesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html') && !path.startsWith('_octavo'))
    .sort()
    .map((path) => join(folder, path))
    .filter((file) => !readFileSync(file, 'utf8').includes('http-equiv="refresh"'))
}

function choose(pages: readonly string[], count: number, seed: number): string[] {
  const left = [...pages]
  let state = seed >>> 0
  return Array.from({ length: Math.min(count, left.length) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return left.splice(Math.floor((state / 2 ** 32) * left.length), 1)[0] as string
  })
}
