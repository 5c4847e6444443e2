/**
 * Runs page programs in V8 isolates. Pages without author code share an isolate. A page with author code runs
 * in a separate one, so that it cannot affect other pages.
 */

import ivm from 'isolated-vm'
import { InternalError } from '../../base/internal-error.ts'
import { PAGE_ISOLATE } from '../../sandbox/limits.ts'
import type { Failure, PageOutcome, PageProgram } from '../tree/program.ts'

export type RunResult =
  | { kind: 'done'; outcome: PageOutcome }
  /** `mark` identifies the last component that ran, if any. */
  | { kind: 'stopped'; why: 'time' | 'memory' | 'failed'; message: string; mark: number | null }

export interface IsolateHost {
  run(program: PageProgram, options: { hasCode: boolean; onMark: (mark: number) => void }): RunResult
  [Symbol.dispose](): void
}

/** Maximum timeout of the last attempt, in wall-clock milliseconds. */
const MAX_TIMEOUT_MS = 200_000
/** Maximum number of characters. Sufficient for any legitimate page. */
const MAX_OUTCOME_CHARACTERS = 64_000_000
/** Maximum number of different components of a page that run in the browser. */
const MAX_ISLANDS = 100
/** Maximum number of components passed to an island. */
const MAX_GIVEN_COMPONENTS = 20

interface IsolateSession {
  isolate: ivm.Isolate
  render: ivm.Reference<(program: string, announce: unknown, deliver: unknown) => void>
  announce: ivm.Callback
  deliver: ivm.Callback
  last: { mark: number | null; outcome: string | null; onMark: (mark: number) => void }
}

/** Script loaded by every isolate, with V8's code cache, which is available after the first run. */
interface CompiledPrelude {
  prelude: string
  cachedData?: ivm.ExternalCopy<ArrayBuffer> | undefined
}

export function createIsolateHost(prelude: string): IsolateHost {
  const compiled: CompiledPrelude = { prelude }
  let shared: IsolateSession | null = null

  const open = (memoryLimit: number): IsolateSession => {
    try {
      return openSession(compiled, memoryLimit)
    } catch (cause) {
      throw new InternalError('the isolate for page code could not be created', { cause })
    }
  }

  const close = (session: IsolateSession) => {
    if (session === shared) shared = null
    if (!session.isolate.isDisposed) session.isolate.dispose()
  }

  const run: IsolateHost['run'] = (program, { hasCode, onMark }) => {
    const source = JSON.stringify(program)
    const extra = hasCode ? 0 : (source.length / 1e6) * PAGE_ISOLATE.dataTimeoutMsPerMegabyte
    const limit = Math.ceil((hasCode ? PAGE_ISOLATE.codeTimeoutMs : PAGE_ISOLATE.dataTimeoutMs) + extra)
    // Timeouts of isolates are in wall-clock time and may expire early on a busy machine. To make the result
    // independent of that, a run that received too little processor time is repeated with a longer timeout.
    for (let timeout = limit; ; timeout *= 3) {
      const session = hasCode ? open(PAGE_ISOLATE.codeMemoryMb) : (shared ?? open(PAGE_ISOLATE.dataMemoryMb))
      if (!hasCode) shared = session
      const before = measureThreadTime()
      const result = runOnce(session, source, { timeout, onMark })
      const used = measureThreadTime() - before
      if (hasCode || result.kind === 'stopped') close(session)
      const isLate = result.kind === 'stopped' && result.why === 'time'
      if (!isLate || used > limit * 0.8 || timeout > MAX_TIMEOUT_MS) return result
    }
  }

  return {
    run,
    [Symbol.dispose]: () => {
      if (shared) close(shared)
    },
  }
}

/** Returns processor milliseconds of this thread, where isolates run. An isolate's `cpuTime` is wall-clock time. */
function measureThreadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function openSession(compiled: CompiledPrelude, memoryLimit: number): IsolateSession {
  const { prelude, cachedData } = compiled
  const isolate = new ivm.Isolate({ memoryLimit })
  const script = isolate.compileScriptSync(prelude, cachedData ? { cachedData } : { produceCachedData: true })
  compiled.cachedData ??= (script as Pick<CompiledPrelude, 'cachedData'>).cachedData
  const context = isolate.createContextSync()
  script.runSync(context)
  const render = context.global.getSync('octavoRender', { reference: true }) as IsolateSession['render']
  context.global.deleteSync('octavoRender')
  const last: IsolateSession['last'] = { mark: null, outcome: null, onMark: () => {} }
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
      if (last.outcome === null && typeof outcome === 'string' && outcome.length <= MAX_OUTCOME_CHARACTERS) {
        last.outcome = outcome
      }
    }),
  }
}

function runOnce(
  session: IsolateSession,
  source: string,
  options: { timeout: number; onMark: (mark: number) => void },
): RunResult {
  const { last } = session
  last.mark = null
  last.outcome = null
  last.onMark = options.onMark
  let thrown: string | null = null
  try {
    session.render.applySync(undefined, [source, session.announce, session.deliver], {
      timeout: options.timeout,
    })
  } catch (error) {
    thrown = error instanceof Error ? error.message : String(error)
  }
  // The page was delivered before its pending work was stopped, so the page is complete.
  const outcome = last.outcome === null ? null : readOutcome(last.outcome)
  if (outcome) return { kind: 'done', outcome }
  const message = thrown ?? 'it returned no result'
  const why = /timed out/i.test(message) ? 'time' : session.isolate.isDisposed ? 'memory' : 'failed'
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

/** Validates each field of the outcome, because author code may have changed it. */
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
    headings: asObjects(value.headings).map((heading) => ({
      level: asInteger(heading.level),
      id: asString(heading.id),
      text: asString(heading.text),
      isInToc: heading.isInToc === true,
    })),
    codes: asObjects(value.codes).map((code) => ({
      code: asString(code.code),
      language: asString(code.language).slice(0, 60),
      highlight: asNumbers(code.highlight),
      focus: asNumbers(code.focus),
      lines: code.lines === true,
    })),
    updateTags: asList(value.updateTags).map(asString),
    usesMermaid: value.usesMermaid === true,
    islands: asObjects(value.islands)
      .slice(0, MAX_ISLANDS)
      .map((island) => ({
        module: asString(island.module),
        name: asString(island.name),
        given: asList(island.given).slice(0, MAX_GIVEN_COMPONENTS).map(asString),
      })),
    failures: asObjects(value.failures)
      .filter((failure) => FAILURES.includes(asString(failure.kind)))
      .map((failure) => ({
        kind: asString(failure.kind) as Failure['kind'],
        mark: asInteger(failure.mark),
        detail: asString(failure.detail).slice(0, 300),
      })),
    parts: asList(value.parts).map((ids) =>
      asObjects(ids).map(({ id, others }) => ({ id: asString(id), others: asList(others).map(asString) })),
    ),
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, 100_000) : []
}

function asObjects(value: unknown): Record<string, unknown>[] {
  return asList(value).filter(isObject)
}

function asString(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : ''
}

function asInteger(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) ? value : -1
}

function asNumbers(value: unknown): number[] {
  return asList(value).map(asInteger)
}
