/**
 * Builds sites from more than five hundred hostile files: no code runs outside the isolate, no file outside the docs
 * folder is read, no server is called, every page has an output, and text stays text in a browser. OCTAVO_FAULT_ROUNDS
 * above 1 uses the full sizes and opens every page.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import type { Problem } from '../../src/base/errors/problem.ts'
import { silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/features/export/build-folder.ts'
import { browserTest } from '../kit/browser.ts'
import type { Canaries } from '../kit/hostile-code.ts'
import * as hostile from '../kit/hostile-content.ts'
import { runnableParts } from '../kit/hostile-page.ts'
import { HIT } from '../kit/payloads.ts'
import { smallSite, writeSite } from '../kit/site.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'

const SECRET = 'canary-5f1c9e-words-that-no-page-may-show'

let folder: string
let canaries: Canaries
let calls = 0
/** Scripts that the pages of a harmless site contain. */
const ownScripts = new Set<string>()
const server = createServer((_request, response) => {
  calls += 1
  response.end(SECRET)
})

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-hostile-'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  canaries = {
    variable: 'OCTAVO_HOSTILE_CANARY',
    secretFile: join(folder, 'secret.txt'),
    written: join(folder, 'written'),
    url: `http://127.0.0.1:${port}/canary`,
  }
  process.env[canaries.variable] = SECRET
  await writeFile(canaries.secretFile, SECRET)
  const files: Record<string, string> = { ...smallSite(1) }
  const settings = JSON.parse(files['docs.json'] ?? '') as object
  // Redirect pages have a script of their own, and so has the page on which an API sign-in ends.
  files['call.mdx'] = '---\ntitle: Call\napi: GET https://api.example.com/calls\n---\n'
  const redirects = [{ source: '/moved', destination: '/' }]
  files['docs.json'] = JSON.stringify({ ...settings, redirects })
  const sound = await build('sound', { pages: [], files })
  for (const html of sound.outputs.values())
    runnableParts(html, (text) => {
      ownScripts.add(text)
      return true
    })
})
after(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

interface Built {
  out: string
  problems: Problem[]
  outputs: Map<string, string>
}

/** Builds the site and checks what every build must satisfy. */
async function build(name: string, site: hostile.HostileSite): Promise<Built> {
  const root = join(folder, name)
  const docs = join(root, 'docs')
  const out = join(root, 'out')
  await mkdir(root)
  await writeFile(join(root, 'secret.txt'), SECRET)
  await writeFile(join(root, 'secret.json'), JSON.stringify({ title: SECRET }))
  await writeSite(docs, site.files)
  await symlink(join(root, 'secret.txt'), join(docs, 'linked.txt'))
  await symlink(root, join(docs, 'linked'))
  const { problems } = await buildFolder({
    folder: docs,
    out,
    deployment: 'client-hosted',
    children: 2,
    log: silentLog,
    report: () => {},
    signal: AbortSignal.timeout(IS_WHOLE ? 900_000 : 240_000),
  })
  const outputs = new Map<string, string>()
  for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const place = join(entry.parentPath, entry.name)
    outputs.set(place.slice(out.length + 1), await readFile(place, 'utf8'))
  }
  for (const [path, text] of outputs) assert.ok(!text.includes(SECRET), `${path} shows the secret`)
  assert.ok(!JSON.stringify(problems).includes(SECRET), 'a problem shows the secret')
  assert.ok(!existsSync(canaries.written), 'a file was written')
  assert.equal(calls, 0, 'somebody was called')
  assert.equal(({} as Record<string, unknown>).polluted, undefined, 'a prototype was changed')
  for (const problem of problems)
    assert.ok(problem.message.length > 5 && problem.remedy.length > 5, JSON.stringify(problem))
  return { out, problems, outputs }
}

function expectPages({ outputs }: Built, pages: readonly string[]): void {
  for (const page of pages)
    assert.match(outputs.get(`${page}.html`) ?? '', /<main|<h1/, `${page} has no output`)
}

function isOwnScript(text: string): boolean {
  return ownScripts.has(text)
}

function expectOnlyText(built: Built, isAllowed: (part: string) => boolean = () => false): void {
  const wrong: string[] = []
  for (const [path, html] of built.outputs) {
    if (!path.endsWith('.html')) continue
    for (const part of runnableParts(html, isOwnScript)) if (!isAllowed(part)) wrong.push(`${path}: ${part}`)
  }
  assert.deepEqual(wrong.slice(0, 40), [], `${wrong.length} parts of pages could run`)
}

test('page code cannot access the host, and the text around it is rendered', async () => {
  const site = hostile.codeSite(canaries, IS_WHOLE ? 1 : 3)
  const built = await build('code', site)
  expectPages(built, site.pages)
  for (const page of site.pages.slice(1)) {
    const html = built.outputs.get(`${page}.html`) as string
    // Code that overwrites built-ins may break its own page.
    if (/prototype\.\w+ = |JSON\.stringify = /.test(site.files[`${page}.mdx`] as string)) continue
    assert.ok(html.includes('First words.') && html.includes('Last words.'), `${page} lost its words`)
  }
  assert.ok(!(built.outputs.get('index.html') as string).includes('polluted'))
})

test('infinite loops in page code are stopped, and the text around them is rendered', async () => {
  const site = hostile.endlessSite(IS_WHOLE ? 8 : 2)
  const built = await build('endless', site)
  expectPages(built, site.pages)
  for (const page of site.pages.slice(1))
    assert.ok((built.outputs.get(`${page}.html`) as string).includes('Last words.'), page)
})

test('frontmatter cannot pollute prototypes, run YAML tags or expand without bound', async () => {
  const site = hostile.frontmatterSite()
  const built = await build('frontmatter', site)
  expectPages(built, site.pages)
  for (const page of site.pages.slice(1))
    assert.ok((built.outputs.get(`${page}.html`) as string).includes('Last words.'), page)
  expectOnlyText(built)
})

test('very large and deeply nested pages are built', async () => {
  const site = hostile.giantSite(IS_WHOLE ? 1 : 0.02)
  const built = await build('giant', site)
  expectPages(built, site.pages)
})

test('paths cannot leave the docs folder, and file names inject no markup', async () => {
  const site = hostile.pathSite(canaries)
  const built = await build('paths', site)
  expectPages(
    built,
    site.pages.filter((page) => !page.startsWith('names/')),
  )
  // Redirects from old addresses of operations use meta refresh; their links are checked for the target.
  expectOnlyText(built, (part) => part === 'meta refresh')
})

let text: Built
let addresses: Built

test('text is escaped everywhere a page accepts text', async () => {
  const site = hostile.textSite(IS_WHOLE ? 260 : 170)
  text = await build('text', { ...site, files: { ...site.files, ...hostile.pictureFiles() } })
  expectPages(text, site.pages)
  expectOnlyText(text)
})

test('script URLs are neutralized in pages and in settings', async () => {
  const site = hostile.addressSite()
  addresses = await build('addresses', site)
  expectPages(addresses, site.pages)
  // Redirect pages use meta refresh; their links are checked for the target.
  expectOnlyText(addresses, (part) => part === 'meta refresh')
})

/** Opens the page and its interactive parts, and returns whether any hostile script ran. */
async function runs(page: Page, url: string, isPage: boolean): Promise<boolean> {
  await page.goto(url, { waitUntil: 'load' })
  if (isPage) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('window', { delay: 0 })
    await page
      .locator('button[aria-haspopup]:visible')
      .first()
      .click({ timeout: 300 })
      .catch(() => {})
  } else {
    const target = page.locator('#go')
    if ((await target.count()) > 0) await target.click({ timeout: 300, force: true }).catch(() => {})
  }
  return page.evaluate(`window.${HIT} !== undefined`) as Promise<boolean>
}

browserTest('no injected text runs in a browser, with search and menus open', async (browser) => {
  const page = await browser.newPage()
  const hits: string[] = []
  let dialogs = 0
  page.on('dialog', (dialog) => {
    dialogs += 1
    return dialog.dismiss()
  })
  for (const built of [text, addresses]) {
    const paths = [...built.outputs.keys()].filter((path) => path.endsWith('.html'))
    for (const path of paths.filter((_, index) => IS_WHOLE || index % 40 === 0))
      if (await runs(page, pathToFileURL(join(built.out, path)).href, true)) hits.push(path)
  }
  assert.deepEqual(hits, [])
  assert.equal(dialogs, 0)
  await page.close()
})

browserTest('SVG images run no script when opened directly', async (browser) => {
  const page = await browser.newPage()
  const hits: string[] = []
  const pictures = [...text.outputs.keys()].filter((path) => path.endsWith('.svg') && /picture/.test(path))
  assert.equal(pictures.length, Object.keys(hostile.pictureFiles()).length)
  for (const path of pictures)
    if (await runs(page, pathToFileURL(join(text.out, path)).href, false)) hits.push(path)
  assert.deepEqual(hits, [])
  await page.close()
})
