/** Structured logs: each line is a named event (`export.built`) with fields. Loggers are passed in, never global. */
import { isatty } from 'node:tty'
import { pino } from 'pino'

export interface Log {
  debug(fields: object, event: string): void
  info(fields: object, event: string): void
  warn(fields: object, event: string): void
  error(fields: object, event: string): void
  child(fields: Record<string, unknown>): Log
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/**
 * Maximum amount of buffered output when writing fails, for example on a full disk. Beyond it, new lines are dropped.
 */
const MAX_BUFFERED_BYTES = 1 << 20

const MAX_BATCH_CHARACTERS = 16_384

/**
 * Logs to a file descriptor (2 is standard error): as text on a terminal, otherwise as JSON. Tolerates a descriptor
 * that is closed or full.
 */
export function createLog(level: LogLevel, { fd = 2, asText = isatty(fd) } = {}): Log {
  let open: Log | null = null
  const writer = () => {
    open ??= pino(
      {
        level,
        base: null,
        messageKey: 'event',
        formatters: { level: (label) => ({ level: label }) },
        timestamp: timeField,
      },
      asText ? formatAsText(openLineSink(fd)) : openLineSink(fd),
    )
    return open
  }
  return withFields(createRepeatFilter(writer), LEVELS.indexOf(level), {})
}

const REPEAT_WINDOW_MS = 60_000
/** Maximum number of different failures that are counted at the same time; further ones are logged immediately. */
const MAX_REPEATED = 200
/** Fields that only describe the failure. A line with any other field is always written. */
const FAILURE_FIELDS: ReadonlySet<string> = new Set(['error', 'err', 'cause', 'message'])

/**
 * While a component is unavailable, every loop that needs it fails with the same error, hundreds of times a
 * minute. Writes the first such line, then one line a minute with the number of lines since.
 */
function createRepeatFilter(writer: () => Log): () => Log {
  const repeated = new Map<string, { count: number; events: Record<string, number> }>()
  const report = (error: string) => {
    const { count, events } = repeated.get(error) ?? { count: 0, events: {} }
    repeated.delete(error)
    if (count > 0) writer().warn({ error, count, events }, 'log.repeated')
    return count > 0
  }
  const open = (error: string) => {
    repeated.set(error, { count: 0, events: {} })
    setTimeout(() => {
      if (report(error)) open(error)
    }, REPEAT_WINDOW_MS).unref()
  }
  const isRepeated = (fields: object, event: string) => {
    const error = failureOf(fields)
    if (error === null) return false
    const formattedFields = repeated.get(error)
    if (formattedFields === undefined) {
      if (repeated.size < MAX_REPEATED) open(error)
      return false
    }
    formattedFields.count++
    formattedFields.events[event] = (formattedFields.events[event] ?? 0) + 1
    return true
  }
  flushAtExit(() => {
    for (const error of [...repeated.keys()]) report(error)
  })
  const filter: Log = {
    debug: (fields, event) => writer().debug(fields, event),
    info: (fields, event) => writer().info(fields, event),
    warn: (fields, event) => void (isRepeated(fields, event) || writer().warn(fields, event)),
    error: (fields, event) => void (isRepeated(fields, event) || writer().error(fields, event)),
    child: () => filter, // fields are merged by withFields
  }
  return () => filter
}

/** Returns the error text of a line without any other field, or null. */
function failureOf(fields: object): string | null {
  const entries = Object.entries(fields)
  if (entries.length !== 1 || !FAILURE_FIELDS.has(entries[0]?.[0] ?? '')) return null
  const value: unknown = entries[0]?.[1]
  return value instanceof Error ? value.message : typeof value === 'string' ? value : null
}

type LineSink = { write(line: string): void }

/** Formats lines as `Warning: mail.failed (host: mx.example.com)`, followed by the stack of an error. */
function formatAsText(lines: LineSink): LineSink {
  return {
    write(line) {
      const { level, event, time: _, err, ...fields } = JSON.parse(line)
      const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
      const formattedFields = Object.entries(fields).map(([name, value]) => `${name}: ${toText(value)}`)
      const stack = err === undefined ? '' : `\n${err.stack ?? toText(err)}`
      const levelPrefix = { warn: 'Warning: ', error: 'Error: ' }[level as string] ?? ''
      lines.write(
        `${levelPrefix}${event}${formattedFields.length > 0 ? ` (${formattedFields.join(', ')})` : ''}${stack}\n`,
      )
    },
  }
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']

export function createLineWriter({ fd = 2, asText = isatty(fd) } = {}): (line: string) => void {
  const lines = asText ? formatAsText(openLineSink(fd)) : openLineSink(fd)
  return (line) => void lines.write(`${line}\n`)
}

/**
 * Buffers debug and info lines until the end of the current turn of the event loop, or the end of the process. Other
 * lines are written immediately, after those buffered before.
 */
function openLineSink(fd: number): LineSink {
  const lines = pino.destination({ fd, sync: true, maxLength: MAX_BUFFERED_BYTES })
  lines.on('error', () => {}) // there is nowhere to report it
  let buffered = ''
  const flush = () => {
    const text = buffered
    buffered = ''
    if (text !== '') lines.write(text)
  }
  flushAtExit(flush)
  return {
    write(line) {
      if (buffered === '') setImmediate(flush)
      buffered += line
      if (buffered.length > MAX_BATCH_CHARACTERS || !ROUTINE_LINE.test(line)) flush()
    },
  }
}

const ROUTINE_LINE = /^\{"level":"(?:info|debug)"/

const atExit: (() => void)[] = []
function flushAtExit(flush: () => void): void {
  if (atExit.length === 0)
    process.on('exit', () => {
      for (const each of atExit) each()
    })
  atExit.push(flush)
}

let time = { at: 0, field: '' }
function timeField(): string {
  const at = Date.now()
  if (at !== time.at) time = { at, field: `,"time":"${new Date(at).toISOString()}"` }
  return time.field
}

/** Replaces a repeated field, because the library would write it twice. */
function withFields(writer: () => Log, minLevel: number, boundFields: Record<string, unknown>): Log {
  const hasNoBoundFields = Object.keys(boundFields).length === 0
  const write = (level: 'debug' | 'info' | 'warn' | 'error') =>
    LEVELS.indexOf(level) < minLevel
      ? () => {}
      : (fields: object, event: string) =>
          writer()[level](hasNoBoundFields ? fields : { ...boundFields, ...fields }, event)
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => withFields(writer, minLevel, { ...boundFields, ...fields }),
  }
}

/** Logs Node's warnings and uncaught errors as log lines. The process ends after an uncaught error. */
export function logProcessErrors(log: Log): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => log.warn({ name, message }, 'process.warning'))
  process.on('uncaughtException', (err) => {
    log.error({ err }, 'process.failed')
    process.exit(1)
  })
}

export const silentLog: Log = createLog('silent')
