/**
 * Checks a change by loading and comparing the site before and after it. Only problems caused by the change count, so
 * that a site with old mistakes can be edited. Everything is loaded lazily, and each state of the files only once.
 */
import { type AsyncCache, createAsyncCache } from '../../../base/async-cache.ts'
import { mapBounded } from '../../../base/bounded.ts'
import type { Problem } from '../../../base/errors/problem.ts'
import { type DiffLine, plainDiff } from '../../../base/files/diff-file.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import type { Log } from '../../../base/log.ts'
import { createYielder } from '../../../base/text/yielder.ts'
import type { ObjectCache } from '../../../objects/object-cache.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { openPageBodies, type PageBodies } from '../../../render/bodies/page-bodies.ts'
import { createSourceReader } from '../../../render/bodies/page-source.ts'
import type { RenderedBody } from '../../../render/page/body.ts'
import { planPages } from '../../../render/plan/plan.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'
import type { LoadedSite } from '../../../site/load-site.ts'
import type { Site, SitePage } from '../../../site/model.ts'
import { SiteUnloadableError } from '../../../site/problems.ts'
import { loadSiteIncrementally } from '../../../site/site-loader.ts'
import { findText } from '../edit/change-files.ts'
import { describeImage } from '../edit/describe-picture.ts'
import { quotePath } from '../edit/paths.ts'
import { ToolRefusal } from '../loop/tool.ts'
import type { NewAddress, ProseCoverage } from '../operations/agent-review.ts'
import { openWholeChange, type WholeChange } from '../publish/whole-change.ts'
import type { FileChange, Workspace } from '../publish/workspace.ts'
import type { Changes } from '../review/change-content.ts'
import { isImageFile } from '../review/change-content.ts'
import { findImageProblems } from '../review/change-pictures.ts'
import { renderPreview } from '../review/render-preview.ts'
import { findRisks, type Risks } from '../review/risk-notes.ts'
import { findAffectedPages, isCausedByChange } from './affected-pages.ts'
import { type AnchorSide, findAnchorProblems } from './change-anchors.ts'
import { checkChangeRules, findConflicts } from './change-rules.ts'
import { findAddedProblems } from './compare-problems.ts'
import { formatProblems } from './format-problems.ts'
import { lintSpec } from './lint-spec.ts'
import { findNewAddresses } from './new-addresses.ts'
import { checkProse } from './prose/prose-check.ts'

/** Maximum length of the whole diff in characters. If it covers several files, each has the limit below. */
const MAX_DIFF_CHARACTERS = 24_000
const MAX_FILE_DIFF_CHARACTERS = 8000

const SIGNS: Record<DiffLine['kind'], string> = { same: ' ', added: '+', removed: '-' }

export interface CheckDeps {
  objects: ObjectStore
  cache: ObjectCache
  renderChildren: number
  log: Log
  bodies: CheckBodies
}

export interface CheckedChange {
  workspace: Workspace
  /** Original texts of the files that earlier turns have changed; see `openWholeChange`. */
  begun: Changes
  siteId: string
  /** `https://docs.example.com`; null when the project has no domain. */
  origin: string | null
  names: readonly string[]
  /** Whether the `vale` program applies the prose rules instead of the built-in engine. */
  usesVale?: boolean
  sources?: ReadonlyMap<string, string>
}

export interface ChangeCheck {
  /** Problems caused by the change, without hints: they prevent publishing. */
  problems: Problem[]
  /**
   * The site before and after the change, for reviewers: a client-hosted site with only the changed pages. Null when
   * there are problems, or when that side has no changed page.
   */
  before: SiteManifest | null
  after: SiteManifest | null
  /** Null when nothing has changed. */
  risks: Risks | null
  /** Diff of the change, truncated to a maximum length; null when there are problems. */
  diff: string | null
  /** Result of the prose check; null when nothing has changed. */
  prose: ProseCoverage | null
  /** URLs of other sites that the change adds; empty when there are problems. */
  addresses: NewAddress[]
}

/**
 * Serves one call at a time. All methods reject with the signal's reason, or when files or the store are unreadable.
 */
export interface ChangeChecker {
  /** Returns the problems without hints, ordered by file and line. */
  findNewProblems(signal: AbortSignal): Promise<Problem[]>
  /** Returns the text of a page as it currently renders. Throws ToolRefusal if `path` is not a page. */
  previewPage(path: string, signal: AbortSignal): Promise<string>
  checkChange(signal: AbortSignal): Promise<ChangeCheck>
}

export interface Side {
  tree: FileTree
  /** Null if the folder is not a valid site; `problems` contains the reasons. */
  site: Site | null
  problems: readonly Problem[]
}

/** Maximum number of pages compiled per check and shown to reviewers, unless more page files have changed. */
const MAX_COMPILED_PAGES = 200
const MAX_PREVIEWED_PAGES = 100
const NOT_RENDERED = { before: null, after: null, diff: null, addresses: [] }

/** `shared` can be used for several changes of the same commit. */
export function createChangeChecker(
  deps: CheckDeps,
  change: CheckedChange,
  shared = createSiteLoader(),
): ChangeChecker {
  const { workspace, begun } = change
  const whole = openWholeChange(workspace, begun)
  const before = begun.size === 0 ? shared : createSiteLoader(shared)
  const loads = { before, after: createSiteLoader(before) }
  const sides = async (signal: AbortSignal) => {
    const before = await loads.before.get(whole.before)
    signal.throwIfAborted()
    const after = await loads.after.get(workspace.tree)
    signal.throwIfAborted()
    return { before, after }
  }

  let known: ({ revision: string } & Compared) | null = null

  const compare = async (signal: AbortSignal): Promise<Compared> => {
    signal.throwIfAborted()
    if (whole.changedFiles().length === 0) return { problems: [], prose: null }
    const { revision } = workspace.tree
    if (known?.revision !== revision)
      known = { revision, ...(await compareSides(deps, { ...change, whole }, await sides(signal), signal)) }
    return known
  }

  return {
    findNewProblems: async (signal) => (await compare(signal)).problems,
    previewPage: async (path, signal) => {
      const { after: side } = await sides(signal)
      const { site, page } = findPage(side, path)
      const [body] = await bodiesOf(deps, { ...side, site }, [page], signal)
      return pageText(page, body)
    },
    checkChange: async (signal) => {
      const { problems, prose } = await compare(signal)
      const changes = whole.changedFiles()
      if (changes.length === 0) return { ...NOT_RENDERED, problems, prose, risks: null }
      const both = await sides(signal)
      // Risks are needed even when there are problems: a job stopped by a limit publishes its change despite them.
      const risks = await findRisks({ ...both, changes, sources: change.sources })
      if (problems.length > 0) return { ...NOT_RENDERED, problems, prose, risks }
      return { ...(await renderBoth(deps, { ...change, whole }, both, signal)), prose, risks }
    },
  }
}

export interface CheckBodies {
  /** Several calls may run at the same time. */
  use<Out>(work: (bodies: PageBodies) => Promise<Out>): Promise<Out>
  [Symbol.asyncDispose](): Promise<void>
}

/** Idle time after which the processes end. Short, because they use memory and a model takes longer to respond. */
const IDLE_MS = 3000

/**
 * Renders page bodies. The render processes stay alive for the next check, because starting them takes longer
 * than the check itself, and end if no check follows.
 */
export function openCheckBodies({
  cache,
  log,
  renderChildren: children,
}: Omit<CheckDeps, 'objects' | 'bodies'>): CheckBodies {
  const bodies = openPageBodies({ cache, log, children })
  let users = 0
  let idle: NodeJS.Timeout | undefined
  return {
    async use(work) {
      clearTimeout(idle)
      users++
      try {
        return await work(bodies)
      } finally {
        if (--users === 0) idle = setTimeout(() => void bodies.closeChildren(), IDLE_MS).unref()
      }
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(idle)
      await bodies.closeChildren()
    },
  }
}

interface Compared {
  problems: Problem[]
  prose: ProseCoverage | null
}

async function compareSides(
  deps: CheckDeps,
  { whole, names, usesVale = false }: CheckedChange & { whole: WholeChange },
  { before, after }: BothSides,
  signal: AbortSignal,
): Promise<Compared> {
  const changes = whole.changedFiles()
  const changed = new Set(changes.map(({ path }) => path))
  const compiled = findAffectedPages({ before, after, changed }, MAX_COMPILED_PAGES)
  const old = await compile(deps, before, compiled.before, signal)
  const now = await compile(deps, after, compiled.after, signal)
  const anchors = now.side === null ? { before: [], after: [] } : await findAnchorProblems(old.side, now.side)
  const caused = now.problems.filter((problem) => isCausedByChange(after.site, changed, problem))
  const ruleProblems =
    before.site === null || after.site === null
      ? []
      : checkChangeRules({ before: before.site, after: after.site, changes })
  const words = { before: before.tree, after: after.tree, site: before.site ?? after.site, names, usesVale }
  const prose = await checkProse(words, changes)
  const sides = [
    { before: before.problems, after: after.problems },
    { before: old.problems, after: caused },
    anchors,
    { before: [], after: [...ruleProblems, ...(await findConflicts(after.tree, changes))] },
    prose,
    { before: await specProblems(before, changes), after: await specProblems(after, changes) },
    await findImageProblems({ before: before.tree, after: after.tree }, changes, signal),
  ]
  const found = {
    before: sides.flatMap((side) => side.before),
    after: sides.flatMap((side) => side.after),
  }
  const problems = findAddedProblems(found, { changes, hadSite: before.site !== null })
  return { problems, prose: prose.said }
}

async function specProblems({ site, tree }: Side, changes: readonly FileChange[]): Promise<Problem[]> {
  const found: Problem[] = []
  for (const { path } of changes) {
    const api = site?.apis.get(path)
    if (api?.kind === 'openapi') found.push(...lintSpec(path, api.root, (await findText(tree, path)) ?? ''))
  }
  return found
}

async function renderBoth(
  deps: CheckDeps,
  change: CheckedChange & { whole: WholeChange },
  { before, after }: BothSides,
  signal: AbortSignal,
): Promise<Omit<ChangeCheck, 'prose' | 'risks'>> {
  const changes = change.whole.changedFiles()
  const changed = new Set(changes.map(({ path }) => path))
  const shown = findAffectedPages({ before, after, changed }, MAX_PREVIEWED_PAGES)
  const stored = await previewBase(deps, { ...change, side: before, pages: shown.before }, signal)
  return {
    problems: [],
    before: stored,
    after: await renderPreview(deps, { ...change, side: after, pages: shown.after, stored }, signal),
    addresses: await findNewAddresses(
      { before: before.tree, after: after.tree, origin: change.origin },
      changes,
    ),
    diff: await buildDiff(before.tree, after.tree, changes),
  }
}

/**
 * Previews of sites before the change, by site and pages. Cached, because all checks of a job, and other jobs at the
 * same commit, render the same pages.
 */
const basePreviews = new WeakMap<Side, AsyncCache<SiteManifest | null>>()
const MAX_BASE_PREVIEWS = 20

function previewBase(
  deps: CheckDeps,
  preview: Parameters<typeof renderPreview>[1] & { side: Side },
  signal: AbortSignal,
): Promise<SiteManifest | null> {
  const known = basePreviews.get(preview.side) ?? createAsyncCache({ max: MAX_BASE_PREVIEWS })
  basePreviews.set(preview.side, known)
  const key = JSON.stringify([preview.siteId, preview.origin, preview.pages.map(({ route }) => route)])
  return known.get(key, () => renderPreview(deps, preview, signal))
}

type BothSides = Record<'before' | 'after', Side>

/** Loads successive states of the files; reads only the files that differ from the previous state. */
export interface SiteLoader {
  get(tree: FileTree): Promise<Side>
  loaded(): LoadedSite | null
}

/** Caches the last loaded state; a failed load is retried. Starts from the state of `from`. */
export function createSiteLoader(from?: SiteLoader): SiteLoader {
  let last: { revision: string; side: Side } | null = null
  let loaded: LoadedSite | null = null
  const load = async (now: FileTree): Promise<Site> => {
    loaded = await loadSiteIncrementally(loaded ?? from?.loaded() ?? null, now)
    return loaded.site
  }
  return {
    async get(tree) {
      const { revision } = tree
      // The workspace keeps changing its tree: the loader needs a copy to compare the next state with.
      if (last?.revision !== revision) last = { revision, side: await loadSide(load({ ...tree }), tree) }
      return last.side
    },
    loaded: () => loaded,
  }
}

async function loadSide(loading: Promise<Site>, tree: FileTree): Promise<Side> {
  try {
    const site = await loading
    return { tree, site, problems: site.problems }
  } catch (error) {
    if (!(error instanceof SiteUnloadableError)) throw error
    return { tree, site: null, problems: error.problems }
  }
}

async function compile(
  deps: CheckDeps,
  side: Side,
  pages: readonly SitePage[],
  signal: AbortSignal,
): Promise<{ problems: Problem[]; side: AnchorSide | null }> {
  const { site, tree } = side
  if (site === null) return { problems: [], side: null }
  const { names } = planPages({ site, deployment: 'client-hosted' })
  const render = (neededPages: readonly SitePage[]) => bodiesOf(deps, { ...side, site }, neededPages, signal)
  const bodies = await render(pages)
  return {
    problems: [...names.problems, ...bodies.flatMap((body) => body.problems)],
    side: { site, tree, pages, bodies, render },
  }
}

async function bodiesOf(
  deps: CheckDeps,
  { site, tree }: Side & { site: Site },
  pages: readonly SitePage[],
  signal: AbortSignal,
) {
  if (pages.length === 0) return []
  const sources = createSourceReader(site, tree)
  return await deps.bodies.use((bodies) =>
    mapBounded(pages, bodies.concurrency, async (page) => {
      signal.throwIfAborted()
      return await bodies.get(await sources.read(page), signal)
    }),
  )
}

function findPage({ site, problems }: Side, path: string): { site: Site; page: SitePage } {
  if (site === null) {
    const worst = problems.find(({ level }) => level === 'error') ?? problems[0]
    throw new ToolRefusal(`The site cannot be loaded, so no page can be shown. ${worst?.message ?? ''}`)
  }
  for (const page of site.pages.values()) if (page.file === path) return { site, page }
  const why = site.snippets.has(path)
    ? 'it is imported by pages. Preview a page that imports it'
    : 'it is not an .mdx or .md file of the site, or is excluded by an ignore rule'
  throw new ToolRefusal(`${JSON.stringify(path)} is not a page: ${why}.`)
}

function pageText(page: SitePage, body: RenderedBody | undefined): string {
  const parts = [`# ${page.title}`, page.description ?? '']
  for (const { title, text } of body?.sections ?? []) parts.push(title === null ? '' : `## ${title}`, text)
  parts.push(`(Path ${page.route}. ${describePlacement(page)})`)
  const problems = (body?.problems ?? []).filter(({ level }) => level !== 'hint')
  if (problems.length > 0) parts.push(`Problems of this page:\n${formatProblems(problems)}`)
  return parts.filter((part) => part !== '').join('\n\n')
}

function describePlacement({ placements }: SitePage): string {
  const [first] = placements
  if (first === undefined) return 'It is not in the navigation.'
  return first.groups.length === 0
    ? 'It is in the navigation.'
    : `In the navigation under ${first.groups.join(' › ')}.`
}

async function buildDiff(before: FileTree, after: FileTree, changes: readonly FileChange[]): Promise<string> {
  const parts: string[] = []
  const breaks = createYielder()
  let remaining = MAX_DIFF_CHARACTERS
  for (const [index, { path, change }] of changes.entries()) {
    if (remaining <= 0) {
      parts.push(`(${changes.length - index} more changed files are omitted. Read them with read_file.)`)
      break
    }
    const lines = change === 'deleted' ? [] : await linesOf(before, after, path)
    const text = truncate(
      lines.join('\n'),
      changes.length === 1 ? remaining : Math.min(remaining, MAX_FILE_DIFF_CHARACTERS),
    )
    remaining -= text.length
    parts.push(`${quotePath(path)}, ${change}${text === '' ? '' : `:\n${text}`}`)
    if (breaks.isDue()) await breaks.yieldNow()
  }
  return parts.join('\n\n')
}

async function linesOf(before: FileTree, after: FileTree, path: string): Promise<string[]> {
  if (isImageFile(path))
    return [await describeImageSide('before', before, path), await describeImageSide('after', after, path)]
  const hunks = plainDiff(await findText(before, path), await findText(after, path))
  return hunks.flatMap((hunk) => [
    `@@ line ${hunk.find(({ after: number }) => number !== null)?.after ?? 1}`,
    ...hunk.map(({ kind, parts }) => SIGNS[kind] + parts.map(({ text }) => text).join('')),
  ])
}

async function describeImageSide(side: string, tree: FileTree, path: string): Promise<string> {
  const description = tree.files.has(path) ? await describeImage(tree, path) : 'none'
  return `(${side} the change: ${description})`
}

function truncate(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, max).toWellFormed()}\n(… ${text.length - max} more characters of this file. Read it with read_file.)`
}
