/**
 * Renders the pages of a preview from the newest state of the folder. If files change during rendering, the
 * page is rendered again from the next state.
 */

import { PREVIEW_PATH, type PreviewNotes } from '../base/api/preview.ts'
import type { Problem } from '../base/errors/problem.ts'
import { sha256 } from '../base/hash.ts'
import { escapeHtml } from '../render/html/html.ts'
import type { LivePage, LiveSite } from '../render/live-site.ts'
import type { Site } from '../site/model.ts'
import { type FolderState, isStaleTreeError } from './folder-states.ts'

export interface PreviewPages {
  /**
   * Sets the current state. `live` is null if no site can be shown. Returns a signal that the next call aborts.
   */
  show(state: FolderState, live: LiveSite | null): AbortSignal
  site(): Site | null
  /** Redirect target of `/`, unless a page has that path. */
  start(): string | null
  has(path: string): boolean
  /** Returns a page or the not-found page, including the preview script. */
  page(path: string): Promise<string>
  file(path: string): Promise<Uint8Array | string | null>
  version(path: string): Promise<string>
  notes(path: string): Promise<PreviewNotes>
  close(): void
}

interface ShownState {
  state: FolderState
  live: LiveSite | null
  /** Number of changes to assets. Included in the version of every page. */
  assetRevision: number
  pages: Map<string, Promise<LivePage>>
  /** Aborted when the next state is shown. */
  end: AbortController
}

export interface PreviewPagesDeps {
  /** Resolves when a newer state is shown. Called if the current state is outdated. */
  awaitNewState(): Promise<void>
}

const MAX_ATTEMPTS = 10
const VERSION_LENGTH = 16

export function createPreviewPages({ awaitNewState }: PreviewPagesDeps): PreviewPages {
  let shown: ShownState | null = null

  /** Repeats the work with the next state if files change meanwhile. */
  const withState = async <T>(work: (shown: ShownState) => Promise<T>): Promise<T> => {
    for (let attempts = 1; ; attempts++) {
      const now = shown
      if (now === null) throw new Error('the preview has no state yet')
      try {
        return await work(now)
      } catch (error) {
        const isOld = now.end.signal.aborted || isStaleTreeError(error)
        if (!isOld || attempts === MAX_ATTEMPTS) throw error
        if (shown === now) await awaitNewState()
      }
    }
  }

  return {
    show: (state, live) => {
      const before = shown
      const isAsset = (path: string) =>
        live?.input.site.assets.has(path) || before?.live?.input.site.assets.has(path)
      const assetRevision = (before?.assetRevision ?? 0) + (before && state.changed.some(isAsset) ? 1 : 0)
      const end = new AbortController()
      shown = { state, live, assetRevision, pages: new Map(), end }
      before?.end.abort(new Error('the files have changed'))
      return end.signal
    },
    site: () => shown?.live?.input.site ?? null,
    start: () => shown?.live?.start ?? null,
    has: (path) => shown?.live?.has(path) ?? false,
    page: (path) =>
      withState(async (now) => {
        const html = await renderPageHtml(now, path)
        return withScript(html, computeVersion(html, now))
      }),
    file: (path) => withState(async ({ live, end }) => live?.file(path, end.signal) ?? null),
    version: (path) => withState(async (now) => computeVersion(await renderPageHtml(now, path), now)),
    notes: (path) =>
      withState(async (now) => {
        const page = await findPage(now, path)
        const all = [...now.state.problems, ...((await now.live?.problems()) ?? [])]
        const own = all.filter(
          (one) => one.level !== 'hint' && (page?.files.has(one.file) || isSettingsProblem(one)),
        )
        return { problems: uniqueProblems(own), isBroken: page?.isBroken ?? false }
      }),
    close: () => shown?.end.abort(new Error('the preview has ended')),
  }
}

async function findPage({ live, pages, end }: ShownState, path: string): Promise<LivePage | null> {
  const cached = pages.get(path)
  if (cached) return cached
  if (!live?.has(path)) return null
  const rendering = live.page(path, end.signal)
  pages.set(path, rendering)
  rendering.catch(() => pages.delete(path))
  return rendering
}

async function renderPageHtml(now: ShownState, path: string): Promise<string> {
  const page = await findPage(now, path)
  return page?.html ?? now.live?.notFound() ?? problemPage(now.state.problems)
}

/** Returns whether a problem in the settings affects every page, unlike a missing target of a setting. */
function isSettingsProblem({ code, level }: Problem): boolean {
  return code.startsWith('config.json_') || (level === 'error' && code.startsWith('config.'))
}

function uniqueProblems(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((one) => [JSON.stringify(one), one])).values()]
}

function computeVersion(html: string, { assetRevision }: ShownState): string {
  return sha256(`${assetRevision} ${html}`).slice(0, VERSION_LENGTH)
}

/** Inserts the preview script first, so that scripts of the author cannot prevent it from running. */
function withScript(html: string, version: string): string {
  const script = `<script src="${PREVIEW_PATH}preview.js" data-version="${version}"></script>`
  return html.replace('<head>', () => `<head>${script}`)
}

function problemPage(problems: readonly Problem[]): string {
  const items = problems.map(
    ({ file, line, message, remedy }) =>
      `<li><code>${escapeHtml(file)}${line === null ? '' : `:${line}`}</code><p>${escapeHtml(message)}</p><p>${escapeHtml(remedy)}</p></li>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>No site yet</title>
<style>:root{color-scheme:light dark}body{font:16px/1.6 ui-sans-serif,system-ui,sans-serif;max-width:42rem;margin:12vh auto;padding:0 24px}h1{font-size:24px;letter-spacing:-.02em}ul{list-style:none;padding:0}li{margin:20px 0}p{margin:4px 0}code{font:14px ui-monospace,monospace}</style></head>
<body><main><h1>There is no site to show yet</h1><p>This page changes by itself when the folder does.</p><ul>${items.join('')}</ul></main></body></html>
`
}
