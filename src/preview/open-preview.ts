/**
 * Previews a folder with a local server.
 *
 * When files change: read the folder → load the site → show it → notify open pages, which reload → check the
 * pages that have not been requested, to find all problems. Each step uses the newest state and aborts work
 * for older ones.
 */
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { resolveFeatures } from '../base/api/features.ts'
import { watchFolder } from '../base/files/watch-folder.ts'
import type { Log } from '../base/log.ts'
import { createGuardedFetch } from '../base/net/guarded-fetch.ts'
import { folderDates } from '../git/file-dates.ts'
import { openTemporaryCache } from '../render/cache/folder-cache.ts'
import { openLiveRenderer } from '../render/live-site.ts'
import { readBundleText } from '../render/machinery/own-bundles.ts'
import type { RenderInput } from '../render/page/render-input.ts'
import { createSpecFetch } from '../render/remote/remote-specs.ts'
import type { Site } from '../site/model.ts'
import { withDates } from '../site/pages/page-dates.ts'
import { createFolderStates, type FolderState, isStaleTreeError } from './folder-states.ts'
import { createFollower, createReporter } from './follow-state.ts'
import { createPageEvents } from './page-events.ts'
import { createPreviewPages } from './preview-pages.ts'
import type { PreviewReport } from './preview-report.ts'
import { type PortOptions, startPreviewServer } from './preview-server.ts'

const RETRY_DELAY_MS = 50

export interface PreviewInput extends PortOptions {
  folder: string
  log: Log
  report(event: PreviewReport): void
}

export interface Preview {
  url: string
  /** Resolves when the current files are shown. */
  refresh(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const RENDER_CHILDREN = 2

/** Rejects if the folder cannot be read or the port is not available. */
export async function openPreview(input: PreviewInput): Promise<Preview> {
  const { log, report } = input
  await using opening = new AsyncDisposableStack()
  const cache = opening.use(await openTemporaryCache())
  const guardedFetch = opening.use(createGuardedFetch())
  const stop = new AbortController()
  const renderer = opening.use(openLiveRenderer({ cache, log }, RENDER_CHILDREN))
  opening.defer(() => stop.abort())
  const folder = await realpath(input.folder).catch(() => input.folder)
  const states = createFolderStates(folder, createSpecFetch({ guardedFetch, cache, log }, stop.signal))
  const pages = createPreviewPages({ awaitNewState: () => refreshLoop.refresh() })
  opening.defer(() => pages.close())
  const events = createPageEvents({ pages, log })
  const previewReporter = createReporter(report)
  const addDates = createDateCache(folder)
  const follow = createFollower({ report, events, reporter: previewReporter, log, stop: stop.signal })

  const step = async (isFirst: boolean) => {
    const started = performance.now()
    const state = await states.read()
    previewReporter.clearFault()
    if (state === null) return
    const live = state.site && (await renderer.open(renderInput(state, await addDates(state.site))))
    const ended = pages.show(state, live)
    // Not awaited, because rendering pages must not delay the next state.
    void follow({ state, live, ended, started, isFirst })
  }

  await step(true)
  const refreshLoop = createRefreshLoop(() => step(false), previewReporter.fault, stop.signal)
  // Reads the folder again after the watcher has started, to include changes made before the start.
  opening.use(
    await watchFolder(folder, { changed: () => void refreshLoop.refresh(), failed: previewReporter.fault }),
  )
  void refreshLoop.refresh()
  const script = await readBundleText('preview.js')
  const server = opening.use(await startPreviewServer({ pages, script, events, log }, input))
  const open = opening.move()
  return {
    url: server.url,
    refresh: refreshLoop.refresh,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      pages.close()
      await refreshLoop.ended()
      await open.disposeAsync()
    },
  }
}

/** Returns a function that adds dates to pages. Caches the last result by identity of the pages. */
function createDateCache(folder: string): (site: Site) => Promise<Site> {
  let last: { before: Site['pages']; now: Site['pages'] } | null = null
  return async (site) => {
    if (last?.before === site.pages) return { ...site, pages: last.now }
    const now = await withDates(site, {
      dates: () => folderDates(folder, null),
      read: (path) => readFile(join(folder, path)),
    })
    last = { before: site.pages, now: now.pages }
    return now
  }
}

function renderInput({ tree }: FolderState, site: RenderInput['site']): RenderInput {
  return {
    site,
    tree,
    deployment: 'cloud',
    // There are no visits to count and no assistant in a preview.
    features: { ...resolveFeatures('cloud'), analytics: false, assistant: false },
    origin: null,
    siteId: null,
    platformUrl: null,
    widgets: {},
    repository: null,
  }
}

/** Reads and shows the folder, one run at a time. */
interface RefreshLoop {
  /** Resolves after a run that starts after this call. */
  refresh(): Promise<void>
  /** Resolves when no run is in progress. */
  ended(): Promise<void>
}

/** Calls during a run share the next run. `failed` receives errors of a run. */
function createRefreshLoop(
  refreshOnce: () => Promise<void>,
  failed: (error: unknown) => void,
  stop: AbortSignal,
): RefreshLoop {
  let running: Promise<void> | null = null
  let isRequested = false
  const run = async () => {
    while (isRequested && !stop.aborted) {
      isRequested = false
      await refreshOnce().catch(async (error: unknown) => {
        if (!isStaleTreeError(error)) return failed(error)
        // Tries again, because files changed while they were read.
        isRequested = true
        await setTimeout(RETRY_DELAY_MS)
      })
    }
  }
  return {
    refresh() {
      isRequested = true
      running ??= run().finally(() => {
        running = null
      })
      return running
    },
    ended: async () => running ?? undefined,
  }
}
