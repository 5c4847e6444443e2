/**
 * Renders page bodies in disposable child processes.
 *
 * A page is in one of these states, in this order:
 *   waiting   not assigned to a child
 *   sent      assigned to a child, which renders its pages in order, so its first page is being rendered
 *   answered  its promise is settled
 * When a child dies or is killed, all its pages return to waiting. The job of the page that was being rendered is
 * changed to exclude the cause, unless the page did not cause the death. The jobs of other pages are unchanged. After
 * too many deaths in a row that no page has caused, all pages are rejected with InternalError.
 */

import { InternalError } from '../../base/internal-error.ts'
import type { Log } from '../../base/log.ts'
import { silentLog } from '../../base/log.ts'
import { PAGE_LIMITS, RENDER_MEMORY_BYTES } from '../../sandbox/limits.ts'
import { wasKilledForMemory } from '../../sandbox/process-end.ts'
import type { Usage } from '../../sandbox/usage.ts'
import { createScriptCompiler, scriptLoader } from '../compile/compile-script.ts'
import { readBundleText } from '../machinery/own-bundles.ts'
import type { BodyRenderer, BodyRequest, ReceivedBody } from '../page/body.ts'
import { createLostPageProblem, createPlainBody } from '../page/plain-body.ts'
import { type PrestartedChild, type RenderChild, startRenderChild } from './child-process.ts'
import type { FromChild, RenderJob, RenderStage, StageTimes } from './protocol.ts'

/** Starting a process takes as long as rendering this many pages, so each process should render more. */
const PAGES_PER_CHILD = 100
/** Number of pages queued in a child, so that it can continue without waiting. */
const MAX_QUEUED_PAGES = 3
/** A page that has killed this many children is shown as plain text. */
const MAX_CHILD_DEATHS = 6
/** Maximum number of children lost in a row to failures that no page has caused. */
const MAX_LOST_CHILDREN = 5
/** Maximum number of stored hashes. Pages with further unparsable texts are shown as plain text. */
const MAX_UNPARSABLE_TEXTS = 1000
/** Share of a processor that a running process exceeds even on a busy machine. */
const MIN_CPU_SHARE = 0.005
/** Processor seconds after which a child is replaced, so that it does not reach its system limit during a page. */
const MAX_CHILD_SECONDS = 300
const WATCH_INTERVAL_MS = 100

interface Page {
  job: RenderJob
  json: Uint8Array
  deathCount: number
  stage: RenderStage
  mark: number | null
  parsed: { text: string; characters: number } | null
  /** Hash of the text that was being parsed when the last child died. */
  suspect: string | null
  settle: { resolve(body: ReceivedBody): void; reject(reason: unknown): void }
}

interface Worker {
  child: RenderChild
  isReady: boolean
  isTerminating: boolean
  /** Internal error reported by the child. */
  fault: string | null
  sent: Page[]
  usage: Usage | null
  isChecking: boolean
  /** Processor seconds at the first measurement of the current page, and wall-clock seconds at its start. */
  startedAt: { cpu: number | null; wall: number }
  /** Author code that is running, identified by its mark. */
  code: RunningStep | null
  /** Parser that is running, identified by the hash of the text. */
  parse: RunningStep | null
}

export interface BodyRendererOptions {
  /** Maximum number of processes. */
  children: number
  log?: Log
  /** Whether to skip syntax highlighting, which takes most of the time and never causes problems to report. */
  isHighlightOff?: boolean
  ahead?: PrestartedChild | null
}

export function openBodyRenderer(options: BodyRendererOptions): BodyRenderer {
  return new BodyPool(options)
}

export function chooseChildCount(children: number, pages = Number.POSITIVE_INFINITY): number {
  return Math.max(1, Math.min(children, Math.ceil(pages / PAGES_PER_CHILD)))
}

class BodyPool implements BodyRenderer {
  readonly #children: number
  readonly #log: Log
  readonly #isHighlightOff: boolean
  readonly #ahead: PrestartedChild | null
  readonly #scripts: ReturnType<typeof createScriptCompiler>
  readonly #waiting: Page[] = []
  readonly #workers = new Set<Worker>()
  /** Hashes of texts that killed a child. Shared, because several pages may include the same text. */
  readonly #unparsable = new Set<string>()
  readonly #totals: StageTimes & { pages: number } = { compile: 0, render: 0, highlight: 0, pages: 0 }
  #watch: NodeJS.Timeout | null = null
  #lastId = 0
  #isClosed = false
  #failedStarts = 0
  #lost = 0

  constructor({ children, log = silentLog, isHighlightOff = false, ahead = null }: BodyRendererOptions) {
    this.#children = children
    this.#log = log
    this.#isHighlightOff = isHighlightOff
    this.#ahead = ahead
    this.#scripts = createScriptCompiler(log)
  }

  #start(): void {
    const receive = (message: FromChild, attached: Buffer) => this.#receive(worker, message, attached)
    const worker: Worker = {
      child: this.#ahead?.claim(receive) ?? startRenderChild(receive),
      isReady: false,
      isTerminating: false,
      fault: null,
      sent: [],
      usage: null,
      isChecking: false,
      startedAt: { cpu: null, wall: performance.now() / 1000 },
      code: null,
      parse: null,
    }
    this.#workers.add(worker)
    this.#watch ??= setInterval(() => this.#lookAtAll(), WATCH_INTERVAL_MS)
    void worker.child.exited.then(() => this.#bury(worker))
    readBundleText('prelude.js').then(
      (source) => worker.child.send({ kind: 'prelude', source }),
      (error: unknown) => {
        for (const page of this.#waiting.splice(0)) page.settle.reject(error)
        worker.child.kill()
      },
    )
  }

  #hand(): void {
    if (this.#isClosed) return
    while (this.#workers.size < Math.max(1, this.#children) && this.#waiting.length > this.#room())
      this.#start()
    for (let depth = 0; depth < MAX_QUEUED_PAGES && this.#waiting.length > 0; depth++) {
      for (const worker of this.#workers) {
        if (!worker.isReady || worker.isTerminating || worker.sent.length > depth || this.#isWornOut(worker))
          continue
        const page = this.#waiting.shift()
        if (!page) return
        if (worker.sent.length === 0) this.#begin(worker)
        page.job.unparsed = [...this.#unparsable]
        worker.sent.push(page)
        const { request: _, ...instructions } = page.job
        worker.child.send({ kind: 'render', ...instructions }, page.json)
      }
    }
  }

  /** Number of pages that can still be queued in the current children. */
  #room(): number {
    let room = 0
    for (const worker of this.#workers)
      if (!worker.isTerminating && !this.#isWornOut(worker)) room += MAX_QUEUED_PAGES - worker.sent.length
    return room
  }

  #isWornOut(worker: Worker): boolean {
    return (worker.usage?.cpuSeconds ?? 0) > MAX_CHILD_SECONDS
  }

  #begin(worker: Worker): void {
    worker.startedAt = { cpu: null, wall: performance.now() / 1000 }
  }

  #receive(worker: Worker, message: FromChild, attached: Buffer): void {
    if (message.kind === 'ready') {
      worker.isReady = true
      this.#failedStarts = 0
      this.#hand()
      return
    }
    const page = worker.sent[0]
    if (!page || message.kind === 'sampled' || page.job.id !== message.id) return
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
    } else if (message.kind === 'done') {
      const body = JSON.parse(attached.toString())
      this.#lost = 0
      worker.sent.shift()
      for (const stage of ['compile', 'render', 'highlight'] as const)
        this.#totals[stage] += message.times[stage]
      this.#totals.pages += 1
      page.settle.resolve({ body, json: attached })
      this.#begin(worker)
      if (worker.sent.length === 0 && this.#isWornOut(worker)) worker.child.kill()
      this.#hand()
    }
  }

  #lookAtAll(): void {
    for (const worker of this.#workers) void this.#look(worker)
  }

  async #look(worker: Worker): Promise<void> {
    if (worker.isChecking || worker.sent.length === 0) return
    worker.isChecking = true
    worker.usage = await worker.child.usage().catch(() => null)
    worker.isChecking = false
    this.#check(worker)
  }

  #check(worker: Worker): void {
    const page = worker.sent[0]
    if (!page || worker.isTerminating) return
    const cpu = worker.usage?.cpuSeconds ?? 0
    worker.startedAt.cpu ??= cpu
    const used = cpu - worker.startedAt.cpu
    const wall = performance.now() / 1000 - worker.startedAt.wall
    const allowed = PAGE_LIMITS.cpuSeconds + (measureJob(page.job) / 1e6) * PAGE_LIMITS.cpuSecondsPerMegabyte
    const mayWait = worker.usage === null || used < wall * MIN_CPU_SHARE
    const isOverMemory = (worker.usage?.memoryBytes ?? 0) > RENDER_MEMORY_BYTES
    worker.code = trackRunningStep(worker.code, page.job.id, page.stage === 'render' ? page.mark : null, cpu)
    worker.parse = trackRunningStep(worker.parse, page.job.id, page.parsed?.text ?? null, cpu)
    const parseSeconds =
      PAGE_LIMITS.parseSeconds +
      ((page.parsed?.characters ?? 0) / 1e6) * PAGE_LIMITS.parseSecondsPerMillionCharacters
    const isLate =
      used > allowed ||
      (worker.code !== null && cpu - worker.code.cpu > PAGE_LIMITS.codeSeconds) ||
      (worker.parse !== null && cpu - worker.parse.cpu > parseSeconds) ||
      (mayWait && wall > Math.max(PAGE_LIMITS.wallSeconds, allowed * 3))
    if (!isLate && !isOverMemory) return
    this.#log.warn(
      { file: page.job.request.file, stage: page.stage, used, isGreedy: isOverMemory },
      'render.child_killed',
    )
    worker.isTerminating = true
    worker.child.kill()
  }

  #bury(worker: Worker): void {
    this.#workers.delete(worker)
    if (this.#workers.size === 0 && this.#watch) {
      clearInterval(this.#watch)
      this.#watch = null
    }
    const [running, ...others] = worker.sent
    if (this.#isClosed) return
    this.#log.debug({ pid: worker.child.pid, words: worker.child.stderrTail() }, 'render.child_gone')
    const isLost = isUnrelatedToPage(worker)
    if (isLost) this.#tellLost(worker)
    const retried = running && (isLost || this.#learn(running, worker.isTerminating)) ? [running] : []
    this.#waiting.unshift(...retried, ...others)
    const isHopeless = isLost && ++this.#lost > MAX_LOST_CHILDREN
    if (isHopeless || (!worker.isReady && ++this.#failedStarts > this.#children + 2)) this.#giveUp(worker)
    else if (this.#waiting.length > 0) this.#hand()
  }

  #tellLost({ child, fault }: Worker): void {
    this.#log.error({ pid: child.pid, why: fault ?? child.ending() }, 'render.child_killed_by_others')
  }

  #giveUp({ child }: Worker): void {
    this.#log.error({ why: child.ending(), words: child.stderrTail() }, 'render.no_child_stays')
    const error = new InternalError('the render processes keep crashing')
    for (const page of this.#takeAllPages()) page.settle.reject(error)
  }

  #takeAllPages(): Page[] {
    return [...this.#waiting.splice(0), ...[...this.#workers].flatMap(({ sent }) => sent.splice(0))]
  }

  /** Excludes the part of a page that killed a child. Returns false if nothing is left to exclude. */
  #learn(page: Page, isTerminating: boolean): boolean {
    const { job, stage, mark } = page
    page.deathCount += 1
    this.#log.warn({ file: job.request.file, stage, mark, deaths: page.deathCount }, 'render.child_lost')
    const isTextExcluded = this.#learnText(page, isTerminating)
    const isHopeless =
      page.deathCount >= MAX_CHILD_DEATHS ||
      (stage === 'compile' && !isTextExcluded) ||
      (stage === 'render' && job.isCodeOff)
    if (isHopeless && page.deathCount > 1) {
      const { request } = job
      const fault = createLostPageProblem(request.file, request.bodyLine, 'it takes too much time or memory')
      const body = createPlainBody(request, [fault])
      page.settle.resolve({ body, json: Buffer.from(JSON.stringify(body)) })
      return false
    }
    if (stage === 'highlight') job.isHighlightOff = true
    else if (stage === 'render' && !job.isGuarded) job.isGuarded = true
    if (stage === 'render' && mark !== null) job.disabled = [...job.disabled, mark]
    else if (stage === 'render' && page.deathCount > 1) job.isCodeOff = true
    return true
  }

  /**
   * Excludes the text that was being parsed, if any. Returns whether it was excluded. If another program killed the
   * child, the text is excluded only when this happens twice with the same text.
   */
  #learnText(page: Page, isTerminating: boolean): boolean {
    const text = page.parsed?.text ?? null
    const isCausedByText =
      text !== null &&
      (isTerminating || page.suspect === text) &&
      this.#unparsable.size < MAX_UNPARSABLE_TEXTS
    if (isCausedByText) this.#unparsable.add(text)
    page.parsed = null
    page.suspect = text
    return isCausedByText
  }

  async render(request: BodyRequest, signal: AbortSignal, json?: Uint8Array): Promise<ReceivedBody> {
    signal.throwIfAborted()
    const scripts: RenderJob['scripts'] = {}
    for (const { path, source } of request.modules) {
      if (scriptLoader(path)) scripts[path] = await this.#scripts.compile(path, source)
    }
    signal.throwIfAborted()
    if (this.#isClosed) throw new Error('the renderer is closed')
    return await this.#enqueue(
      {
        id: ++this.#lastId,
        request,
        scripts,
        disabled: [],
        isCodeOff: false,
        isHighlightOff: this.#isHighlightOff,
        isGuarded: false,
        unparsed: [],
      },
      json ?? Buffer.from(JSON.stringify(request)),
      signal,
    )
  }

  #enqueue(job: RenderJob, json: Uint8Array, signal: AbortSignal): Promise<ReceivedBody> {
    const { promise, resolve, reject } = Promise.withResolvers<ReceivedBody>()
    const page: Page = {
      job,
      json,
      deathCount: 0,
      stage: 'compile',
      mark: null,
      parsed: null,
      suspect: null,
      settle: { resolve, reject },
    }
    const abort = () => {
      const index = this.#waiting.indexOf(page)
      if (index !== -1) this.#waiting.splice(index, 1)
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    this.#waiting.push(page)
    this.#hand()
    return promise.finally(() => signal.removeEventListener('abort', abort))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#totals.pages > 0) this.#log.debug(roundTotals(this.#totals), 'render.bodies_done')
    const closed = new Error('the renderer is closed')
    for (const page of this.#takeAllPages()) page.settle.reject(closed)
    const exits = [...this.#workers].map(({ child }) => {
      child.kill()
      return child.exited
    })
    await Promise.all(exits)
  }
}

/** Returns whether the child died for a reason other than the current page. */
function isUnrelatedToPage({ child, fault, usage }: Worker): boolean {
  if (fault !== null) return true
  const ending = child.ending()
  return ending === 'killed' && !wasKilledForMemory(ending, usage?.memoryBytes ?? 0, RENDER_MEMORY_BYTES)
}

function measureJob(job: RenderJob): number {
  return job.request.modules.reduce((sum, module) => sum + module.source.length, job.request.source.length)
}

function roundTotals(totals: StageTimes & { pages: number }): Record<string, number> {
  return Object.fromEntries(Object.entries(totals).map(([name, value]) => [name, Math.round(value)]))
}

/** Step that is running, and the processor seconds when it was first measured. */
interface RunningStep {
  id: number
  stepKey: number | string
  cpu: number
}

/** Returns the running step. `stepKey` is null if no step is running. */
function trackRunningStep(
  last: RunningStep | null,
  id: number,
  stepKey: RunningStep['stepKey'] | null,
  cpu: number,
): RunningStep | null {
  if (stepKey === null) return null
  return last?.id === id && last.stepKey === stepKey ? last : { id, stepKey, cpu }
}
