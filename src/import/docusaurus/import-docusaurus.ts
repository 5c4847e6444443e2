/** Converts a Docusaurus site to a docs.json site, without running its code. */
import { posix } from 'node:path'
import type { FileTree } from '../../base/files/file-tree.ts'
import { readTextFile } from '../../site/text.ts'
import type { NavItem } from '../imported-site.ts'
import {
  createPathAllocator,
  type ImportedSite,
  isCode,
  isPage,
  omitUndefined,
  toRoute,
} from '../imported-site.ts'
import { createRedirects, type LinkMap, resolveAddress } from '../markdown/links.ts'
import { attribute } from '../markdown/tags.ts'
import type { Notes } from '../notes.ts'
import { readPage, writePage } from '../page-file.ts'
import { asFields, asItems, asText, type Fields } from '../values.ts'
import { type Blog, blogBody, readBlog } from './blog.ts'
import { readChrome } from './chrome.ts'
import { type DocusaurusConfig, readConfig } from './config.ts'
import { type ConvertDeps, convertPage } from './convert-page.ts'
import { type Doc, filesBelow, readSinglePages } from './docs.ts'
import { type Edition, readEditions } from './editions.ts'
import { componentClosure, removeReactImport, snippetPath } from './modules.ts'
import { addBlogTabs, buildNavigation } from './navigation.ts'
import type { GeneratedPage } from './sidebars.ts'

/** Frontmatter fields that determine the path or the navigation entry of a page. */
const USED_FRONTMATTER_FIELDS = new Set(
  'id title slug sidebar_position sidebar_label description image unlisted draft hide_table_of_contents'.split(
    ' ',
  ),
)

interface Conversion {
  tree: FileTree
  notes: Notes
  config: DocusaurusConfig
  links: LinkMap
  titles: ReadonlyMap<string, { title: string; description: string | null }>
  /** Partials and components requested by pages. Grows during the conversion. */
  snippets: Set<string>
}

export async function importDocusaurus(tree: FileTree, notes: Notes): Promise<ImportedSite> {
  const config = await readConfig(tree, notes)
  const allocatePath = createPathAllocator(notes)
  const generated: GeneratedPage[] = []
  const drafts: Doc[] = []
  const editions = await readEditions(tree, notes, config, allocatePath, generated, drafts)
  const single = await readSinglePages(tree, notes, config.pagesFolder, allocatePath)
  const pages = single.docs
  drafts.push(...single.drafts)
  const blogs: Blog[] = []
  for (const plugin of config.blogs) blogs.push(...(await readBlog(tree, notes, plugin, allocatePath)))
  const assets = collectAssets(tree, notes, config)
  const links = buildLinkMap(config, { editions, pages, generated, blogs }, assets)
  const titles = collectTitles(editions, generated)
  const conversion: Conversion = { tree, notes, config, links, titles, snippets: new Set() }
  const texts = new Map<string, string>()
  for (const edition of editions)
    for (const doc of edition.set.docs)
      texts.set(`${doc.importedPath}.mdx`, await convertDoc(conversion, doc, edition))
  for (const page of [...pages, ...drafts])
    texts.set(`${page.importedPath}.mdx`, await convertDoc(conversion, page, null))
  for (const blog of blogs)
    for (const [path, text] of await blogPages(conversion, blog)) texts.set(path, text)
  for (const page of generated) texts.set(`${page.route.slice(1)}.mdx`, renderGeneratedPage(conversion, page))
  await convertSnippets(conversion, texts)
  const settings = await buildSettings(conversion, editions, blogs)
  return {
    settings,
    texts,
    copies: new Map([...assets].map(([source, target]) => [target, source])),
    drafts: drafts.map(({ importedPath }) => `${importedPath}.mdx`),
  }
}

async function blogPages(conversion: Conversion, { title, pages }: Blog): Promise<[string, string][]> {
  const { notes } = conversion
  const written: [string, string][] = []
  for (const { target, posts } of pages) {
    const bodies: string[] = []
    for (const { page } of posts)
      bodies.push(await convertPage(createConvertDeps(conversion, null, null), page.file, page.lines, true))
    const fields = { title, rss: true }
    written.push([
      `${target}.mdx`,
      writePage(notes, posts[0]?.page.file ?? '', fields, blogBody(posts, bodies)),
    ])
  }
  return written
}

/**
 * Returns the target path of each asset. Static files move to the root; files next to documents keep their
 * paths.
 */
function collectAssets(tree: FileTree, notes: Notes, config: DocusaurusConfig): Map<string, string> {
  const copies = new Map<string, string>()
  const addAsset = (file: string, target: string) => {
    if (target.split('/').some((segment) => segment.startsWith('.'))) return
    if (isCode(file))
      notes.add('style', file, 'The file is not imported because it would be loaded by all pages.')
    else copies.set(file, target)
  }
  for (const folder of config.staticFolders)
    for (const file of filesBelow(tree, folder)) addAsset(file, file.slice(folder.length + 1))
  const contentFolders = [
    ...[...config.docs, ...config.blogs].map(({ path }) => path),
    'versioned_docs',
    'i18n',
  ]
  for (const folder of contentFolders)
    for (const file of filesBelow(tree, folder))
      if (!isPage(file) && !/\.json$|\/_category_\./.test(file) && !isCode(file)) addAsset(file, file)
  return copies
}

interface Pages {
  editions: readonly Edition[]
  pages: readonly Doc[]
  generated: readonly GeneratedPage[]
  blogs: readonly Blog[]
}

function buildLinkMap(
  config: DocusaurusConfig,
  { editions, pages, generated, blogs }: Pages,
  copies: ReadonlyMap<string, string>,
): LinkMap {
  const sources = new Map<string, string>()
  const routes = new Map<string, string>()
  const base = posix.join('/', asText(config.fields.baseUrl) ?? '/')
  const addRoute = (route: string, target: string) => {
    routes.set(route, target)
    if (base !== '/') routes.set(posix.join(base, route), target)
  }
  for (const doc of [...editions.flatMap(({ set }) => set.docs), ...pages]) {
    sources.set(doc.page.file, toRoute(doc.importedPath))
    addRoute(doc.route, toRoute(doc.importedPath))
  }
  for (const { route } of generated) addRoute(route, route)
  for (const { route: own, pages: parts } of blogs) {
    addRoute(own, toRoute(parts[0]?.target ?? ''))
    for (const { target, posts } of parts) {
      for (const { page, route } of posts) {
        sources.set(page.file, toRoute(target))
        addRoute(route, toRoute(target))
      }
    }
  }
  return { pages: sources, assets: copies, routes, roots: config.staticFolders }
}

async function convertDoc(conversion: Conversion, doc: Doc, edition: Edition | null): Promise<string> {
  const { notes, config, links } = conversion
  const { file, fields, lines } = doc.page
  const isMdx = !(file.endsWith('.md') && config.isMarkdownPlain) && asText(fields.format) !== 'md'
  const body = await convertPage(createConvertDeps(conversion, doc, edition), file, lines, isMdx)
  return writePage(
    notes,
    file,
    docFields(doc, (address) => resolveAddress(links, file, address).href),
    body,
  )
}

function createConvertDeps(conversion: Conversion, doc: Doc | null, edition: Edition | null): ConvertDeps {
  const { tree, notes, links, config, titles, snippets } = conversion
  return {
    tree,
    notes,
    links,
    hasMath: config.hasMath,
    addSnippet: (file) => snippets.add(file),
    cards() {
      const group =
        doc &&
        edition?.sidebars.map(({ items }) => findGroup(items, doc.importedPath)).find((one) => one !== null)
      return renderCards(
        (group ?? []).filter((item) => item !== doc?.importedPath),
        titles,
      )
    },
  }
}

function collectTitles(
  editions: readonly Edition[],
  generated: readonly GeneratedPage[],
): Conversion['titles'] {
  const docs = editions.flatMap(({ set }) => set.docs)
  return new Map([
    ...docs.map(
      (doc) =>
        [doc.importedPath, { title: doc.label, description: asText(doc.page.fields.description) }] as const,
    ),
    ...generated.map(
      (page) => [page.route.slice(1), { title: page.title, description: page.description ?? null }] as const,
    ),
  ])
}

function renderGeneratedPage({ notes, links, titles }: Conversion, page: GeneratedPage): string {
  const url = page.url === undefined ? undefined : resolveAddress(links, '', page.url).href
  const fields = { title: page.title, description: page.description, url }
  return writePage(notes, 'docs.json', fields, page.items ? renderCards(page.items, titles) : '')
}

async function convertSnippets(conversion: Conversion, texts: Map<string, string>): Promise<void> {
  const { tree, notes, snippets } = conversion
  for (const file of snippets) {
    if (isPage(file)) {
      const page = readPage(notes, file, await readTextFile(tree, file))
      const body = await convertPage(createConvertDeps(conversion, null, null), file, page.lines, true)
      texts.set(snippetPath(file), writePage(notes, file, page.fields, body))
      continue
    }
    for (const one of (await componentClosure(tree, file)) ?? [])
      texts.set(snippetPath(one), removeReactImport(await readTextFile(tree, one)))
  }
}

async function buildSettings(
  conversion: Conversion,
  editions: readonly Edition[],
  blogs: readonly Blog[],
): Promise<Record<string, unknown>> {
  const { tree, notes, config, links } = conversion
  const chrome = await readChrome(
    {
      tree,
      notes,
      asset: (path) =>
        resolveAddress(links, '', /^[a-z]+:/.test(path) ? path : `/${path.replace(/^\/+/, '')}`).href,
      link: (address) => resolveAddress(links, '', address).href,
    },
    config,
  )
  return omitUndefined({
    ...chrome,
    navigation: addBlogTabs(buildNavigation(config, editions), blogs),
    redirects: [...(docusaurusRedirects(conversion) ?? []), ...createPostRedirects(blogs)],
  })
}

/** Redirects each post to the changelog entry for its date. Posts of the same date are adjacent there. */
function createPostRedirects(blogs: readonly Blog[]): unknown[] {
  return blogs.flatMap(({ pages }) =>
    pages.flatMap(({ target, posts }) =>
      posts.map(({ route, date }) => ({
        source: route,
        destination: `${toRoute(target)}${date === null ? '' : `#${date}`}`,
      })),
    ),
  )
}

function docusaurusRedirects({ config, notes, links }: Conversion) {
  const pairs = asItems(config.redirects).flatMap((entry) => {
    const { from, to } = asFields(entry)
    return [from].flat().flatMap((one) => {
      const source = asText(one)
      return source === null ? [] : [[source, to] as const]
    })
  })
  return createRedirects(notes, links, { file: config.file, from: '' }, pairs)
}

/** Converts frontmatter. Fields without a counterpart are preserved, although they have no effect. */
function docFields(doc: Doc, address: (text: string) => string): Fields {
  const { fields } = doc.page
  const rest = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !USED_FRONTMATTER_FIELDS.has(name)),
  )
  const image = asText(fields.image)
  return {
    title: doc.title,
    sidebarTitle: doc.label === doc.title ? null : doc.label,
    description: asText(fields.description),
    'og:image': image === null ? null : address(image),
    hidden: fields.unlisted === true || null,
    mode: fields.hide_table_of_contents === true ? 'wide' : null,
    ...rest,
  }
}

/** Titles and descriptions for the cards that replace Docusaurus' generated page lists. */
type Titles = ReadonlyMap<string, { title: string; description: string | null }>

function renderCards(items: readonly NavItem[], titles: Titles): string {
  const cards = items.flatMap((item) => {
    const target = typeof item === 'string' ? item : firstPage(item)
    if (target === null) return []
    const known = titles.get(target)
    const title = typeof item === 'string' ? (known?.title ?? target) : item.group
    const description = typeof item === 'string' ? known?.description : null
    const body = description ? `\n${escapeText(description)}\n` : ''
    return [`<Card${attribute('title', title)}${attribute('href', toRoute(target))}>${body}</Card>`]
  })
  return cards.length === 0 ? '' : `\n<CardGroup cols={2}>\n${cards.join('\n')}\n</CardGroup>\n`
}

function escapeText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[{<]/g, (mark) => (mark === '{' ? '\\{' : '&lt;'))
}

function firstPage(item: NavItem): string | null {
  if (typeof item === 'string') return item
  if (item.root) return item.root
  for (const one of item.pages) {
    const found = firstPage(one)
    if (found !== null) return found
  }
  return null
}

/**
 * Returns the entries of the group that has the page as its root. If there is none, returns the list that contains the
 * page.
 */
function findGroup(items: readonly NavItem[], target: string): readonly NavItem[] | null {
  for (const item of items) {
    if (typeof item === 'string') continue
    if (item.root === target) return item.pages
    const inside = findGroup(item.pages, target)
    if (inside !== null) return inside
  }
  return items.includes(target) ? items : null
}
