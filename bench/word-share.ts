/**
 * Measures how much of a site's text reaches its pages: the share of words in the sources (title, description, prose,
 * code, texts of component attributes) that occur in the HTML of their page.
 *
 *   node bench/word-share.ts <docs folder> <built folder> [--worst 20] [--lost 12]
 *
 * Words are compared as multisets: a word that occurs three times in the source must occur three times in the page.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type DefaultTreeAdapterTypes as Html, parse as parseHtml } from 'parse5'
import { markdownToHast, mdxToHast } from 'satteri'
import { openFolderTree } from '../src/base/files/folder-tree.ts'
import { loadSite } from '../src/site/load-site.ts'

/** Words of the sources that are not expected in the page, because it conveys them differently, by reason. */
const setAside: Record<'title that the first heading repeats' | 'mark of an alert', string[]> = {
  'title that the first heading repeats': [],
  'mark of an alert': [],
}
/** `> [!NOTE]` becomes the style of the callout. */
const ALERT = /^\\?\[!(?:note|tip|important|warning|caution)\]/i

interface PageShare {
  route: string
  words: number
  found: number
  lost: string[]
}

/** Attributes whose value is visible to readers. */
const READ_ATTRIBUTES = new Set(
  'title description label alt tip cta headline name body query path header default placeholder caption text'.split(
    ' ',
  ),
)

const READABLE = /^(?:alt|title|aria-label|placeholder|data-chart|data-tip)$/
const BLOCKS = new Set(
  'address article aside blockquote br button dd details div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary table tbody td th thead tr ul svg img label'.split(
    ' ',
  ),
)

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { worst: { type: 'string', default: '10' }, lost: { type: 'string', default: '12' } },
})
const [folder, built] = positionals
if (!folder || !built) {
  console.error('usage: node bench/word-share.ts <docs folder> <built folder>')
  process.exit(2)
}

const tree = await openFolderTree(folder)
const site = await loadSite(tree)
const shares: PageShare[] = []
const missing: string[] = []
let unparsed = 0
for (const page of site.pages.values()) {
  if (page.file === null) continue
  const path = page.route === '/' ? 'index.html' : `${page.route.slice(1)}.html`
  let html: string
  try {
    html = readFileSync(join(built, path), 'utf8')
  } catch {
    missing.push(page.route)
    continue
  }
  const text = async (file: string) => new TextDecoder().decode(await tree.read(file))
  const source = await text(page.file)
  shares.push(shareOf(page.route, sourceWords(source), htmlWords(html)))
}

const words = shares.reduce((sum, share) => sum + share.words, 0)
const found = shares.reduce((sum, share) => sum + share.found, 0)
console.log(`pages with a file: ${shares.length}, without output: ${missing.length}, not MDX: ${unparsed}`)
for (const route of missing) console.log(`  no file for ${route}`)
console.log(`words: ${words}, found: ${found}, share: ${((100 * found) / words).toFixed(3)} %`)
for (const [reason, words] of Object.entries(setAside))
  if (words.length > 0) console.log(`set aside, ${reason}: ${words.length} words: ${words.join(' ')}`)
const worst = shares
  .filter((share) => share.found < share.words)
  .sort((a, b) => b.words - b.found - (a.words - a.found))
  .slice(0, Number(values.worst))
for (const share of worst) {
  const lost = share.lost.slice(0, Number(values.lost)).join(' ')
  console.log(
    `${((100 * share.found) / share.words).toFixed(1).padStart(6)} %  ${share.words - share.found} lost  ${share.route}: ${lost}`,
  )
}

function shareOf(route: string, source: Map<string, number>, page: Map<string, number>): PageShare {
  let words = 0
  let found = 0
  const lost: string[] = []
  for (const [word, count] of source) {
    const there = Math.min(count, page.get(word) ?? 0)
    words += count
    found += there
    if (there < count) lost.push(count - there > 1 ? `${word}×${count - there}` : word)
  }
  return { route, words, found, lost }
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

/** Counts the words of a page's source that a reader should see, without syntax, URLs, settings and comments. */
function sourceWords(source: string): Map<string, number> {
  const front = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---\r?(?:\n|$)/.exec(source)
  const shown: string[] = []
  for (const key of ['title', 'description']) {
    const line = new RegExp(`^${key}:[ \\t]*(.+(?:\\r?\\n[ \\t]+.+)*)`, 'm').exec(front?.[1] ?? '')
    if (line) shown.push((line[1] as string).replace(/^[>|][+-]?\s*/, ''))
  }
  const root = parseSource(front ? source.slice(front[0].length) : source)
  setRepeatedTitleAside(root, shown[0] ?? '')
  collectText(root, shown)
  return countWords(shown.join('\n'))
}

/** Sets aside a first heading that repeats the title, because the page shows the title only once. */
function setRepeatedTitleAside(root: SourceNode, title: string): void {
  const first = root.children?.find((node) => node.type === 'element' || node.name)
  if (first?.tagName !== 'h1') return
  const text: string[] = []
  collectText(first, text)
  const [said, given] = [text.join(''), title].map((words) => [...countWords(words).keys()].join(' '))
  if (said !== given) return
  setAside['title that the first heading repeats'].push(...countWords(text.join('')).keys())
  first.children = []
}

interface SourceNode {
  type: string
  value?: string
  tagName?: string
  name?: string | null
  properties?: Record<string, unknown>
  attributes?: { type: string; name?: string; value?: unknown }[]
  children?: SourceNode[]
}

function parseSource(body: string): SourceNode {
  const options = { features: { gfm: true, headingAttributes: true, math: { singleDollarTextMath: false } } }
  try {
    return mdxToHast(body, options) as unknown as SourceNode
  } catch {
    unparsed += 1
    return markdownToHast(body, options) as unknown as SourceNode
  }
}

function collectText(node: SourceNode, shown: string[]): void {
  if (node.type === 'text' && node.value) shown.push(withoutAlert(node.value))
  if (/^(?:style|script)$/.test(node.name ?? node.tagName ?? '')) return
  if (node.tagName === 'img') shown.push(String(node.properties?.alt ?? ''))
  for (const { name, value } of node.attributes ?? []) {
    const isRead =
      READ_ATTRIBUTES.has((name ?? '').toLowerCase()) || (name === 'type' && /Field$/.test(node.name ?? ''))
    if (typeof value === 'string' && isRead) shown.push(value)
  }
  for (const child of node.children ?? []) collectText(child, shown)
}

function withoutAlert(text: string): string {
  if (!ALERT.test(text)) return text
  setAside['mark of an alert'].push(ALERT.exec(text)?.[0] ?? '')
  return text.replace(ALERT, '')
}

/** Counts the words of the page content, and of attributes that readers or their tools read. */
function htmlWords(html: string): Map<string, number> {
  const document = parseHtml(html) as Html.ParentNode
  // Pages that do not display their title have it only in the window title and in search results.
  const parts: string[] = /data-mode="(?:custom|frame)"/.test(html) ? [headText(html)] : []
  const main = find(document, 'main')
  const visit = (node: Html.Node, isCode: boolean): void => {
    if ('value' in node) parts.push(node.value)
    if (!('tagName' in node)) return
    if (node.tagName === 'script' || node.tagName === 'style') return
    for (const { name, value } of node.attrs) if (READABLE.test(name)) parts.push(` ${value} `)
    // Highlighting splits words into several elements; everywhere else, an element boundary ends a word.
    const isInCode = isCode || node.tagName === 'code'
    const border = isCode && !BLOCKS.has(node.tagName) ? '' : ' '
    const { childNodes } = 'content' in node ? node.content : node
    parts.push(border)
    for (const child of childNodes) visit(child, isInCode)
    parts.push(border)
  }
  visit(main, false)
  return countWords(parts.join(''))
}

function headText(html: string): string {
  const title = /<title>([^<]*)/.exec(html)?.[1] ?? ''
  const description = /<meta name="description" content="([^"]*)/.exec(html)?.[1] ?? ''
  return `${title}\n${description}\n`
}

function find(node: Html.ParentNode, name: string): Html.Node {
  const pending: Html.Node[] = [node]
  for (let next = pending.shift(); next; next = pending.shift()) {
    if ('tagName' in next && next.tagName === name) return next
    if ('childNodes' in next) pending.push(...next.childNodes)
  }
  return node
}
