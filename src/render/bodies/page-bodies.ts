/** Provides bodies of pages from memory or the cache. Renders missing ones and caches them. */
import type { Log } from '../../base/log.ts'
import type { ObjectCache } from '../../objects/object-cache.ts'
import { putJson, readEntry } from '../cache/entries.ts'
import { measureMarkup } from '../html/markup.ts'
import type { BodyRenderer, RenderedBody } from '../page/body.ts'
import { chooseChildCount, openBodyRenderer } from './body-renderer.ts'
import type { PrestartedChild } from './child-process.ts'
import { OPERATION_TEXT_SUFFIX, type PageSource } from './page-source.ts'

/** Maximum number of characters held in memory. Other bodies are read from the cache again. */
const MAX_MEMORY_CHARACTERS = 64 * 1024 * 1024

export interface PageBodies {
  get(source: PageSource, signal: AbortSignal): Promise<RenderedBody>
  /** Returns a body that was returned before. Reads the source only if the body has been evicted. */
  getOrReload(key: string, read: () => Promise<PageSource>, signal: AbortSignal): Promise<RenderedBody>
  readonly concurrency: number
  /** Number of bodies that were not in the cache. */
  renderedCount(): number
  /** Ends the render children to free memory. Must not be called during rendering. */
  closeChildren(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface PageBodiesDeps {
  cache: ObjectCache
  log: Log
  children: number
  /** Maximum number of pages, if known. */
  pages?: number
  /** Omits syntax highlighting, for callers that only use the problems. */
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

  /** Stores a body in memory. Returns false if the limit would be exceeded. */
  const remember = (key: string, body: RenderedBody): boolean => {
    const size = countCharacters(body)
    if (characters + size > MAX_MEMORY_CHARACTERS) return false
    if (!inMemory.has(key)) characters += size
    inMemory.set(key, body)
    return true
  }

  const render = async (source: PageSource, signal: AbortSignal): Promise<RenderedBody> => {
    renderer ??= openBodyRenderer({ children, log, isHighlightOff: isPlain, ahead })
    const { body: sent, json } = await renderer.render(source.request, signal, source.json)
    const body = relocateProblems(sent)
    renderedCount += 1
    if (!remember(source.key, body) || !cache.isTemporary) await putJson(cache, entryName(source.key), json)
    return body
  }

  const find = async (key: string): Promise<RenderedBody | null> => {
    const cached = inMemory.get(key)
    if (cached) return cached
    const stored = await readEntry<RenderedBody>(cache, entryName(key))
    const body = stored && relocateProblems(stored)
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
    // Higher than the number of queued pages, so that children do not wait for a page to be read.
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

/** Assigns problems in text from an API description to the file of that description. */
function relocateProblems(body: RenderedBody): RenderedBody {
  const problems = body.problems.map((problem) =>
    problem.file.endsWith(OPERATION_TEXT_SUFFIX)
      ? { ...problem, file: problem.file.slice(0, -OPERATION_TEXT_SUFFIX.length), line: null }
      : problem,
  )
  return { ...body, problems }
}
