/** Converts an MkDocs site, with Material or another theme, to a docs.json site. */
import { posix } from 'node:path'
import type { FileTree } from '../../base/files/file-tree.ts'
import { createSlug } from '../../site/navigation/routes.ts'
import { readTextFile } from '../../site/text.ts'
import {
  createPathAllocator,
  ImportError,
  type ImportedSite,
  isCode,
  isPage,
  omitUndefined,
} from '../imported-site.ts'
import { type Line, toLines } from '../markdown/blocks.ts'
import {
  createLinkMap,
  createLinkResolver,
  createRedirects,
  type LinkMap,
  resolveAddress,
} from '../markdown/links.ts'
import type { ProseRules } from '../markdown/prose.ts'
import { excerpt, type Notes } from '../notes.ts'
import { extractTitle, readPage, type SourcePage, writePage } from '../page-file.ts'
import { asFields, asItems, asText } from '../values.ts'
import { type MkDocsConfig, readConfig } from './config.ts'
import { convertPage } from './convert-page.ts'
import { type InlineDeps, inlineMark, inlineMarkCharacters } from './inline-marks.ts'
import { type MkDocsPage, readNavigation } from './navigation.ts'
import { readThemeSettings } from './theme-settings.ts'

const MAX_DEPTH = 8

/** Maximum number of lines of a page, including all included files. */
const MAX_LINES = 100_000

const LINE = /^([ \t]*)-{1,5}8<-{1,5}(?:[ \t]+(["'])([^"'\n]+)\2)?[ \t]*$/

interface SourceDoc extends MkDocsPage {
  page: SourcePage
}

interface Conversion {
  tree: FileTree
  notes: Notes
  config: MkDocsConfig
  links: LinkMap
  glossary: ReadonlyMap<string, string>
}

export async function importMkDocs(tree: FileTree, notes: Notes): Promise<ImportedSite> {
  const config = await readConfig(tree, notes)
  const allocatePath = createPathAllocator(notes)
  const docs = await readDocs(tree, notes, config, allocatePath)
  const texts = new Map<string, string>()
  const navigation = await readNavigation(tree, notes, {
    config,
    pages: docs,
    makeLink(title, url) {
      const target = allocatePath(config.file, `links/${createSlug(title) || 'link'}`, false)
      texts.set(`${target}.mdx`, writePage(notes, config.file, { title, url }, ''))
      return target
    },
  })
  const assets = collectAssets(tree, notes, config)
  const links = createLinkMap(docs.values(), assets, [config.docsFolder])
  const conversion: Conversion = { tree, notes, config, links, glossary: await readGlossary(tree, config) }
  for (const doc of docs.values()) texts.set(`${doc.importedPath}.mdx`, await convertDoc(conversion, doc))
  const themeSettings = readThemeSettings(
    notes,
    config,
    (path) => resolveAddress(links, `${config.docsFolder}/index.md`, path).href,
  )
  const settings = omitUndefined({ ...themeSettings, navigation, redirects: mkDocsRedirects(conversion) })
  return { settings, texts, copies: new Map([...assets].map(([source, target]) => [target, source])) }
}

async function readDocs(
  tree: FileTree,
  notes: Notes,
  { docsFolder, file: configFile }: MkDocsConfig,
  allocatePath: ReturnType<typeof createPathAllocator>,
): Promise<Map<string, SourceDoc>> {
  const docs = new Map<string, SourceDoc>()
  for (const file of tree.files.keys()) {
    const path = docsFolder === '.' ? file : file.slice(docsFolder.length + 1)
    if (
      (docsFolder !== '.' && !file.startsWith(`${docsFolder}/`)) ||
      !isPage(file) ||
      /(?:^|\/)\./.test(path)
    )
      continue
    const page = readPage(notes, file, await readTextFile(tree, file))
    const bare = path.replace(/\.\w+$/, '')
    const isFolder = /(?:^|\/)(?:index|readme)$/i.test(bare)
    const target = allocatePath(file, isFolder ? posix.join(posix.dirname(bare), '/') : bare, isFolder)
    const heading = extractTitle(page.lines)?.title
    const title = asText(page.fields.title) ?? heading ?? titleOfFile(bare)
    if (heading !== undefined && heading !== title)
      page.lines.unshift({ text: `# ${heading}`, number: 1 }, { text: '', number: 1 })
    docs.set(path, { path, importedPath: target, title, label: null, page })
  }
  if (docs.size === 0)
    throw new ImportError(`${configFile} uses the folder ${docsFolder}, which contains no pages.`)
  return docs
}

function titleOfFile(bare: string): string {
  const words = posix.basename(bare).replace(/[-_]+/g, ' ').trim()
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}

function collectAssets(tree: FileTree, notes: Notes, { docsFolder }: MkDocsConfig): Map<string, string> {
  const assets = new Map<string, string>()
  const prefix = docsFolder === '.' ? '' : `${docsFolder}/`
  for (const file of tree.files.keys()) {
    const path = file.slice(prefix.length)
    if (!file.startsWith(prefix) || isPage(file) || /(?:^|\/)\./.test(path) || path === 'mkdocs.yml') continue
    if (isCode(file) && !/\.py$/.test(file))
      notes.add('style', file, 'The file is not imported because it would be loaded by all pages.')
    else assets.set(file, path)
  }
  return assets
}

const ABBREVIATION = /^\*\[([^\]\n]{1,100})\]:[ \t]{0,10}(\S.*)$/

/** Reads the files that MkDocs appends to each page (`auto_append`). */
async function readGlossary(tree: FileTree, config: MkDocsConfig): Promise<Map<string, string>> {
  const glossary = new Map<string, string>()
  const names = asItems(config.extensions.get('pymdownx.snippets')?.auto_append)
  for (const name of names.flatMap((one) => asText(one) ?? [])) {
    const file = includeFolders(config)
      .map((folder) => posix.normalize(posix.join(folder, name)))
      .find((one) => tree.files.has(one))
    if (file !== undefined) extractAbbreviations(toLines(await readTextFile(tree, file), 1), glossary)
  }
  return glossary
}

function includeFolders({ extensions, docsFolder }: MkDocsConfig): string[] {
  const given = extensions.get('pymdownx.snippets')?.base_path
  return [...[given].flat().flatMap((one) => asText(one) ?? []), '.', docsFolder]
}

/** Moves abbreviations into a map. Returns the remaining lines. */
function extractAbbreviations(lines: readonly Line[], into: Map<string, string>): Line[] {
  return lines.filter(({ text }) => {
    const found = text.startsWith('*[') ? ABBREVIATION.exec(text.trimEnd()) : null
    if (found) into.set(found[1] as string, found[2] as string)
    return !found
  })
}

async function convertDoc(conversion: Conversion, doc: SourceDoc): Promise<string> {
  const { tree, notes, config } = conversion
  const { file, fields } = doc.page
  const included = await includeFiles({ tree, notes, file, folders: includeFolders(config) }, doc.page.lines)
  const abbreviations = new Map(conversion.glossary)
  const lines = extractAbbreviations(included, abbreviations)
  const body = convertPage({ file, notes, rules: proseRules(conversion, file, abbreviations) }, lines)
  const { title: _, description, template, ...rest } = fields
  const tags = asItems(fields.tags).flatMap((tag) => asText(tag) ?? [])
  const head = {
    title: doc.title,
    sidebarTitle: doc.label,
    description: asText(description),
    keywords: tags.length > 0 && rest.keywords === undefined ? tags : null,
    noindex: asFields(rest.search).exclude === true || null,
    ...rest,
  }
  if (asText(template) !== null)
    notes.add('page', file, `The page uses the template ${excerpt(String(template))}, which is not imported.`)
  return writePage(notes, file, head, body + unusedAbbreviations(body, conversion.glossary, abbreviations))
}

/** Returns comments with the abbreviations that the page defines but does not use. */
function unusedAbbreviations(
  body: string,
  glossary: ReadonlyMap<string, string>,
  all: ReadonlyMap<string, string>,
): string {
  const unused = [...all].filter(([short]) => !glossary.has(short) && !body.includes(`>${short}</Tooltip>`))
  return unused.map(([short, long]) => `\n\n{/* ${short}: ${long.replaceAll('*/', '* /')} */}`).join('')
}

function proseRules(
  { notes, config, links }: Conversion,
  file: string,
  abbreviations: ReadonlyMap<string, string>,
): ProseRules {
  const link = createLinkResolver(notes, links, file)
  const inline: InlineDeps = {
    file,
    notes,
    abbreviations,
    link,
    has: (name) => config.extensions.has(name),
  }
  return {
    isMdx: false,
    link,
    tag: () => null,
    lost: (what, line) => notes.add('syntax', { file, line }, `${excerpt(what)} has no equivalent.`),
    marks: inlineMarkCharacters(inline),
    own: (text, at, line) => inlineMark(inline, text, at, line),
  }
}

function mkDocsRedirects({ config, links, notes }: Conversion): unknown {
  const map = asFields(config.plugins.get('redirects')?.redirect_maps)
  const resolvePage = (from: string) =>
    `/${from.replace(/(?:^|\/)(?:index|README)\.md$/, '').replace(/\.md$/, '')}`
  return createRedirects(
    notes,
    links,
    { file: config.file, from: `${config.docsFolder}/index.md` },
    Object.entries(map).map(([from, to]) => [resolvePage(from), to]),
  )
}

/** Input of `includeFiles`, which replaces `--8<-- "file"` with the content of the file. */
interface IncludeDeps {
  tree: FileTree
  notes: Notes
  file: string
  folders: readonly string[]
}

async function includeFiles(deps: IncludeDeps, lines: readonly Line[], depth = 0): Promise<Line[]> {
  const out: Line[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as Line
    const found = line.text.includes('8<') ? LINE.exec(line.text) : null
    if (!found) {
      // A semicolon before the delimiter escapes it.
      out.push({ ...line, text: line.text.replace(/^(\s*);(?=-{1,5}8<-)/, '$1') })
      continue
    }
    const names = found[3] === undefined ? readBlockFileNames(lines, at + 1) : [found[3]]
    if (found[3] === undefined) at = Math.min(lines.length - 1, at + names.length + 1)
    for (const name of names) {
      const included = await readIncluded(deps, name, line.number, depth)
      if (included === null || out.length + included.length > MAX_LINES) {
        deps.notes.add(
          'link',
          { file: deps.file, line: line.number },
          `The included file ${excerpt(name)} does not exist.`,
        )
        out.push({ ...line, text: `${found[1]}\`--8<-- "${name}"\`` })
      } else
        out.push(...included.map((one) => ({ ...one, text: one.text === '' ? '' : found[1] + one.text })))
    }
  }
  return out
}

/** Returns the file names between two lines of `--8<--`. */
function readBlockFileNames(lines: readonly Line[], from: number): string[] {
  const end = lines.findIndex((line, index) => index >= from && LINE.test(line.text))
  return lines.slice(from, end === -1 ? from : end).map(({ text }) => text.trim())
}

async function readIncluded(
  deps: IncludeDeps,
  name: string,
  number: number,
  depth: number,
): Promise<Line[] | null> {
  if (depth >= MAX_DEPTH || name === '') return null
  const [path = '', ...section] = name.split(':')
  const file = deps.folders
    .map((folder) => posix.normalize(posix.join(folder, path)))
    .find((one) => deps.tree.files.has(one))
  if (file === undefined) return null
  const text = await readTextFile(deps.tree, file)
  const lines = extractSection(text.split(/\r?\n/), section).map((one) => ({ text: one, number }))
  while (lines.at(-1)?.text === '') lines.pop()
  return includeFiles(deps, lines, depth + 1)
}

/** Returns a section: `:3:5` by line numbers, `:name` between `--8<-- [start:name]` and `[end:name]`. */
function extractSection(lines: string[], [first, last]: string[]): string[] {
  if (first === undefined) return lines.filter((line) => !/--8<-- \[(?:start|end):/.test(line))
  if (/^\d*$/.test(first))
    return lines.slice(Math.max(0, Number(first || 1) - 1), last ? Number(last) : undefined)
  const start = lines.findIndex((line) => line.includes(`[start:${first}]`))
  const end = lines.findIndex((line) => line.includes(`[end:${first}]`))
  return start === -1 || end === -1 ? [] : lines.slice(start + 1, end)
}
