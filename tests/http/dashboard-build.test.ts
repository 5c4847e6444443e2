/** The built dashboard: the files of a first view, and that every referenced file exists. */
import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildDashboard } from '../../scripts/build/dashboard.ts'
import { dashboardFolder } from '../../src/app/dashboard.ts'
import { ICON_NAMES } from '../../web/dashboard/src/ui/icon-names.ts'

/** Limit for the scripts of a first view, in compressed bytes. */
const BUDGET = 75_000
/** Limit for the files a page loads besides its own, including those of the first view. */
const MOST_PARTS = 12

let files: Map<string, string>
let shell: string
before(async () => {
  files = await textsIn(await dashboardFolder())
  shell = files.get('index.html') ?? ''
})

test('a first view loads one app script, one style sheet and one font, besides the color scheme script', () => {
  const asked = [...shell.matchAll(/(?:src|href)="\/_dashboard\/([^"]+)"/g)].map(([, name = '']) => name)
  const kinds = asked.map((name) => name.replace(/-[0-9a-f]{8}\./, '.'))
  assert.deepEqual(kinds, ['early.js', 'inter-latin-wght-normal.woff2', 'mark.svg', 'app.js', 'style.css'])
  for (const name of asked) assert.ok(files.has(name), name)
  const scripts = asked.filter((name) => name.endsWith('.js')).map((name) => files.get(name) ?? '')
  const bytes = scripts.reduce(
    (sum, text) => sum + gzipSync(Buffer.from(text, 'latin1'), { level: 9 }).length,
    0,
  )
  assert.ok(bytes < BUDGET, `${bytes} bytes`)
})

test('the build needs no exception from the content security policy', () => {
  assert.doesNotMatch(shell, /<script>|<script [^>]*>[^<]|<style|\sstyle=|\son[a-z]+=/)
  const style = [...files].find(([name]) => name.endsWith('.css'))?.[1] ?? ''
  assert.ok(!/url\(["']?(?:data|https?):|@import/.test(style), 'everything is a file beside it')
  const fonts = [...style.matchAll(/url\("?\/_dashboard\/([^")]+)"?\)/g)].map(([, name = '']) => name)
  assert.ok(fonts.length >= 13, `${fonts.length} fonts`)
  for (const name of fonts) assert.ok(files.has(name), name)
})

test('every imported script exists, and a page loads a limited number of files', () => {
  for (const [name, text] of files) {
    if (!name.endsWith('.js')) continue
    for (const part of importsIn(text)) assert.ok(files.has(part), `${name} imports ${part}`)
    if (/-page-[0-9a-f]{8}\.js$/.test(name)) assert.ok(importsOf(name).length <= MOST_PARTS, name)
  }
})

test('icon data is in the first script or in one that every page loads', () => {
  const first = /src="\/_dashboard\/(app-[^"]+)"/.exec(shell)?.[1] ?? ''
  const drawnIn = (text: string) => ICON_NAMES.filter((name) => RegExp(`[{,]"?${name}"?:\\[\\[`).test(text))
  const drawn = [...files].map(([name, text]) => ({ name, icons: drawnIn(text) }))
  const parts = drawn.filter(({ icons }) => icons.length > 0)
  assert.deepEqual(parts.flatMap(({ icons }) => icons).sort(), [...ICON_NAMES].sort())
  const later = parts.filter(({ name }) => name !== first).map(({ name }) => name)
  assert.equal(later.length, 1)
  const pages = [...files.keys()].filter((name) => /-page-[0-9a-f]{8}\.js$/.test(name))
  assert.ok(pages.length > 15)
  for (const page of pages) assert.ok(importsOf(page).includes(later[0] ?? ''), page)
})

test('the style sheet has the classes of the sources and keeps its layer order', () => {
  const style = [...files].find(([name]) => name.endsWith('.css'))?.[1] ?? ''
  assert.ok(/@layer theme,\s*base,\s*components,\s*utilities;/.test(style), 'the order of the layers')
  for (const rule of [
    /\.flex\{display:flex\}/,
    /--color-neutral-1: ?light-dark\(/,
    /@media ?\(pointer: ?coarse\)/,
  ])
    assert.ok(rule.test(style), `${rule}`)
  assert.ok(style.indexOf('.uplot') > style.lastIndexOf('@layer utilities'), 'the chart is styled last')
})

test('builds identical files from identical sources', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'octavo-dashboard-'))
  await buildDashboard(folder.path)
  const again = await textsIn(folder.path)
  assert.deepEqual([...again.keys()], [...files.keys()])
  for (const [name, text] of again) assert.ok(text === files.get(name), name)
})

/** Returns the static imports of a script, including transitive ones, without the script itself. */
function importsOf(name: string): string[] {
  const found = new Set([name])
  for (const one of found) for (const part of importsIn(files.get(one) ?? '')) found.add(part)
  found.delete(name)
  return [...found]
}

function importsIn(script: string): string[] {
  return [...script.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+)["'`]/g)].map(([, part = '']) => part)
}

async function textsIn(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).sort()
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), 'latin1')] as [string, string]),
    ),
  )
}
