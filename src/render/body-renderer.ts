/**
 * Renders page bodies in disposable child processes.
 *
 * A page is in one of these places, in this order:
 *   waiting   no child has it
 *   sent      a child has it; the first of a child's pages is the one that runs, for answers come in order
 *   answered  its promise is settled
 * When a child dies or is killed, the page that ran goes back to waiting with what was learnt from the death (what to
 * leave out), and the others that were sent go back unchanged. From a death for which the page is no reason nothing is
 * learnt; after too many of those in a row every page is answered with MachineryError.
 */
import type { Log } from '../base/log.ts'
import { silentLog } from '../base/log.ts'
import { MachineryError } from '../base/machinery-error.ts'
import { RENDER_MEMORY } from '../sandbox/limits.ts'
import { endedByItsSize } from '../sandbox/process-end.ts'
import type { Usage } from '../sandbox/usage.ts'
import type { BodyRenderer, BodyRequest, RenderedBody } from './body.ts'
import type { FromChild, RenderJob, RenderStage, StageTimes } from './child/protocol.ts'
import { type RenderChild, startRenderChild } from './child-process.ts'
import { createScriptCompiler, scriptLoader } from './compile-script.ts'
import { ownBundle } from './own-bundles.ts'
import { lostPage, plainBody } from './plain-body.ts'

/** Pages sent to one child at a time: the next one is there when the last is answered. */
const SENT_AHEAD = 3
/** A page that has cost this many children is shown as its text. */
const MOST_DEATHS = 6
/** Children that were lost for reasons of ours, without a page that was rendered in between. */
const MOST_LOST = 5
/** Seconds of processor time for one page, and for each megabyte of its source. */
const PAGE_SECONDS = 5
const PAGE_SECONDS_PER_MEGABYTE = 40
/** Seconds of processor time in one piece of author code. The isolate ends it after one; this is for when it cannot. */
const CODE_SECONDS = 3
/** Seconds of processor time in the parsers for one text, and for each million of its characters. */
const PARSE_SECONDS = 1.5
const PARSE_SECONDS_PER_MILLION = 0.5
/** Texts that the parsers did not come to an end with; a site with more loses the pages behind them. */
const MOST_UNPARSABLE = 1000
/** Seconds by the wall clock: for a machine that is busy, or one that does not tell processor time. */
const PAGE_WALL_SECONDS = 90
/** A child that has used this much processor time is replaced between two pages: its system limit is near. */
const CHILD_SECONDS = 300
const WATCH_MILLISECONDS = 100

interface Page {
  job: RenderJob
  deaths: number
  stage: RenderStage
  mark: number | null
  /** What is in the parsers. */
  parsed: { text: string; characters: number } | null
  /** Hash of the text that was in the parsers of the last child that died. */
  suspect: string | null
  settle: { resolve(body: RenderedBody): void; reject(reason: unknown): void }
}

interface Worker {
  child: RenderChild
  isReady: boolean
  isDoomed: boolean
  /** What it said of a part of ours that failed. */
  fault: string | null
  sent: Page[]
  /** As it was when last looked. */
  usage: Usage | null
  isLooking: boolean
  /** Processor seconds when the page that runs now was first seen, wall-clock seconds when it began. */
  began: { cpu: number | null; wall: number }
  /** A piece of author code, by its mark. */
  code: Burning | null
  /** A text in the parsers, by its hash. */
  parse: Burning | null
}

/** What was running when last looked, and the processor seconds when it was first seen. */
interface Burning {
  id: number
  what: number | string
  cpu: number
}

export interface BodyRendererOptions {
  /** Processes at the same time. */
  children: number
  log?: Log
  /** Code stays without colours, which are most of the work and change no problem. */
  isHighlightOff?: boolean
}

export function openBodyRenderer({
  children,
  log = silentLog,
  isHighlightOff = false,
}: BodyRendererOptions): BodyRenderer {
  const scripts = createScriptCompiler(log)
  const waiting: Page[] = []
  const workers = new Set<Worker>()
  /** Hashes of texts that killed their parsers: many pages may include the same one. */
  const unparsable = new Set<string>()
  const totals: StageTimes & { pages: number } = { compile: 0, render: 0, highlight: 0, pages: 0 }
  let watch: NodeJS.Timeout | null = null
  let lastId = 0
  let isClosed = false
  let failedStarts = 0
  let lost = 0

  const start = () => {
    const worker: Worker = {
      child: startRenderChild((message) => receive(worker, message)),
      isReady: false,
      isDoomed: false,
      fault: null,
      sent: [],
      usage: null,
      isLooking: false,
      began: { cpu: null, wall: performance.now() / 1000 },
      code: null,
      parse: null,
    }
    workers.add(worker)
    watch ??= setInterval(() => workers.forEach(look), WATCH_MILLISECONDS)
    void worker.child.gone.then(() => bury(worker))
    ownBundle('prelude.js').then(
      (source) => worker.child.send({ kind: 'prelude', source }),
      (error: unknown) => {
        for (const page of waiting.splice(0)) page.settle.reject(error)
        worker.child.kill()
      },
    )
  }

  const hand = () => {
    if (isClosed) return
    const wanted = Math.min(Math.max(1, children), workers.size + Math.ceil(waiting.length / SENT_AHEAD))
    while (workers.size < wanted) start()
    for (let depth = 0; depth < SENT_AHEAD && waiting.length > 0; depth++) {
      for (const worker of workers) {
        if (!worker.isReady || worker.isDoomed || worker.sent.length > depth || isWornOut(worker)) continue
        const page = waiting.shift()
        if (!page) return
        if (worker.sent.length === 0) begin(worker)
        page.job.unparsed = [...unparsable]
        worker.sent.push(page)
        worker.child.send({ kind: 'render', ...page.job })
      }
    }
  }

  const isWornOut = (worker: Worker) => (worker.usage?.cpuSeconds ?? 0) > CHILD_SECONDS

  const begin = (worker: Worker) => {
    worker.began = { cpu: null, wall: performance.now() / 1000 }
  }

  const receive = (worker: Worker, message: FromChild) => {
    if (message.kind === 'ready') {
      worker.isReady = true
      failedStarts = 0
      hand()
      return
    }
    const page = worker.sent[0]
    if (!page || page.job.id !== message.id) return
    if (message.kind === 'stage') {
      page.stage = message.stage
      page.mark = null
      page.parsed = null
    } else if (message.kind === 'parse') {
      page.parsed = message
    } else if (message.kind === 'mark') {
      page.mark = message.mark
    } else if (message.kind === 'broken') {
      worker.fault = message.message
      worker.child.kill()
    } else {
      lost = 0
      worker.sent.shift()
      for (const stage of ['compile', 'render', 'highlight'] as const) totals[stage] += message.times[stage]
      totals.pages += 1
      page.settle.resolve(message.body)
      begin(worker)
      if (worker.sent.length === 0 && isWornOut(worker)) worker.child.kill()
      hand()
    }
  }

  const look = async (worker: Worker) => {
    if (worker.isLooking || worker.sent.length === 0) return
    worker.isLooking = true
    worker.usage = await worker.child.usage().catch(() => null)
    worker.isLooking = false
    check(worker)
  }

  const check = (worker: Worker) => {
    const page = worker.sent[0]
    if (!page || worker.isDoomed) return
    const cpu = worker.usage?.cpuSeconds ?? 0
    worker.began.cpu ??= cpu
    const used = cpu - worker.began.cpu
    const wall = performance.now() / 1000 - worker.began.wall
    const allowed = PAGE_SECONDS + (sizeOf(page.job) / 1e6) * PAGE_SECONDS_PER_MEGABYTE
    const isGreedy = (worker.usage?.memoryBytes ?? 0) > RENDER_MEMORY
    worker.code = burning(worker.code, page.job.id, page.stage === 'render' ? page.mark : null, cpu)
    worker.parse = burning(worker.parse, page.job.id, page.parsed?.text ?? null, cpu)
    const parseSeconds = PARSE_SECONDS + ((page.parsed?.characters ?? 0) / 1e6) * PARSE_SECONDS_PER_MILLION
    const isLate =
      used > allowed ||
      (worker.code !== null && cpu - worker.code.cpu > CODE_SECONDS) ||
      (worker.parse !== null && cpu - worker.parse.cpu > parseSeconds) ||
      wall > Math.max(PAGE_WALL_SECONDS, allowed * 3)
    if (!isLate && !isGreedy) return
    log.warn({ file: page.job.request.file, stage: page.stage, used, isGreedy }, 'render.child_killed')
    worker.isDoomed = true
    worker.child.kill()
  }

  const bury = (worker: Worker) => {
    workers.delete(worker)
    if (workers.size === 0 && watch) {
      clearInterval(watch)
      watch = null
    }
    const [running, ...others] = worker.sent
    if (isClosed) return
    log.debug({ pid: worker.child.pid, words: worker.child.lastWords() }, 'render.child_gone')
    const isLost = isOurFault(worker)
    if (isLost) tellLost(worker)
    const again = running && (isLost || learn(running, worker.isDoomed)) ? [running] : []
    waiting.unshift(...again, ...others)
    const isHopeless = isLost && ++lost > MOST_LOST
    if (isHopeless || (!worker.isReady && ++failedStarts > children + 2)) giveUp(worker)
    else if (waiting.length > 0) hand()
  }

  const tellLost = ({ child, fault }: Worker) =>
    log.error({ pid: child.pid, why: fault ?? child.ending() }, 'render.child_killed_by_others')

  const giveUp = ({ child }: Worker) => {
    log.error({ why: child.ending(), words: child.lastWords() }, 'render.no_child_stays')
    const error = new MachineryError('the processes that render pages end before they are done')
    const left = [...waiting.splice(0), ...[...workers].flatMap(({ sent }) => sent.splice(0))]
    for (const page of left) page.settle.reject(error)
  }

  /** Changes the job by what killed the child; false when nothing is left to try. */
  const learn = (page: Page, isDoomed: boolean): boolean => {
    const { job, stage, mark } = page
    page.deaths += 1
    log.warn({ file: job.request.file, stage, mark, deaths: page.deaths }, 'render.child_lost')
    const isLearnt = learnText(page, isDoomed)
    const isHopeless =
      page.deaths >= MOST_DEATHS ||
      (stage === 'compile' && !isLearnt) ||
      (stage === 'render' && job.isCodeOff)
    if (isHopeless && page.deaths > 1) {
      const { request } = job
      const lost = lostPage(request.file, request.bodyLine, 'it takes too much time or memory')
      page.settle.resolve(plainBody(request, [lost]))
      return false
    }
    if (stage === 'highlight') job.isHighlightOff = true
    else if (stage === 'render' && !job.isGuarded) job.isGuarded = true
    if (stage === 'render' && mark !== null) job.disabled = [...job.disabled, mark]
    else if (stage === 'render' && page.deaths > 1) job.isCodeOff = true
    return true
  }

  /** True when a text is left out from now on. A child that others killed proves nothing the first time. */
  const learnText = (page: Page, isDoomed: boolean): boolean => {
    const text = page.parsed?.text ?? null
    const isGuilty = text !== null && (isDoomed || page.suspect === text) && unparsable.size < MOST_UNPARSABLE
    if (isGuilty) unparsable.add(text)
    page.parsed = null
    page.suspect = text
    return isGuilty
  }

  const submit = async (request: BodyRequest, signal: AbortSignal): Promise<RenderedBody> => {
    signal.throwIfAborted()
    const compiled: RenderJob['scripts'] = {}
    for (const { path, source } of request.modules) {
      if (scriptLoader(path)) compiled[path] = await scripts.compile(path, source)
    }
    signal.throwIfAborted()
    if (isClosed) throw new Error('the renderer is closed')
    const job: RenderJob = {
      id: ++lastId,
      request,
      scripts: compiled,
      disabled: [],
      isCodeOff: false,
      isHighlightOff,
      isGuarded: false,
      unparsed: [],
    }
    return await new Promise<RenderedBody>((resolve, reject) => {
      const page: Page = {
        job,
        deaths: 0,
        stage: 'compile',
        mark: null,
        parsed: null,
        suspect: null,
        settle: { resolve, reject },
      }
      const abort = () => {
        const index = waiting.indexOf(page)
        if (index !== -1) waiting.splice(index, 1)
        reject(signal.reason)
      }
      signal.addEventListener('abort', abort, { once: true })
      const settled = (done: () => void) => {
        signal.removeEventListener('abort', abort)
        done()
      }
      page.settle = {
        resolve: (body) => settled(() => resolve(body)),
        reject: (reason) => settled(() => reject(reason)),
      }
      waiting.push(page)
      hand()
    })
  }

  return {
    render: submit,
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      if (totals.pages > 0) log.debug(roundedTotals(totals), 'render.bodies_done')
      const closed = new Error('the renderer is closed')
      const open = [...waiting.splice(0), ...[...workers].flatMap((worker) => worker.sent)]
      for (const page of open) page.settle.reject(closed)
      const leaving = [...workers].map((worker) => {
        worker.child.kill()
        return worker.child.gone
      })
      await Promise.all(leaving)
    },
  }
}

/** The page that ran has nothing to do with its death. */
function isOurFault({ child, fault, usage }: Worker): boolean {
  if (fault !== null) return true
  const ending = child.ending()
  return ending === 'killed' && !endedByItsSize(ending, usage?.memoryBytes ?? 0, RENDER_MEMORY)
}

function burning(
  last: Burning | null,
  id: number,
  what: Burning['what'] | null,
  cpu: number,
): Burning | null {
  if (what === null) return null
  return last?.id === id && last.what === what ? last : { id, what, cpu }
}

function sizeOf(job: RenderJob): number {
  return job.request.modules.reduce((sum, module) => sum + module.source.length, job.request.source.length)
}

function roundedTotals(totals: StageTimes & { pages: number }): Record<string, number> {
  return Object.fromEntries(Object.entries(totals).map(([name, value]) => [name, Math.round(value)]))
}
