/** Bodies of pages, from the cache or newly rendered and then cached. */
import type { Log } from '../../base/log.ts'
import type { ObjectCache } from '../../objects/object-cache.ts'
import { putEntry, readEntry } from '../cache/entries.ts'
import { measureMarkup } from '../html/markup.ts'
import type { BodyRenderer, RenderedBody } from '../page/body.ts'
import { chooseChildCount, openBodyRenderer } from './body-renderer.ts'
import type { PrestartedChild } from './child-process.ts'
import { OPERATION_TEXT_SUFFIX, type PageSource } from './page-source.ts'

/** Characters held in memory; bodies beyond this are read from the cache again. */
const MAX_MEMORY_CHARACTERS = 64 * 1024 * 1024

export interface PageBodies {
  get(source: PageSource, signal: AbortSignal): Promise<RenderedBody>
  /** Returns a body that was available before; the source is only read again if the body was lost. */
  getOrReload(key: string, read: () => Promise<PageSource>, signal: AbortSignal): Promise<RenderedBody>
  /** Recommended number of concurrent requests. */
  readonly concurrency: number
  /** Number of bodies that were rendered because the cache did not have them. */
  renderedCount(): number
  /** Ends the render children, which use more memory than all bodies. Call it when nothing is being rendered. */
  closeChildren(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface PageBodiesDeps {
  cache: ObjectCache
  log: Log
  children: number
  /** Upper limit of the number of pages; unknown if omitted. */
  pages?: number
  /** Omits syntax highlighting, for callers interested in problems only. */
  isPlain?: boolean
  ahead?: PrestartedChild | null
}

export function openPageBodies(deps: PageBodiesDeps): PageBodies {
  const { cache, log, pages, isPlain = false, ahead = null } = deps
  const inMemory = new Map<string, RenderedBody>()
  let characters = 0
  let renderedCount = 0
  let renderer: BodyRenderer | null = null
  const children = chooseChildCount(deps.children, pages)

  const entryName = (key: string) => (isPlain ? `plain ${key}` : key)

  /** Stores a body in memory if there is room; returns whether it did. */
  const remember = (key: string, body: RenderedBody): boolean => {
    const size = countCharacters(body)
    if (characters + size > MAX_MEMORY_CHARACTERS) return false
    if (!inMemory.has(key)) characters += size
    inMemory.set(key, body)
    return true
  }

  const render = async (source: PageSource, signal: AbortSignal): Promise<RenderedBody> => {
    renderer ??= openBodyRenderer({ children, log, isHighlightOff: isPlain, ahead })
    const body = relocateProblems(await renderer.render(source.request, signal))
    renderedCount += 1
    if (!remember(source.key, body) || !cache.isTemporary) await putEntry(cache, entryName(source.key), body)
    return body
  }

  const find = async (key: string): Promise<RenderedBody | null> => {
    const cached = inMemory.get(key)
    if (cached) return cached
    const body = await readEntry<RenderedBody>(cache, entryName(key))
    if (body !== null) remember(key, body)
    return body
  }

  const closeChildren = async () => {
    const open = renderer
    renderer = null
    await open?.[Symbol.asyncDispose]()
  }

  return {
    get: async (source, signal) => (await find(source.key)) ?? (await render(source, signal)),
    getOrReload: async (key, read, signal) => (await find(key)) ?? (await render(await read(), signal)),
    // More than the children are sent ahead, so that no child waits for a page to be read.
    concurrency: children * 4,
    renderedCount: () => renderedCount,
    closeChildren,
    [Symbol.asyncDispose]: closeChildren,
  }
}

function countCharacters({ html, markdown, side, sections }: RenderedBody): number {
  const texts = sections.reduce((sum, { text }) => sum + text.length, 0)
  return measureMarkup(html) + markdown.length + measureMarkup(side ?? []) + texts
}

/** Reports problems of a text made from an API description at the description. */
function relocateProblems(body: RenderedBody): RenderedBody {
  const problems = body.problems.map((problem) =>
    problem.file.endsWith(OPERATION_TEXT_SUFFIX)
      ? { ...problem, file: problem.file.slice(0, -OPERATION_TEXT_SUFFIX.length), line: null }
      : problem,
  )
  return { ...body, problems }
}
