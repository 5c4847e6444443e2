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
const HELD_BACK_BYTES = 1 << 20

/** Maximum number of characters written together. */
const MOST_TOGETHER = 16_384

/** Logs to a file descriptor (2 is standard error), which may close or be full: as JSON, or as text on a terminal. */
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
      asText ? textLines(openLines(fd)) : openLines(fd),
    )
    return open
  }
  return withFields(createRepeatFilter(writer), LEVELS.indexOf(level), {})
}

const REPEATS_MS = 60_000
/** Different failures that are counted at once; further ones are written as they come. */
const MAX_REPEATED = 200
/** A line with other fields names what it is about, and each is written. */
const FAILURE_FIELDS: ReadonlySet<string> = new Set(['error', 'err', 'cause', 'message'])

/**
 * While a part is away, every loop that needs it fails with the same error, hundreds of times a minute. The first such
 * line is written, then one a minute with the number of those since.
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
    }, REPEATS_MS).unref()
  }
  const isRepeated = (fields: object, event: string) => {
    const error = failureOf(fields)
    if (error === null) return false
    const known = repeated.get(error)
    if (known === undefined) {
      if (repeated.size < MAX_REPEATED) open(error)
      return false
    }
    known.count++
    known.events[event] = (known.events[event] ?? 0) + 1
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

/** The text of a failure that names nothing else; null for all other lines. */
function failureOf(fields: object): string | null {
  const entries = Object.entries(fields)
  if (entries.length !== 1 || !FAILURE_FIELDS.has(entries[0]?.[0] ?? '')) return null
  const value: unknown = entries[0]?.[1]
  return value instanceof Error ? value.message : typeof value === 'string' ? value : null
}

type Lines = { write(line: string): void }

/** Formats lines as `Warning: mail.failed (host: mx.example.com)`, followed by the stack of an error. */
function textLines(lines: Lines): Lines {
  return {
    write(line) {
      const { level, event, time: _, err, ...fields } = JSON.parse(line)
      const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
      const known = Object.entries(fields).map(([name, value]) => `${name}: ${textOf(value)}`)
      const stack = err === undefined ? '' : `\n${err.stack ?? textOf(err)}`
      const word = { warn: 'Warning: ', error: 'Error: ' }[level as string] ?? ''
      lines.write(`${word}${event}${known.length > 0 ? ` (${known.join(', ')})` : ''}${stack}\n`)
    },
  }
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']

/** Writes JSON lines of another process's log. */
export function createLineWriter({ fd = 2, asText = isatty(fd) } = {}): (line: string) => void {
  const lines = asText ? textLines(openLines(fd)) : openLines(fd)
  return (line) => void lines.write(`${line}\n`)
}

/**
 * Buffers debug and info lines until the end of the current turn of the event loop, or the end of the process. Other
 * lines are written at once, after those buffered before.
 */
function openLines(fd: number): Lines {
  const lines = pino.destination({ fd, sync: true, maxLength: HELD_BACK_BYTES })
  lines.on('error', () => {}) // there is nowhere to report it
  let held = ''
  const flush = () => {
    const text = held
    held = ''
    if (text !== '') lines.write(text)
  }
  flushAtExit(flush)
  return {
    write(line) {
      if (held === '') setImmediate(flush)
      held += line
      if (held.length > MOST_TOGETHER || !CALM.test(line)) flush()
    },
  }
}

const CALM = /^\{"level":"(?:info|debug)"/

const atExit: (() => void)[] = []
function flushAtExit(flush: () => void): void {
  if (atExit.length === 0)
    process.on('exit', () => {
      for (const each of atExit) each()
    })
  atExit.push(flush)
}

/** Time field of a line, formatted once per millisecond. */
let time = { at: 0, field: '' }
function timeField(): string {
  const at = Date.now()
  if (at !== time.at) time = { at, field: `,"time":"${new Date(at).toISOString()}"` }
  return time.field
}

/** Replaces a field that is given again, because the library would write both. */
function withFields(writer: () => Log, least: number, own: Record<string, unknown>): Log {
  const isBare = Object.keys(own).length === 0
  const write = (level: 'debug' | 'info' | 'warn' | 'error') =>
    LEVELS.indexOf(level) < least
      ? () => {}
      : (fields: object, event: string) => writer()[level](isBare ? fields : { ...own, ...fields }, event)
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => withFields(writer, least, { ...own, ...fields }),
  }
}

/** Logs Node's warnings and uncaught errors as log lines. The process ends after an uncaught error. */
export function logOwnFaults(log: Log): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => log.warn({ name, message }, 'process.warning'))
  process.on('uncaughtException', (err) => {
    log.error({ err }, 'process.failed')
    process.exit(1)
  })
}

export const silentLog: Log = createLog('silent')
