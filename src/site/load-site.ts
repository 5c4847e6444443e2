/** Loads and validates a site from a folder with docs.json and MDX. */

import type { Problem } from '../base/errors/problem.ts'
import type { FileTree } from '../base/files/file-tree.ts'
import { isStaticFile } from './assets.ts'
import { IGNORE_FILES, loadIgnoreRules } from './ignore-rules.ts'
import { getField } from './json.ts'
import { reportPointers } from './lfs-pointers.ts'
import type { PageImport, Redirect, Site, SitePage } from './model.ts'
import { type BuiltNavigation, buildSidebars } from './navigation/build-sidebars.ts'
import { createLinkChecker, type LinkCheck } from './navigation/check-links.ts'
import { namedPages, navigationOfFiles } from './navigation/navigation-names.ts'
import { readNavigation } from './navigation/read-navigation.ts'
import { checkRedirects, findRedirect, readRedirects } from './navigation/redirects.ts'
import { resolveLeaves } from './navigation/resolve-items.ts'
import { isPageFile } from './navigation/routes.ts'
import { findFolderPage } from './pages/folder-pages.ts'
import { NO_FRONTMATTER } from './pages/frontmatter.ts'
import {
  collectUsedFiles,
  cutImportCycles,
  isInSnippetFolder,
  isModuleFile,
  resolveImports,
} from './pages/imports.ts'
import { createPage } from './pages/make-pages.ts'
import { createPageIndex, type PageIndex } from './pages/page-index.ts'
import { type Audience, isVisibleTo, listGroups } from './pages/page-readers.ts'
import { findScripts } from './pages/page-scripts.ts'
import { findPageSymbols } from './pages/page-symbols.ts'
import { type FileFacts, readPages } from './pages/read-pages.ts'
import { compareText, SiteUnloadableError, sortProblems } from './problems.ts'
import { createOperationPages, type OperationPages } from './reference/operation-pages.ts'
import { findPageOperations, type PageOperations } from './reference/page-operations.ts'
import { createReferencePages, type ReferencePage, type ReferencePages } from './reference/reference-pages.ts'
import { createSpecReporter, reportReferences } from './reference/report-spec.ts'
import { openSpecLibrary, type SpecLibrary } from './reference/spec-library.ts'
import { createSpecSources, type SpecFetch, type SpecSources } from './reference/spec-sources.ts'
import { checkTargets } from './settings/check-targets.ts'
import type { SiteConfig } from './settings/config.ts'
import { loadSettings, type Settings } from './settings/find-settings.ts'
import { readConfig } from './settings/read-config.ts'
import { readSkills } from './settings/skills.ts'
import { readTextFile } from './text.ts'

const INSTRUCTIONS_FILE = /^\.mintlify\/assistant\.md$/i

const MAX_INSTRUCTION_CHARACTERS = 8000

const MAX_INSTRUCTION_BYTES = 1 << 20

export interface LoadOptions {
  /** Fetches API descriptions given by URL; if omitted, such URLs are reported as problems. */
  fetchSpec?: SpecFetch
  /** Pages for other audiences are treated as missing; if omitted, all pages are included. */
  audience?: Audience
}

/**
 * Loads a site. Mistakes in content become `problems`; rejects with SiteUnloadableError only if nothing can be
 * loaded: docs.json is missing or is not JSON, or there are no pages.
 */
export async function loadSite(tree: FileTree, options: LoadOptions = {}): Promise<Site> {
  const { site } = await loadFullSite(tree, null, options)
  return site
}

/** A loaded site with the data required to reload it after a change to a single page. */
export interface LoadedSite {
  site: Site
  tree: FileTree
  facts: ReadonlyMap<string, FileFacts>
  linkCheck: LinkCheck
  /** Keyed by file. */
  linkProblems: ReadonlyMap<string, readonly Problem[]>
  /** Problems that concern neither links nor frontmatter. */
  otherProblems: readonly Problem[]
  /** Files that were read in addition to those in `facts`: settings, rules, API descriptions. */
  settingFiles: ReadonlySet<string>
}

/** Pages that are unchanged since `last` are not read again. */
export async function loadFullSite(
  tree: FileTree,
  last: LoadedSite | null,
  options: LoadOptions,
): Promise<LoadedSite> {
  const problems: Problem[] = []
  reportRefused(tree, problems)
  const settings = await loadSettings(tree, problems)
  const config = readConfig(problems, settings.root)
  const source = await readSource(tree, problems, settings, last, options.audience ?? 'all')
  const sources = createSpecSources(tree, source.files, options.fetchSpec ?? null)
  const specs = openSpecLibrary(sources, source.files)
  const navigation = await assignPlacements({ specs, sources, problems, settings, config, source })
  const pages = makePages({ problems, config, source, navigation })
  if (pages.size === 0) throw createNoPagesError(allProblems(source.facts, [problems]))
  const assets = findAssets(source, settings)
  const listed = readRedirects(problems, getField(settings.root, 'redirects'))
  const written = checkRedirects(problems, listed, pages)
  const others = createOtherRedirects(navigation.operations, { pages, assets, redirects: written })
  const { sidebars, firstRoute } = navigation.built
  const redirects = [...written, ...others].map((redirect) =>
    resolveFolderDestination(redirect, { pages, sidebars }),
  )
  const homeRoute = findHome(pages, redirects, firstRoute)
  const reachable = { pages, assets, redirects, homeRoute, sidebars }
  checkTargets(problems, reachable, settings.root)
  const linkCheck = { site: reachable, snippets: source.snippets, files: tree.files }
  const linkProblems = checkLinks(linkCheck, source.facts)
  const apis = await findApis(problems, specs, pages)
  const skills = await readSkills(tree, problems, options.audience ?? 'all')
  const instructions = await readAssistantInstructions(tree, problems)
  const pointers = await reportPointers(problems, tree, assets)
  const site: Site = {
    config,
    ...reachable,
    apis,
    skills,
    assistantInstructions: instructions.text,
    languages: navigation.built.languages,
    snippets: source.snippets,
    imports: source.imports,
    styles: [...assets].filter((file) => file.endsWith('.css')),
    scripts: findScripts(problems, source.facts, assets),
    groups: source.groups,
    problems: allProblems(source.facts, [problems, ...linkProblems.values()]),
  }
  return {
    site,
    tree,
    facts: source.facts,
    linkCheck,
    linkProblems,
    otherProblems: problems,
    settingFiles: new Set([
      ...[...settings.files, ...IGNORE_FILES, ...sources.requestedNames(), ...navigation.references.files()],
      ...[...pointers, ...instructions.files, ...skills.map(({ folder, main }) => `${folder}/${main}`)],
    ]),
  }
}

/** Returns problems by file. Problems in `previous` are reused for files whose facts have not changed. */
export function checkLinks(
  check: LinkCheck,
  facts: ReadonlyMap<string, FileFacts>,
  previous: Pick<LoadedSite, 'facts' | 'linkProblems'> | null = null,
): Map<string, readonly Problem[]> {
  const checker = createLinkChecker(check)
  const problemsOf = (one: FileFacts) => {
    const before = previous?.facts.get(one.file) === one ? previous.linkProblems.get(one.file) : undefined
    return before ?? checker.check(one.file, one.links)
  }
  return new Map([...facts.values()].map((one) => [one.file, problemsOf(one)]))
}

/**
 * Replaces a destination that is a folder with a page in it, because servers that apply redirects cannot resolve
 * folders.
 */
function resolveFolderDestination(redirect: Redirect, site: Pick<Site, 'pages' | 'sidebars'>): Redirect {
  const { destination } = redirect
  const inside = site.pages.has(destination) ? null : findFolderPage(site, destination.replace(/\/$/, ''))
  return inside === null ? redirect : { ...redirect, destination: inside }
}

/** Returns all problems, those of frontmatter first. */
export function allProblems(
  facts: ReadonlyMap<string, FileFacts>,
  others: Iterable<readonly Problem[]>,
): Problem[] {
  return sortProblems([...[...facts.values()].flatMap((one) => one.problems), ...[...others].flat()])
}

interface Source {
  /** Without ignored files. */
  files: ReadonlySet<string>
  ignored: ReadonlySet<string>
  facts: ReadonlyMap<string, FileFacts>
  imports: ReadonlyMap<string, readonly PageImport[]>
  snippets: ReadonlySet<string>
  index: PageIndex
  /** All reader groups that pages are restricted to, including pages for other audiences. */
  groups: readonly string[]
}

async function readSource(
  tree: FileTree,
  problems: Problem[],
  settings: Settings,
  last: LoadedSite | null,
  audience: Audience,
): Promise<Source> {
  const named = namedPages(settings.root)
  const rules = await loadIgnoreRules(tree, problems, named)
  const files = new Set<string>()
  const ignored = new Set<string>()
  for (const file of tree.files.keys()) (rules.isIgnored(file) ? ignored : files).add(file)
  const facts = await readPages(tree, files, last?.facts ?? new Map())
  const groups = listGroups([...facts.values()])
  for (const [file, { readers }] of facts) {
    if (isVisibleTo(readers, audience)) continue
    files.delete(file)
    facts.delete(file)
    ignored.add(file)
  }
  const scanned = new Map([...facts].map(([file, one]) => [file, one.imports]))
  const imports = cutImportCycles(problems, resolveImports(problems, files, collectUsedFiles(files, scanned)))
  const snippets = findSnippets(problems, files, imports, named)
  const index = createPageIndex(
    problems,
    [...files].filter((file) => !snippets.has(file)),
  )
  return { files, ignored, facts, imports, snippets, index, groups }
}

interface Navigation {
  built: BuiltNavigation
  operations: OperationPages
  onPages: PageOperations
  references: ReferencePages
  symbols: ReadonlyMap<string, ReferencePage>
}

interface NavigationDeps {
  specs: SpecLibrary
  sources: SpecSources
  problems: Problem[]
  settings: Settings
  config: SiteConfig
  source: Source
}

async function assignPlacements(deps: NavigationDeps): Promise<Navigation> {
  const { specs, sources, problems, settings, config, source } = deps
  const { index, files, ignored, facts } = source
  const reading = { problems, library: config.icons.library, scopes: [] }
  const written = readNavigation(reading, settings.root) ?? navigationOfFiles(settings.root, index)
  const reporter = createSpecReporter({ problems, specs, files })
  await reporter.scopes(reading.scopes)
  const operations = createOperationPages({ problems, specs, index, reporter })
  const references = createReferencePages({ problems, sources, index, reporter })
  const fieldsOf = (route: string) => facts.get(index.files.get(route) ?? '')?.frontmatter?.fields
  const showsSymbol = (route: string) => fieldsOf(route)?.sdk !== undefined
  const placing = { problems, index, operations, ignored, references, showsSymbol }
  const leaves = await resolveLeaves(placing, written.content)
  const isHiddenPage = (route: string) => fieldsOf(route)?.hidden === true
  const isLinkPage = (route: string) => typeof fieldsOf(route)?.url === 'string'
  const built = buildSidebars({ problems, leaves, isHiddenPage, isLinkPage }, written)
  const onPages = await findPageOperations(
    { problems, specs, index, reporter, settings: settings.root },
    facts,
    built,
  )
  const symbols = await findPageSymbols({ problems, references, index, node: settings.root }, facts, built)
  return { built, operations, onPages, references, symbols }
}

const REFUSALS: Record<
  FileTree['refused'][number]['reason'],
  { code: string; message: string; remedy: string }
> = {
  symlink_outside: {
    code: 'file.symlink_outside',
    message: 'This symbolic link points outside the docs folder and is ignored.',
    remedy: 'Replace the link with a copy of the file.',
  },
  symlink_broken: {
    code: 'file.symlink_broken',
    message: 'This symbolic link is broken and is ignored.',
    remedy: 'Fix or remove the link.',
  },
  not_a_file: {
    code: 'file.not_a_file',
    message: 'This is not a regular file and is ignored.',
    remedy: 'Remove it from the docs folder.',
  },
}

function reportRefused(tree: FileTree, problems: Problem[]): void {
  for (const { path, reason } of tree.refused) {
    problems.push({ file: path, line: null, level: 'warning', ...REFUSALS[reason] })
  }
}

function createNoPagesError(problems: readonly Problem[]): SiteUnloadableError {
  const fault: Problem = {
    file: 'docs.json',
    line: null,
    code: 'site.no_pages',
    level: 'error',
    message: 'The docs folder contains no pages.',
    remedy: 'Add an .mdx file and list it in the navigation.',
  }
  return new SiteUnloadableError([fault, ...problems])
}

interface PageSources {
  problems: Problem[]
  config: SiteConfig
  source: Source
  navigation: Navigation
}

function makePages({ problems, config, source, navigation }: PageSources): Map<string, SitePage> {
  const { built, operations, onPages, references, symbols } = navigation
  const around = { problems, config, languages: built.languages }
  const pages: SitePage[] = []
  for (const [route, file] of source.index.files) {
    const frontmatter = source.facts.get(file)?.frontmatter
    if (!frontmatter) continue
    const shows = onPages.shown.get(route) ?? operations.onFiles.get(route) ?? null
    const unfilled = shows ? null : (onPages.unfilled.get(route) ?? null)
    const mentions = built.mentions.get(route) ?? []
    const symbol = symbols.get(route) ?? null
    pages.push(createPage(around, { route, file, frontmatter, shows, unfilled, symbol, mentions }))
  }
  for (const [route, generated] of operations.pages) {
    const frontmatter = { ...NO_FRONTMATTER, fields: generated.operation.metadata }
    const mentions = built.mentions.get(route) ?? []
    pages.push(
      createPage(around, { route, file: null, frontmatter, shows: generated, unfilled: null, mentions }),
    )
  }
  for (const [route, symbol] of references.pages) {
    const frontmatter = NO_FRONTMATTER
    const mentions = built.mentions.get(route) ?? []
    pages.push(
      createPage(around, { route, file: null, frontmatter, shows: null, unfilled: null, symbol, mentions }),
    )
  }
  return new Map(pages.sort((a, b) => compareText(a.route, b.route)).map((page) => [page.route, page]))
}

async function findApis(
  problems: Problem[],
  specs: SpecLibrary,
  pages: ReadonlyMap<string, SitePage>,
): Promise<Site['apis']> {
  const loaded = await specs.loaded()
  const named = new Set([...pages.values()].flatMap(({ operation }) => operation?.spec ?? []))
  const used = [...named].sort(compareText).flatMap((name) => loaded.get(name) ?? [])
  reportReferences(problems, used)
  return new Map(used.map(({ file, document }) => [file, document]))
}

/** Creates redirects from alternative paths of generated pages, unless another page uses the path. */
function createOtherRedirects(
  { otherRoutes }: OperationPages,
  { pages, assets, redirects }: Pick<Site, 'pages' | 'assets' | 'redirects'>,
): Redirect[] {
  const createdRedirects: Redirect[] = []
  for (const [source, { route }] of otherRoutes) {
    const isFree =
      !pages.has(source) && !assets.has(source.slice(1)) && findRedirect(redirects, source) === null
    if (isFree && pages.has(route)) createdRedirects.push({ source, destination: route, isPermanent: true })
  }
  return createdRedirects
}

/** Omits snippets, which include `.js` files that pages import: those are components, not scripts for every page. */
function findAssets(source: Source, settings: Settings): Set<string> {
  const isAsset = (file: string) =>
    isStaticFile(file) && !settings.files.has(file) && !source.snippets.has(file)
  return new Set([...source.files].filter(isAsset).sort(compareText))
}

/** Returns `/` if there is an index page, else the redirect target of `/`, else the navigation's first page. */
function findHome(
  pages: ReadonlyMap<string, SitePage>,
  redirects: Site['redirects'],
  firstRoute: string | null,
): string | null {
  if (pages.has('/')) return '/'
  const destination = findRedirect(redirects, '/')?.destination ?? ''
  if (pages.has(destination)) return destination
  if (firstRoute !== null && pages.has(firstRoute)) return firstRoute
  return [...pages.values()].find((page) => !page.isHidden)?.route ?? pages.keys().next().value ?? null
}

/** Instructions of a site for the assistant, from `.mintlify/Assistant.md`, which does not become a page. */
interface AssistantInstructions {
  files: string[]
  text: string | null
}

async function readAssistantInstructions(
  tree: FileTree,
  problems: Problem[],
): Promise<AssistantInstructions> {
  const file = [...tree.files.keys()].filter((path) => INSTRUCTIONS_FILE.test(path)).sort()[0]
  if (file === undefined) return { files: [], text: null }
  const isRead = (tree.files.get(file)?.sizeBytes ?? 0) <= MAX_INSTRUCTION_BYTES
  const text = isRead ? (await readTextFile(tree, file)).replaceAll('\u0000', '').trim() : ''
  if (!isRead || text.length > MAX_INSTRUCTION_CHARACTERS)
    problems.push({
      file,
      line: null,
      code: 'assistant.long',
      level: 'warning',
      message: isRead
        ? `The file is too long: the assistant reads only its first ${MAX_INSTRUCTION_CHARACTERS.toLocaleString('en')} characters.`
        : 'The file is larger than 1 MB, so the assistant ignores it.',
      remedy: 'Shorten it to what applies to every answer.',
    })
  return { files: [file], text: text.slice(0, MAX_INSTRUCTION_CHARACTERS).toWellFormed() || null }
}

/**
 * Finds files below `snippets/`, imported files and component files. A file listed in the navigation remains a page
 * and is reported, so that no page is lost, even if other files import it.
 */
function findSnippets(
  problems: Problem[],
  files: ReadonlySet<string>,
  imports: ReadonlyMap<string, readonly PageImport[]>,
  named: ReadonlySet<string>,
): Set<string> {
  const snippets = new Set<string>()
  const importers = new Map<string, { file: string; line: number }>()
  for (const [file, list] of imports) {
    for (const { path, line } of list)
      if (path !== null && !importers.has(path)) importers.set(path, { file, line })
  }
  for (const file of [...files].filter(isModuleFile).sort(compareText)) {
    const importer = importers.get(file)
    const isPart = !isPageFile(file)
      ? importer !== undefined || /x$/.test(file)
      : isInSnippetFolder(file) || importer
    if (!isPart) continue
    if (!isPageFile(file) || !isNamed(file, named)) {
      snippets.add(file)
      continue
    }
    problems.push({
      file,
      line: null,
      code: 'navigation.names_snippet',
      level: 'hint',
      message: importer
        ? `This file is a page in the navigation, and is also imported by ${importer.file} (line ${importer.line}).`
        : 'This file is in a snippets folder, but the navigation lists it. It is published as a page.',
      remedy: importer
        ? 'Move the shared content into a separate snippet.'
        : 'Move the page out of the snippets folder, or remove it from the navigation.',
    })
  }
  return snippets
}

function isNamed(file: string, named: ReadonlySet<string>): boolean {
  const path = file.replace(/\.mdx?$/, '')
  return named.has(path) || (path.endsWith('/index') && named.has(path.slice(0, -'/index'.length)))
}
