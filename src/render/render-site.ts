/** A loaded site to a site version: every page and file as a blob, and the manifest that names them. */
import type { Problem } from '../contract/problem.ts'
import { openPageBodies } from './bodies/page-bodies.ts'
import type { Layout } from './chrome/layout.ts'
import { inReadingOrder } from './links/reading-order.ts'
import { loadBuiltIns } from './machinery/built-ins.ts'
import { writeAssets } from './outputs/assets.ts'
import { writeOwnFiles } from './outputs/finish.ts'
import { FULL_TEXT_FILE } from './outputs/machine-files.ts'
import { createPassageWriter } from './outputs/passages.ts'
import { createTwinWriter } from './outputs/write-twins.ts'
import type { RenderInput } from './page/render-input.ts'
import { furnishSite, writeSearch } from './plan/furnish-site.ts'
import { furnishedLayout } from './plan/furnished-layout.ts'
import { learnElsewhere } from './plan/learn-elsewhere.ts'
import { openPageMemory } from './plan/page-memory.ts'
import { layOutPages, renderBodies } from './plan/page-passes.ts'
import { createScope, type RenderDeps, type RenderProgress, type RenderScope } from './plan/render-scope.ts'
import { siteProblems } from './plan/site-problems.ts'
import { indexSettings } from './search/search-pages.ts'
import { openSearchWriter } from './search/search-writer.ts'
import { loadUtilities } from './theme/site-sheets.ts'
import { siteThumbnails } from './thumbnail/site-thumbnails.ts'
import { touchIcon } from './thumbnail/touch-icon.ts'
import { createFullText, type FullText } from './versions/full-text.ts'
import { openLaidOutPages } from './versions/laid-out-pages.ts'
import type { SiteManifest } from './versions/manifest.ts'
import { createSiteFiles, dropFiles, type SiteFiles } from './versions/site-files.ts'

export interface RenderedSite {
  manifest: SiteManifest
  problems: Problem[]
}

/**
 * Two passes over the pages: the first makes their bodies (or finds them in the store) and learns what the site needs,
 * the second lays them out around a chrome whose file names are then known. The same input gives the same manifest,
 * whatever was in the store before. Rejects when `signal` aborts or the store fails, never because of content.
 */
export async function renderSite(
  deps: RenderDeps,
  input: RenderInput,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<RenderedSite> {
  const files = deps.files ?? createSiteFiles(deps.objects)
  const memory = files.takesEarlier ? await openPageMemory(deps.objects, deps.memory) : null
  await using search = input.features.search
    ? await openSearchWriter(
        indexSettings(input.site),
        ({ path, digest, content }) => files.addMade(path, `search ${digest}`, async () => content()),
        memory?.search,
      )
    : null
  const fullText = await files.openText(FULL_TEXT_FILE)
  const passages = input.features.assistant ? createPassageWriter(input.site, await openLines(files)) : null
  const scope = createScope(deps, input, { isCheck: false, files, fullText, search, passages, memory })
  const { layout, problems, rendered } = await renderPages(scope, report, signal)
  const { plan } = scope
  await passages?.write(files)
  await memory?.save()
  const style = (await loadBuiltIns()).style.path
  const manifest = await writeOwnFiles({ ...scope, layout, fullText, style })
  const fileCount = Object.keys(manifest.files).length
  deps.log.info(
    { pages: plan.length, rendered, files: fileCount, deployment: input.deployment },
    'site.rendered',
  )
  return { manifest, problems }
}

/** Where files lie unpacked, nobody answers questions about them. */
async function openLines(files: SiteFiles): Promise<FullText> {
  return files.isPacked ? await files.openText('passages') : createFullText(1)
}

const NOTHING_KEPT = { isCheck: true, fullText: null, search: null, passages: null }

/**
 * The problems that `renderSite` would find, without what is only there to be kept. With a `memory` pages that the last
 * check has found as they are now are not looked at again.
 */
export async function checkSite(
  deps: RenderDeps,
  input: RenderInput,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<{ pageCount: number; problems: Problem[] }> {
  const place = deps.memory
  const memory = place === undefined ? null : await openPageMemory(deps.objects, place)
  const laidOut = place === undefined ? null : await openLaidOutPages(deps.objects, `${place}pages.json`)
  const scope = createScope(deps, input, { ...NOTHING_KEPT, files: dropFiles(laidOut), memory })
  const { problems } = await renderPages(scope, report, signal)
  await memory?.save()
  // That an icon is missing is told while its page is laid out: then all that has one is laid out again.
  if (!problems.some(({ code }) => code === 'icon.unknown')) await laidOut?.save()
  return { pageCount: scope.plan.length, problems }
}

async function renderPages(
  scope: RenderScope,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<{ layout: Layout; problems: Problem[]; rendered: number }> {
  const { deps, input } = scope
  await using bodies = openPageBodies({
    ...deps,
    children: deps.children ?? 2,
    pages: scope.plan.length,
    isPlain: scope.isCheck,
  })
  // In a thread of its own, while the pages are rendered.
  const drawing = touchIcon(input)
  drawing.catch(() => {}) // told where it is waited for, if that is reached
  const making = scope.isCheck ? Promise.resolve(null) : siteThumbnails({ ...deps, input })
  making.catch(() => {})
  const { fullText } = scope
  const twins = fullText && createTwinWriter({ ...scope, fullText }, inReadingOrder(input.site, scope.plan))
  const [made] = await Promise.all([
    renderBodies(scope, { bodies, twins }, report, signal),
    // What the layout needs is loaded while other processes are at work.
    loadBuiltIns(),
    loadUtilities(),
  ])
  const { pages } = made
  const searching = writeSearch(scope)
  searching.catch(() => {})
  await Promise.all([bodies.rest(), learnElsewhere(scope, made)])
  // A check learns nothing from files that are served as they are, except what those of a closed bundle would fetch.
  const readsAssets = !scope.isCheck || input.deployment === 'air-gapped'
  const remote = readsAssets ? await writeAssets({ ...scope, tree: input.tree }, signal) : []
  const furnishing = await furnishSite(scope, made, drawing)
  await using thumbnails = await making
  const { layout, around, missing } = furnishedLayout(scope, furnishing, thumbnails)
  const laying = { ...scope, pages, bodies, twins, layout, around }
  remote.push(...missing, ...(await layOutPages(laying, report, signal)))
  await thumbnails?.write(scope.files)
  await searching
  const problems = await siteProblems(scope, pages, furnishing, remote)
  return { layout, problems, rendered: bodies.rendered() }
}
