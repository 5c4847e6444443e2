/**
 * A preview of a folder: a server on this machine that shows the site as its files are.
 *
 * When files change: read the folder → load the site → show it → tell open pages, which load themselves again → look
 * over the pages that nobody has asked for, so that all problems are known. Each step takes the newest state; what was
 * under way for an older one ends.
 */
import { realpath } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { createGuardedFetch } from '../base/guarded-fetch.ts'
import type { Log } from '../base/log.ts'
import { isMachinery } from '../base/machinery-error.ts'
import { watchFolder } from '../base/watch-folder.ts'
import { resolveFeatures } from '../contract/features.ts'
import { openMemoryStore } from '../objects/memory-store.ts'
import { type LiveSite, openLiveRenderer } from '../render/live-site.ts'
import { ownBundle } from '../render/machinery/own-bundles.ts'
import type { RenderInput } from '../render/page/render-input.ts'
import { createSpecFetch } from '../render/remote/remote-specs.ts'
import { createFolderStates, type FolderState, isTooEarly } from './folder-states.ts'
import { createPageEvents } from './page-events.ts'
import { createPreviewPages } from './preview-pages.ts'
import { type PortWish, startPreviewServer } from './preview-server.ts'
import { createProblemNews, type ProblemNews } from './problem-news.ts'

export interface PreviewInput extends PortWish {
  folder: string
  log: Log
  report(event: PreviewReport): void
}

export type PreviewReport =
  /** A state is shown; `changed` is what changed since the last report of one, and empty for the first. */
  | { kind: 'shown'; changed: readonly string[]; milliseconds: number; pages: number }
  | ({ kind: 'problems' } & ProblemNews)
  /** Every page of the state was rendered. */
  | { kind: 'surveyed' }
  /** The folder cannot be read; what was shown stays. */
  | { kind: 'fault'; error: unknown }

export interface Preview {
  url: string
  /** Looks at the folder now, and shows what has changed. */
  refresh(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A state that was just made the one that is shown. */
interface Following {
  state: FolderState
  live: LiveSite | null
  /** Aborts when the next one comes. */
  ended: AbortSignal
  /** By the clock of `performance`. */
  started: number
}

const RENDER_CHILDREN = 2
/** After a state is shown. */
const LOOK_OVER_MS = 150
const BREATH_MS = 50

/** Rejects when the folder cannot be read, or no port be had. */
export async function openPreview(input: PreviewInput): Promise<Preview> {
  const { log, report } = input
  await using opening = new AsyncDisposableStack()
  const objects = opening.use(openMemoryStore())
  const guardedFetch = opening.use(createGuardedFetch())
  const stop = new AbortController()
  const renderer = opening.use(await openLiveRenderer({ objects, log }, RENDER_CHILDREN))
  opening.defer(() => stop.abort())
  const folder = await realpath(input.folder).catch(() => input.folder)
  const states = createFolderStates(folder, createSpecFetch({ guardedFetch, objects, log }, stop.signal))
  const pages = createPreviewPages({ renew: () => refresh() })
  opening.defer(() => pages.close())
  const events = createPageEvents({ pages, log })
  const news = { site: createProblemNews(), pages: createProblemNews() }

  /** Files that have changed since a state was last reported. */
  const untold = new Set<string>()
  /** Message of a fault that lasts, which is told once. */
  let lastFault = ''

  const tellFault = (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    if (message !== lastFault) report({ kind: 'fault', error })
    lastFault = message
  }

  const tellProblems = ({ fresh, solved }: ProblemNews) => {
    if (fresh.length > 0 || solved > 0) report({ kind: 'problems', fresh, solved })
  }

  const step = async (isFirst: boolean) => {
    const started = performance.now()
    const state = await states.read()
    lastFault = ''
    if (state === null) return
    const live = state.site && (await renderer.open(renderInput(state, state.site)))
    const ended = pages.show(state, live)
    for (const path of isFirst ? [] : state.changed) untold.add(path)
    void follow({ state, live, ended, started })
  }

  /** Nobody waits for it: a page that takes long to render must not keep the next state from being shown. */
  const follow = async ({ state, live, ended, started }: Following) => {
    await events.tell()
    if (ended.aborted) return
    const milliseconds = performance.now() - started
    report({ kind: 'shown', changed: [...untold], milliseconds, pages: state.site?.pages.size ?? 0 })
    untold.clear()
    tellProblems(news.site(state.problems.filter(({ level }) => level !== 'hint')))
    if (live) await lookOver(state, live, ended)
  }

  /** Problems that the site itself has were told when it was shown. */
  const lookOver = async (state: FolderState, live: LiveSite, ended: AbortSignal) => {
    try {
      // Open pages are loading themselves again.
      await setTimeout(LOOK_OVER_MS, null, { signal: ended })
      await events.tellNotes()
      await live.survey(ended)
      const known = new Set(state.problems.map((one) => JSON.stringify(one)))
      const all = await live.problems()
      if (ended.aborted) return
      tellProblems(news.pages(all.filter((one) => !known.has(JSON.stringify(one)))))
      await events.tellNotes()
      report({ kind: 'surveyed' })
    } catch (error) {
      if (ended.aborted || stop.signal.aborted) return
      if (isMachinery(error)) tellFault(error)
      else log.debug({ error }, 'preview.survey_failed')
    }
  }

  let running: Promise<void> | null = null
  let isWanted = false
  const run = async () => {
    while (isWanted && !stop.signal.aborted) {
      isWanted = false
      await step(false).catch(async (error: unknown) => {
        if (!isTooEarly(error)) return tellFault(error)
        // The files change faster than they can be read.
        isWanted = true
        await setTimeout(BREATH_MS)
      })
    }
  }
  const refresh = (): Promise<void> => {
    isWanted = true
    running ??= run().finally(() => {
      running = null
    })
    return running
  }

  await step(true)
  // Before the watch is there, a change would go unnoticed; the first look behind it finds it.
  opening.use(await watchFolder(folder, { changed: () => void refresh(), failed: tellFault }))
  void refresh()
  const script = await ownBundle('preview.js')
  const server = opening.use(await startPreviewServer({ pages, script, events, log }, input))
  const open = opening.move()
  return {
    url: server.url,
    refresh,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      pages.close()
      await running
      await open.disposeAsync()
    },
  }
}

function renderInput({ tree }: FolderState, site: RenderInput['site']): RenderInput {
  return {
    site,
    tree,
    deployment: 'cloud',
    // Nobody who reads is counted, and nobody is there who answers.
    features: { ...resolveFeatures('cloud'), analytics: false, assistant: false },
    origin: null,
    siteId: null,
    platformUrl: null,
    widgets: {},
    repository: null,
  }
}
