/** Bodies of pages: from the object store when they were rendered before, else rendered and stored. */
import type { Log } from '../../base/log.ts'
import type { ObjectCache } from '../../objects/object-store.ts'
import type { BodyRenderer, RenderedBody } from '../page/body.ts'
import { putEntry, readEntry } from '../versions/cache-entries.ts'
import { openBodyRenderer } from './body-renderer.ts'
import { type PageSource, SYNTHETIC } from './page-source.ts'

/** Characters of HTML kept for the second pass; what is beyond is read from the store again. */
const KEPT_CHARACTERS = 64 * 1024 * 1024

export interface PageBodies {
  get(source: PageSource, signal: AbortSignal): Promise<RenderedBody>
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
  /** For those who look at problems alone: code has no colours. Such bodies lie apart from the others. */
  isPlain?: boolean
}

export function openPageBodies(deps: PageBodiesDeps): PageBodies {
  const kept = new Map<string, RenderedBody>()
  let keptCharacters = 0
  let rendered = 0
  let renderer: BodyRenderer | null = null

  const keyOf = ({ key }: PageSource) => (deps.isPlain ? `plain-${key}` : key)

  const render = async (source: PageSource, signal: AbortSignal): Promise<RenderedBody> => {
    const isHighlightOff = deps.isPlain === true
    const open = renderer ?? openBodyRenderer({ children: deps.children, log: deps.log, isHighlightOff })
    renderer = open
    const body = placeProblems(await open.render(source.request, signal))
    rendered += 1
    if (!keep(source, body) || !deps.isPassing) await putEntry(deps.objects, keyOf(source), body)
    return body
  }

  const rest = async () => {
    const open = renderer
    renderer = null
    await open?.[Symbol.asyncDispose]()
  }

  /** Whether there is room. */
  const keep = (source: PageSource, body: RenderedBody): boolean => {
    const size = body.html.length + body.markdown.length + (body.side?.length ?? 0)
    if (keptCharacters + size > KEPT_CHARACTERS) return false
    kept.set(source.key, body)
    keptCharacters += size
    return true
  }

  return {
    get: async (source, signal) => {
      const known = kept.get(source.key)
      if (known) return known
      const body = await readEntry<RenderedBody>(deps.objects, keyOf(source))
      if (body === null) return await render(source, signal)
      keep(source, body)
      return body
    },
    // More than the children are sent ahead, so that none waits for the next page to be read.
    concurrency: deps.children * 4,
    rendered: () => rendered,
    rest,
    [Symbol.asyncDispose]: rest,
  }
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
