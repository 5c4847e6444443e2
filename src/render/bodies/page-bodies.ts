/** Bodies of pages: from the object store when they were rendered before, else rendered and stored. */
import type { Log } from '../../base/log.ts'
import type { ObjectCache } from '../../objects/object-store.ts'
import { lengthOf } from '../html/markup.ts'
import type { BodyRenderer, RenderedBody } from '../page/body.ts'
import { putEntry, readEntry } from '../versions/cache-entries.ts'
import { childrenFor, openBodyRenderer } from './body-renderer.ts'
import { type PageSource, SYNTHETIC } from './page-source.ts'

/** Characters kept for the second pass; what is beyond is read from the store again. */
const KEPT_CHARACTERS = 64 * 1024 * 1024

export interface PageBodies {
  get(source: PageSource, signal: AbortSignal): Promise<RenderedBody>
  /** Of one that was there: what it is made of is read once more only when it was lost. */
  again(key: string, read: () => Promise<PageSource>, signal: AbortSignal): Promise<RenderedBody>
  /** Of one that may not be asked for, because what it says is known. */
  markUsed(key: string): void
  /** Of one that is no longer asked for, by the pages that have it. */
  letGo(key: string): void
  /** How many to ask for at the same time. */
  readonly concurrency: number
  /** How many were rendered and not found. */
  rendered(): number
  /** Ends the render children, which hold more memory than all bodies: to be asked when none is being rendered. */
  rest(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface PageBodiesDeps {
  objects: ObjectCache
  /** What is put into `objects` is of no use to another render. */
  isPassing?: boolean
  log: Log
  children: number
  /** How many there are to come at most; unknown when left out. */
  pages?: number
  /** For those who look at problems alone: code has no colours. Such bodies lie apart from the others. */
  isPlain?: boolean
  /** Started ahead, and ended with the bodies. */
  renderer?: BodyRenderer | null
}

export function openPageBodies(deps: PageBodiesDeps): PageBodies {
  const kept = new Map<string, RenderedBody>()
  let keptCharacters = 0
  let rendered = 0
  let renderer = deps.renderer ?? null
  const children = childrenFor(deps.children, deps.pages)
  renderer?.limit(children)

  const entryOf = (key: string) => (deps.isPlain ? `plain-${key}` : key)

  const render = async (source: PageSource, signal: AbortSignal): Promise<RenderedBody> => {
    renderer ??= openBodyRenderer({ children, log: deps.log, isHighlightOff: deps.isPlain === true })
    const body = placeProblems(await renderer.render(source.request, signal))
    rendered += 1
    if (!keep(source.key, body) || !deps.isPassing) await putEntry(deps.objects, entryOf(source.key), body)
    return body
  }

  const rest = async () => {
    const open = renderer
    renderer = null
    await open?.[Symbol.asyncDispose]()
  }

  /** Whether there is room. */
  const keep = (key: string, body: RenderedBody): boolean => {
    const size = charactersOf(body)
    if (keptCharacters + size > KEPT_CHARACTERS) return false
    kept.set(key, body)
    keptCharacters += size
    return true
  }

  const find = async (key: string): Promise<RenderedBody | null> => {
    const known = kept.get(key)
    if (known) return known
    const body = await readEntry<RenderedBody>(deps.objects, entryOf(key))
    if (body !== null) keep(key, body)
    return body
  }

  const get = async (source: PageSource, signal: AbortSignal): Promise<RenderedBody> =>
    (await find(source.key)) ?? (await render(source, signal))

  return {
    get,
    again: async (key, read, signal) => (await find(key)) ?? (await render(await read(), signal)),
    letGo: (key) => {
      const body = kept.get(key)
      if (body && kept.delete(key)) keptCharacters -= charactersOf(body)
    },
    markUsed: (key) => deps.objects.markUsed?.(entryOf(key)),
    // More than the children are sent ahead, so that none waits for the next page to be read.
    concurrency: children * 4,
    rendered: () => rendered,
    rest,
    [Symbol.asyncDispose]: rest,
  }
}

function charactersOf({ html, markdown, side, sections }: RenderedBody): number {
  const texts = sections.reduce((sum, { text }) => sum + text.length, 0)
  return lengthOf(html) + markdown.length + lengthOf(side ?? []) + texts
}

/** Problems of a text made from an API description belong to the description. */
function placeProblems(body: RenderedBody): RenderedBody {
  const problems = body.problems.map((problem) =>
    problem.file.endsWith(SYNTHETIC)
      ? { ...problem, file: problem.file.slice(0, -SYNTHETIC.length), line: null }
      : problem,
  )
  return { ...body, problems }
}
