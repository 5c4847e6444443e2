/** Runs a script of a page in a separate isolate with a console and timers, but no network and no files. */
import { stripTypeScriptTypes } from 'node:module'
import ivm from 'isolated-vm'
import { failedSample, type SampleResult } from '../bodies/protocol.ts'

const MEMORY_MB = 64
/** Limit of processor milliseconds for the script and its timers. */
const TIMEOUT_MS = 1000
/** Maximum timeout for retries on a busy machine, since timeouts of isolates are in wall-clock time. */
const MAX_TIMEOUT_MS = 30_000
const MAX_TIMERS = 1000
const MAX_OUTPUT_CHARACTERS = 20_000

/** Replaces timers: their callbacks run in order after the script, without a delay. */
const PRELUDE = `(() => {
  const lines = []
  let size = 0
  const seen = []
  const shown = (value, isInner) => {
    if (typeof value === 'string') return isInner ? JSON.stringify(value) : value
    if (typeof value === 'bigint') return value + 'n'
    if (typeof value === 'function') return '[Function: ' + (value.name || 'anonymous') + ']'
    if (typeof value !== 'object' || value === null) return String(value)
    if (value instanceof Error) return value.name + ': ' + value.message
    if (seen.includes(value) || seen.length > 8) return '[Circular]'
    seen.push(value)
    try {
      if (value instanceof Date) return value.toISOString()
      if (value instanceof Map) return 'Map(' + value.size + ') ' + shown(Object.fromEntries(value), true)
      if (value instanceof Set) return 'Set(' + value.size + ') ' + shown([...value], true)
      if (Array.isArray(value)) return value.length === 0 ? '[]' : '[ ' + value.map((one) => shown(one, true)).join(', ') + ' ]'
      const entries = Object.entries(value)
      return entries.length === 0 ? '{}' : '{ ' + entries.map(([key, one]) => key + ': ' + shown(one, true)).join(', ') + ' }'
    } finally {
      seen.pop()
    }
  }
  const print = (...values) => {
    const line = values.map((value) => shown(value, false)).join(' ')
    size += line.length + 1
    if (size <= ${MAX_OUTPUT_CHARACTERS}) lines.push(line)
  }
  globalThis.console = { log: print, info: print, warn: print, error: print, debug: print }
  const timers = []
  let last = 0
  let now = 0
  const start = (isRepeated) => (work, wait = 0, ...values) => {
    timers.push({ id: ++last, at: now + Math.max(1, Number(wait) || 0), work, values, every: isRepeated ? Math.max(1, Number(wait) || 0) : null })
    return last
  }
  const stop = (id) => {
    const at = timers.findIndex((timer) => timer.id === id)
    if (at >= 0) timers.splice(at, 1)
  }
  globalThis.setTimeout = start(false)
  globalThis.setInterval = start(true)
  globalThis.clearTimeout = globalThis.clearInterval = stop
  let failure = null
  globalThis.octavoSettle = (error) => {
    failure ??= { message: String((error && error.name ? error.name + ': ' : '') + (error && error.message !== undefined ? error.message : error)), stack: String((error && error.stack) || '') }
  }
  return {
    tick() {
      timers.sort((a, b) => a.at - b.at || a.id - b.id)
      const timer = timers.shift()
      if (!timer) return false
      now = timer.at
      if (timer.every !== null) timers.push({ ...timer, at: now + timer.every })
      try {
        timer.work(...timer.values)
      } catch (error) {
        octavoSettle(error)
      }
      return true
    },
    result: () => JSON.stringify({ output: lines.join('\\n'), failure }),
  }
})()`

export function runSample({ code, isTyped }: { code: string; isTyped: boolean }): SampleResult {
  let script: string
  try {
    script = isTyped ? stripTypeScriptTypes(code) : code
  } catch (error) {
    return failedSample(describe(error))
  }
  const imported = script.split('\n').findIndex((line) => /^\s*import\b|\brequire\s*\(/.test(line))
  if (imported >= 0) return failedSample('Samples cannot import packages', imported + 1)
  script = script.replace(/^([ \t]{0,40})export (?:default )?/gm, '$1')
  for (let timeout = TIMEOUT_MS; ; timeout *= 3) {
    const before = process.threadCpuUsage()
    const result = runOnce(script, timeout)
    const used = process.threadCpuUsage(before)
    if (result !== 'late') return result
    if ((used.user + used.system) / 1000 > TIMEOUT_MS * 0.8 || timeout > MAX_TIMEOUT_MS)
      return failedSample(`It runs for more than ${TIMEOUT_MS / 1000} second`)
  }
}

function runOnce(script: string, timeout: number): SampleResult | 'late' {
  const isolate = new ivm.Isolate({ memoryLimit: MEMORY_MB })
  try {
    return runInIsolate(isolate, script, timeout)
  } catch (error) {
    if (isolate.isDisposed) return failedSample(`It uses more than ${MEMORY_MB} MB of memory`)
    const { message } = error as Error
    if (/timed out/i.test(message)) return 'late'
    return failedSample(describe(error), parseSampleLine((error as Error).stack ?? ''))
  } finally {
    if (!isolate.isDisposed) isolate.dispose()
  }
}

function runInIsolate(isolate: ivm.Isolate, script: string, timeout: number): SampleResult {
  const context = isolate.createContextSync()
  const host = context.evalSync(PRELUDE, { reference: true }) as ivm.Reference<Record<string, () => unknown>>
  const [tick, result] = ['tick', 'result'].map(
    (name) => host.getSync(name, { reference: true }) as ivm.Reference,
  )
  // Written on one line, so that line numbers in errors are those of the sample.
  const end = performance.now() + timeout
  const remaining = () => ({ timeout: Math.max(1, Math.ceil(end - performance.now())) })
  const wrapped = `(async () => {${script}\n})().catch(octavoSettle); undefined`
  isolate.compileScriptSync(wrapped, { filename: 'sample.js' }).runSync(context, remaining())
  for (let count = 0; count < MAX_TIMERS; count++)
    if (tick?.applySync(undefined, [], remaining()) !== true) break
  const text = result?.applySync(undefined, [], remaining())
  const { output, failure } = JSON.parse(String(text)) as {
    output: unknown
    failure: { message: unknown; stack: unknown } | null
  }
  return {
    output: String(output).slice(0, MAX_OUTPUT_CHARACTERS),
    error: failure && {
      message: clean(String(failure.message)),
      line: parseSampleLine(String(failure.stack)),
    },
  }
}

function describe(error: unknown): string {
  return clean(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
}

function clean(message: string): string {
  const [own = ''] = message.split(' [sample.js', 1)
  return own.slice(0, 300).toWellFormed()
}

function parseSampleLine(stack: string): number | null {
  const line = /sample\.js:(\d{1,6})/.exec(stack.slice(0, 5000))?.[1]
  return line === undefined ? null : Number(line)
}
