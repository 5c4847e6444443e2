/**
 * Runs page programs in V8 isolates. Pages with data only share an isolate; a page with author code gets a separate
 * one, so that its changes cannot affect the next page.
 */
import ivm from 'isolated-vm'
import { MachineryError } from '../../base/machinery-error.ts'
import type { Failure, PageOutcome, PageProgram } from '../tree/program.ts'

export type RunResult =
  | { kind: 'done'; outcome: PageOutcome }
  /** `mark` identifies the component that ran last; null if none was announced. */
  | { kind: 'stopped'; why: 'time' | 'memory' | 'failed'; message: string; mark: number | null }

export interface IsolateHost {
  run(program: PageProgram, options: { hasCode: boolean; onMark: (mark: number) => void }): RunResult
  [Symbol.dispose](): void
}

/** In megabytes. */
const DATA_MEMORY = 384
const CODE_MEMORY = 128
/** Processor time in milliseconds; data gets more in proportion to its size. */
const CODE_TIME = 1000
const DATA_TIME = 3000
const DATA_TIME_PER_MEGABYTE = 4000
/** Longest timeout tried, in wall-clock milliseconds. */
const LONGEST_TIMEOUT = 200_000
/** In characters; more than any legitimate page. */
const LONGEST_OUTCOME = 64_000_000
/** Different components of one page that run in the browser. */
const MOST_ISLANDS = 100
/** Components passed to one island. */
const MOST_GIVEN = 20

interface Room {
  isolate: ivm.Isolate
  render: ivm.Reference<(program: string, announce: unknown, deliver: unknown) => void>
  announce: ivm.Callback
  deliver: ivm.Callback
  last: { mark: number | null; outcome: string | null; onMark: (mark: number) => void }
}

/** The script that every isolate loads first, and V8's cached code of it, available after the first run. */
interface Compiled {
  prelude: string
  cachedData?: ivm.ExternalCopy<ArrayBuffer> | undefined
}

export function createIsolateHost(prelude: string): IsolateHost {
  const compiled: Compiled = { prelude }
  let shared: Room | null = null

  const open = (memoryLimit: number): Room => {
    try {
      return openRoom(compiled, memoryLimit)
    } catch (cause) {
      throw new MachineryError('the place that the code of pages runs in could not be made', { cause })
    }
  }

  const close = (room: Room) => {
    if (room === shared) shared = null
    if (!room.isolate.isDisposed) room.isolate.dispose()
  }

  const run: IsolateHost['run'] = (program, { hasCode, onMark }) => {
    const source = JSON.stringify(program)
    const extra = hasCode ? 0 : (source.length / 1e6) * DATA_TIME_PER_MEGABYTE
    const limit = Math.ceil((hasCode ? CODE_TIME : DATA_TIME) + extra)
    // The timeout of an isolate is in wall-clock time. It may expire early on a busy machine, and the result of a page
    // must not depend on that: a run that did not get its share of the processor is repeated with a longer timeout.
    for (let timeout = limit; ; timeout *= 3) {
      const room = hasCode ? open(CODE_MEMORY) : (shared ?? open(DATA_MEMORY))
      if (!hasCode) shared = room
      const before = timeUsed()
      const result = runOnce(room, source, { timeout, onMark })
      const used = timeUsed() - before
      if (hasCode || result.kind === 'stopped') close(room)
      const isLate = result.kind === 'stopped' && result.why === 'time'
      if (!isLate || used > limit * 0.8 || timeout > LONGEST_TIMEOUT) return result
    }
  }

  return {
    run,
    [Symbol.dispose]: () => {
      if (shared) close(shared)
    },
  }
}

/** Processor milliseconds of this thread, in which isolates run. Their own `cpuTime` is wall-clock time. */
function timeUsed(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function openRoom(compiled: Compiled, memoryLimit: number): Room {
  const { prelude, cachedData } = compiled
  const isolate = new ivm.Isolate({ memoryLimit })
  const script = isolate.compileScriptSync(prelude, cachedData ? { cachedData } : { produceCachedData: true })
  compiled.cachedData ??= (script as Pick<Compiled, 'cachedData'>).cachedData
  const context = isolate.createContextSync()
  script.runSync(context)
  const render = context.global.getSync('octavoRender', { reference: true }) as Room['render']
  context.global.deleteSync('octavoRender')
  const last: Room['last'] = { mark: null, outcome: null, onMark: () => {} }
  return {
    isolate,
    render,
    last,
    announce: new ivm.Callback((mark: unknown) => {
      if (typeof mark !== 'number' || mark === last.mark) return
      last.mark = mark
      last.onMark(mark)
    }),
    deliver: new ivm.Callback((outcome: unknown) => {
      if (last.outcome === null && typeof outcome === 'string' && outcome.length <= LONGEST_OUTCOME) {
        last.outcome = outcome
      }
    }),
  }
}

function runOnce(
  room: Room,
  source: string,
  options: { timeout: number; onMark: (mark: number) => void },
): RunResult {
  const { last } = room
  last.mark = null
  last.outcome = null
  last.onMark = options.onMark
  let thrown: string | null = null
  try {
    room.render.applySync(undefined, [source, room.announce, room.deliver], { timeout: options.timeout })
  } catch (error) {
    thrown = error instanceof Error ? error.message : String(error)
  }
  // Delivered before pending work of the page was stopped: the page itself is complete.
  const outcome = last.outcome === null ? null : readOutcome(last.outcome)
  if (outcome) return { kind: 'done', outcome }
  const message = thrown ?? 'it gave no result'
  const why = /timed out/i.test(message) ? 'time' : room.isolate.isDisposed ? 'memory' : 'failed'
  const mark = last.mark !== null && last.mark >= 0 ? last.mark : null
  return { kind: 'stopped', why, message: message.slice(0, 300), mark }
}

const FAILURES: readonly string[] = [
  'expression',
  'undefined_name',
  'unknown_component',
  'component',
  'browser_only',
  'module',
  'island',
] satisfies Failure['kind'][]

/** Validates the outcome field by field, because author code may have tampered with it. */
function readOutcome(text: string): PageOutcome | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(value) || typeof value.html !== 'string') return null
  return {
    html: value.html.toWellFormed(),
    headings: objects(value.headings).map((heading) => ({
      level: whole(heading.level),
      id: string(heading.id),
      text: string(heading.text),
      isInToc: heading.isInToc === true,
    })),
    codes: objects(value.codes).map((code) => ({
      code: string(code.code),
      language: string(code.language).slice(0, 60),
      highlight: numbers(code.highlight),
      focus: numbers(code.focus),
      lines: code.lines === true,
    })),
    updateTags: list(value.updateTags).map(string),
    usesMermaid: value.usesMermaid === true,
    islands: objects(value.islands)
      .slice(0, MOST_ISLANDS)
      .map((island) => ({
        module: string(island.module),
        name: string(island.name),
        given: list(island.given).slice(0, MOST_GIVEN).map(string),
      })),
    failures: objects(value.failures)
      .filter((failure) => FAILURES.includes(string(failure.kind)))
      .map((failure) => ({
        kind: string(failure.kind) as Failure['kind'],
        mark: whole(failure.mark),
        detail: string(failure.detail).slice(0, 300),
      })),
    parts: list(value.parts).map((ids) =>
      objects(ids).map(({ id, others }) => ({ id: string(id), others: list(others).map(string) })),
    ),
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, 100_000) : []
}

function objects(value: unknown): Record<string, unknown>[] {
  return list(value).filter(isObject)
}

function string(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : ''
}

function whole(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) ? value : -1
}

function numbers(value: unknown): number[] {
  return list(value).map(whole)
}
