/** Converts a GitBook space, in the format of its Git Sync, to a docs.json site. */
import { posix } from 'node:path'
import type { FileTree } from '../../base/files/file-tree.ts'
import { decodePath } from '../../base/text/decode-path.ts'
import { createSlug } from '../../site/navigation/routes.ts'
import { readTextFile } from '../../site/text.ts'
import { readYaml } from '../../site/yaml.ts'
import type { NavGroup } from '../imported-site.ts'
import {
  createPathAllocator,
  ImportError,
  type ImportedSite,
  isCode,
  isPage,
  type NavItem,
  omitUndefined,
  type PathAllocator,
  toRoute,
} from '../imported-site.ts'
import { type Line, measureIndent, toLines } from '../markdown/blocks.ts'
import { emojiAt } from '../markdown/emoji.ts'
import {
  createLinkMap,
  createLinkResolver,
  createRedirects,
  type LinkMap,
  resolveAddress,
} from '../markdown/links.ts'
import { escapeDollar } from '../markdown/math.ts'
import { attribute, attributeText, readTag, scanBudget } from '../markdown/tags.ts'
import { excerpt, type Notes } from '../notes.ts'
import { extractTitle, plainTitle, readPage, type SourcePage, writePage } from '../page-file.ts'
import { asFields, asText, type Fields } from '../values.ts'
import { cardTable } from './card-table.ts'
import type { OperationPage } from './components.ts'
import { convertPage } from './convert-page.ts'

const ITEM = /^\s*[*+-][ \t]+(\S.*)$/

const MAX_DEPTH = 20

const MAX_TABLE_CHARACTERS = 300_000

const MAX_FIGURE_CHARACTERS = 5000

interface Book {
  /** Folder of the pages; empty for the source folder. */
  root: string
  summary: string
  readme: string
  redirects: Fields
  file: string
}

interface SourceDoc {
  page: SourcePage
  importedPath: string
  title: string
  /** Label in SUMMARY.md. */
  label: string | null
}

interface Conversion {
  tree: FileTree
  notes: Notes
  book: Book
  links: LinkMap
  docs: ReadonlyMap<string, SourceDoc>
  snippets: Set<string>
  allocatePath: PathAllocator
  texts: Map<string, string>
  /** Operation pages, keyed by the path of the page that documents the operations. */
  operations: Map<string, string[]>
}

const CONFIG_FILES = ['.gitbook.yaml', '.gitbook.yml']

export async function importGitBook(tree: FileTree, notes: Notes): Promise<ImportedSite> {
  const book = await readBook(tree, notes)
  const allocatePath = createPathAllocator(notes)
  const docs = await readDocs(tree, notes, book, allocatePath)
  const texts = new Map<string, string>()
  const pages = await readContents(tree, notes, book, docs, (title, url) => {
    const importedPath = allocatePath(book.summary, `links/${createSlug(title) || 'link'}`, false)
    texts.set(`${importedPath}.mdx`, writePage(notes, book.summary, { title, url }, ''))
    return importedPath
  })
  const assets = collectAssets(tree, notes, book)
  const conversion: Conversion = {
    tree,
    notes,
    book,
    links: createLinkMap(docs.values(), assets, [book.root, '.']),
    docs,
    snippets: new Set(),
    allocatePath,
    texts,
    operations: new Map(),
  }
  for (const doc of docs.values()) texts.set(`${doc.importedPath}.mdx`, convertDoc(conversion, doc))
  for (const file of conversion.snippets) {
    const page = readPage(notes, file, await readTextFile(tree, file))
    texts.set(snippetPath(file), writePage(notes, file, page.fields, convertBody(conversion, page)))
  }
  const settings = omitUndefined({
    name: docs.get(book.readme)?.title ?? 'Documentation',
    colors: { primary: '#346DDB' },
    navigation: { pages: insertOperations(pages, conversion) },
    redirects: createRedirects(
      notes,
      conversion.links,
      { file: book.file, from: posix.join(book.root, 'README.md') },
      Object.entries(book.redirects).map(([from, to]) => [posix.join('/', from), to]),
    ),
  })
  notes.add(
    'setting',
    book.file,
    'GitBook stores the colours, logo and header of a space in its settings, not in files.',
    'Set colors, logo, favicon and navbar in docs.json.',
  )
  return {
    settings,
    texts,
    copies: new Map([...assets].map(([source, path]) => [path, source])),
  }
}

async function readBook(tree: FileTree, notes: Notes): Promise<Book> {
  const file = CONFIG_FILES.find((one) => tree.files.has(one)) ?? '.gitbook.yaml'
  const result = tree.files.has(file)
    ? readYaml(await readTextFile(tree, file), { depth: 20, values: 50_000 })
    : null
  if (result && 'fault' in result)
    notes.add(
      'setting',
      { file, line: result.fault.line },
      `The file cannot be parsed: ${result.fault.reason}.`,
    )
  const fields = asFields(result && 'value' in result ? result.value : {})
  const structure = asFields(fields.structure)
  const root = posix
    .join('/', asText(fields.root) ?? '')
    .slice(1)
    .replace(/\/$/, '')
  const within = (path: string) => posix.join('/', root, path).slice(1)
  const summary = within(asText(structure.summary) ?? 'SUMMARY.md')
  if (!tree.files.has(summary))
    throw new ImportError(
      `There is no ${summary} in this folder. Use the path of the folder that GitBook's Git Sync writes, which contains .gitbook.yaml or SUMMARY.md.`,
    )
  return {
    root,
    summary,
    readme: within(asText(structure.readme) ?? 'README.md'),
    redirects: asFields(fields.redirects),
    file,
  }
}

/** Returns whether a path is in a folder such as `.gitbook`, which contains no pages. */
function isHiddenPath(path: string): boolean {
  return /(?:^|\/)\./.test(path)
}

function resolveInRoot({ root }: Book, file: string): string | null {
  if (root === '') return file
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : null
}

async function readDocs(
  tree: FileTree,
  notes: Notes,
  book: Book,
  allocatePath: ReturnType<typeof createPathAllocator>,
): Promise<Map<string, SourceDoc>> {
  const docs = new Map<string, SourceDoc>()
  for (const file of tree.files.keys()) {
    const path = resolveInRoot(book, file)
    if (path === null || !isPage(path) || file === book.summary || isHiddenPath(path)) continue
    const page = readPage(notes, file, await readTextFile(tree, file))
    const bare = path.replace(/\.\w+$/, '')
    const isFolder = /(?:^|\/)(?:readme|index)$/i.test(bare) || file === book.readme
    const folder = posix.dirname(bare) === '.' ? '' : posix.dirname(bare)
    const importedPath = allocatePath(file, file === book.readme ? '' : isFolder ? folder : bare, isFolder)
    const title = extractTitle(page.lines)?.title ?? asText(page.fields.title) ?? posix.basename(bare)
    docs.set(file, { page, importedPath, title, label: null })
  }
  return docs
}

async function readContents(
  tree: FileTree,
  notes: Notes,
  book: Book,
  docs: ReadonlyMap<string, SourceDoc>,
  makeLink: (title: string, url: string) => string,
): Promise<NavItem[]> {
  const groups = readSummary(toLines(await readTextFile(tree, book.summary), 1))
  const listed = new Set<string>()
  const pages = buildNavigation(groups, {
    makeLink,
    resolvePage(path, { title, line }) {
      const file = posix.join(book.root, path)
      const doc = docs.get(file) ?? docs.get(posix.join(file, 'README.md'))
      if (!doc)
        notes.add(
          'navigation',
          { file: book.summary, line },
          `The table of contents lists ${excerpt(path)}, which does not exist.`,
        )
      if (!doc || listed.has(doc.importedPath)) return null
      listed.add(doc.importedPath)
      if (title !== '' && title !== doc.title) doc.label = title
      return doc.importedPath
    },
  })
  const rest = [...docs.values()].filter(({ importedPath }) => !listed.has(importedPath)).length
  if (rest > 0)
    notes.add(
      'navigation',
      book.summary,
      `${rest} pages are not in the table of contents, so they are not in the navigation.`,
      'Add them to docs.json to show them in the navigation.',
    )
  return pages
}

/** Moves `.gitbook/assets` to `assets`, because hidden folders are not served. */
function collectAssets(tree: FileTree, notes: Notes, book: Book): Map<string, string> {
  const assets = new Map<string, string>()
  for (const file of tree.files.keys()) {
    const own = file.split('.gitbook/assets/')[1]
    const path = resolveInRoot(book, file)
    if (own !== undefined) assets.set(file, `assets/${own}`)
    else if (path === null || isPage(path) || isHiddenPath(path)) continue
    else if (isCode(path))
      notes.add('style', file, 'The file is not imported because it would be loaded by all pages.')
    else assets.set(file, path)
  }
  return assets
}

function snippetPath(file: string): string {
  return `snippets/${file
    .replace(/(?:^|\/)\.gitbook\/(?:includes\/)?/, '/')
    .replace(/^\//, '')
    .replace(/\.\w+$/, '')}.mdx`
}

function convertDoc(conversion: Conversion, doc: SourceDoc): string {
  const { notes, links } = conversion
  const { file, fields } = doc.page
  const { title: _, cover, ...rest } = fields
  const picture = asText(cover)
  const image =
    picture === null
      ? ''
      : `<img${attribute('src', resolveAddress(links, file, picture).href)} alt="" noZoom />\n\n`
  const head = {
    title: doc.title,
    sidebarTitle: doc.label,
    ...rest,
    hidden: fields.hidden === true || null,
  }
  return writePage(notes, file, head, convertBody(conversion, doc.page, image))
}

/** Replaces each page that documents operations with a group that contains one page per operation. */
function insertOperations(items: readonly NavItem[], { operations, docs }: Conversion): NavItem[] {
  const titles = new Map(
    [...docs.values()].map(({ importedPath, label, title }) => [importedPath, label ?? title]),
  )
  const walk = (item: NavItem): NavItem => {
    if (typeof item !== 'string') {
      const own = operations.get(item.root ?? '') ?? []
      return { ...item, pages: [...own, ...item.pages.map(walk)] }
    }
    const pages = operations.get(item)
    return pages === undefined ? item : { group: titles.get(item) ?? item, root: item, pages }
  }
  return items.map(walk)
}

function addOperation(
  conversion: Conversion,
  file: string,
  { title, call, fields, body }: OperationPage,
): string {
  const { notes, docs, allocatePath, texts, operations } = conversion
  const page = docs.get(file)?.importedPath ?? 'operations'
  const folder = page.replace(/(?:^|\/)index$/, '')
  const importedPath = allocatePath(file, `${folder}/${createSlug(call) || 'operation'}`, false)
  texts.set(`${importedPath}.mdx`, writePage(notes, file, { title, ...fields }, body))
  operations.set(page, [...(operations.get(page) ?? []), importedPath])
  return toRoute(importedPath)
}

function convertBody(conversion: Conversion, { file, lines }: SourcePage, top = ''): string {
  const { tree, notes, links, docs, snippets } = conversion
  const link = createLinkResolver(notes, links, file)
  return convertPage(
    {
      file,
      notes,
      link,
      open: [],
      operation: (operationPage) => addOperation(conversion, file, operationPage),
      titleOf(address) {
        const route = resolveAddress(links, file, address.split('#', 1)[0] ?? '').href
        return [...docs.values()].find(({ importedPath }) => toRoute(importedPath) === route)?.title ?? null
      },
      include(name, line) {
        const found = posix.normalize(posix.join(posix.dirname(file), name))
        if (tree.files.has(found) && isPage(found)) {
          snippets.add(found)
          return snippetPath(found)
        }
        notes.add('link', { file, line }, `The included file ${excerpt(name)} does not exist.`)
        return null
      },
      rules: {
        isMdx: false,
        link,
        tag: () => null,
        lost: (what, line) => notes.add('syntax', { file, line }, `${excerpt(what)} has no equivalent.`),
        marks: '<:$',
        own: (text, at, line) => {
          if (text[at] === '$') return escapeDollar(text, at)
          return text[at] === ':'
            ? emojiAt(text, at)
            : convertInlineHtml(text, at, (address) => link(address, line))
        },
      },
    },
    lines,
    top,
  )
}

/**
 * Returns the new URL of a link or image in an HTML tag. GitBook writes HTML where Markdown has no syntax.
 */
type LinkResolver = (address: string, use: 'link' | 'image') => string

type Found = { text: string; end: number } | null

function convertInlineHtml(text: string, at: number, link: LinkResolver): Found {
  if (text[at + 1] === 'a') return headingAnchor(text, at)
  const found = text.startsWith('<figure', at)
    ? figure(text, at, link)
    : text.startsWith('<table', at)
      ? cards(text, at, link)
      : null
  return found && { ...found, text: found.text.replaceAll('\n', `\n${readIndent(text, at)}`) }
}

/** Returns the indentation of the current line, which is applied to all lines of the replacement. */
function readIndent(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 200), at)
  return /^[ \t]*/.exec(before.slice(before.lastIndexOf('\n') + 1))?.[0] ?? ''
}

/** Converts the anchor in `## Title <a href="#id" id="id"></a>`. */
function headingAnchor(text: string, at: number): Found {
  const pattern = /<a href="#([\w.:-]{1,200})" id="([\w.:-]{1,200})"><\/a>[ \t]{0,20}(?=\n|$)/y
  pattern.lastIndex = at
  const found = pattern.exec(text)
  const before = text.slice(Math.max(0, at - 2000), at)
  if (!found || !/^\s{0,3}#{1,6}[ \t]/.test(before.slice(before.lastIndexOf('\n') + 1))) return null
  return { text: `{#${found[2]}}`, end: pattern.lastIndex }
}

/** Converts `<figure><img src alt><figcaption>…</figcaption></figure>`. */
function figure(text: string, at: number, link: LinkResolver): Found {
  const near = text.slice(at, at + MAX_FIGURE_CHARACTERS)
  const close = near.indexOf('</figure>')
  const image = near.indexOf('<img')
  if (close === -1 || image === -1 || image > close) return null
  const inner = near.slice(0, close)
  // A figure with separate images for light and dark mode remains HTML.
  if (inner.indexOf('<img', image + 4) !== -1) return null
  const tag = readTag(inner, image, scanBudget(inner))
  const src = tag && attributeText(tag, 'src')
  if (!tag || src === null) return null
  const caption = inner.includes('<figcaption')
    ? plainTitle(inner.slice(inner.indexOf('<figcaption')).replace(/\{/g, '(').replace(/\}/g, ')'))
    : ''
  const names = ['alt', 'width', 'height'].map((name) => attribute(name, attributeText(tag, name))).join('')
  return {
    text: `<Frame${attribute('caption', caption)}>\n<img${attribute('src', link(src, 'image'))}${names} />\n</Frame>`,
    end: at + close + '</figure>'.length,
  }
}

function cards(text: string, at: number, link: LinkResolver): Found {
  const opening = text.slice(at, at + 200)
  if (!/^<table\s[^<>]{0,100}data-view="cards"/.test(opening) && !/^<table data-card-size/.test(opening))
    return null
  const close = text.indexOf('</table>', at)
  if (close === -1 || close - at > MAX_TABLE_CHARACTERS) return null
  const end = close + '</table>'.length
  return { text: cardTable(text.slice(at, end), { link }), end }
}

/** Entry of SUMMARY.md, GitBook's table of contents. */
interface SummaryEntry {
  title: string
  /** Path below the root, or a URL; null for an entry without a link. */
  target: string | null
  line: number
  children: SummaryEntry[]
}

interface SummaryGroup {
  /** Null for entries before the first heading. */
  title: string | null
  entries: SummaryEntry[]
}

function readSummary(lines: readonly Line[]): SummaryGroup[] {
  const groups: SummaryGroup[] = [{ title: null, entries: [] }]
  let open: { indent: number; entry: SummaryEntry }[] = []
  for (const { text, number } of lines) {
    if (text.startsWith('## ')) {
      groups.push({ title: plainTitle(text.slice(3)), entries: [] })
      open = []
      continue
    }
    const item = ITEM.exec(text)?.[1]
    if (item === undefined) continue
    const entry = parseEntry(item, number)
    const indent = measureIndent(text)
    open = open.filter((one) => one.indent < indent).slice(0, MAX_DEPTH)
    const above = open.at(-1)?.entry.children ?? groups.at(-1)?.entries
    above?.push(entry)
    open.push({ indent, entry })
  }
  return groups.filter(({ title, entries }) => entries.length > 0 || title !== null)
}

function parseEntry(item: string, line: number): SummaryEntry {
  const found = /^\[((?:[^[\]\\]|\\.){0,500})\]\((?:<([^<>]{0,1000})>|([^\s()]{0,1000}))/.exec(item)
  const target = found ? (decodePath(found[2] ?? found[3] ?? '').split('#', 1)[0] ?? '') : null
  return { title: plainTitle(found?.[1] ?? item), target: target === '' ? null : target, line, children: [] }
}

interface SummaryResolver {
  /** Returns the new path of a page, or null if it does not exist. `path` is relative to the root. */
  resolvePage(path: string, entry: SummaryEntry): string | null
  makeLink(title: string, url: string): string
}

function buildNavigation(groups: readonly SummaryGroup[], resolver: SummaryResolver): NavItem[] {
  return groups.flatMap(({ title, entries }): NavItem[] => {
    const pages = entries.flatMap((entry) => createNavItems(entry, resolver))
    return title === null ? pages : [{ group: title || 'Pages', pages }]
  })
}

/** Converts an entry. A page with subpages becomes a group with that page as its root. */
function createNavItems(entry: SummaryEntry, resolver: SummaryResolver): NavItem[] {
  const { title, target, children } = entry
  const isAddress = target !== null && /^[a-z][a-z0-9+.-]*:/i.test(target)
  const importedPath =
    target === null
      ? null
      : isAddress
        ? resolver.makeLink(title, target)
        : resolver.resolvePage(posix.normalize(target), entry)
  if (children.length === 0) return importedPath === null ? [] : [importedPath]
  const pages = children.flatMap((child) => createNavItems(child, resolver))
  const group: NavGroup = { group: title || 'Pages', pages }
  return [importedPath === null ? group : { ...group, root: importedPath }]
}
