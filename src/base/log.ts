/** Structured logs: each line is a named event (`export.built`) with fields. Loggers are passed in, never global. */
import { pino } from 'pino'

export interface Log {
  debug(fields: object, event: string): void
  info(fields: object, event: string): void
  warn(fields: object, event: string): void
  error(fields: object, event: string): void
  child(fields: Record<string, unknown>): Log
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** What cannot be written for now, a full disk for one, waits in memory up to this length, then new lines are left out. */
const HELD_BACK_BYTES = 1 << 20

/** Logs as JSON lines to the file descriptor (2 is standard error). Where it leads to may go away or be full. */
export function createLog(level: LogLevel, fd = 2): Log {
  const writer = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    },
    openLines(fd),
  )
  return withFields(writer, {})
}

/** For lines of another process's log, as they are. */
export function createLineWriter(fd = 2): (line: string) => void {
  const lines = openLines(fd)
  return (line) => void lines.write(`${line}\n`)
}

function openLines(fd: number) {
  const lines = pino.destination({ fd, sync: true, maxLength: HELD_BACK_BYTES })
  lines.on('error', () => {}) // there is nowhere to tell it
  return lines
}

/** A field that is given again replaces the one before: the library would write both. */
function withFields(writer: Log, own: Record<string, unknown>): Log {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, event: string) =>
    writer[level]({ ...own, ...fields }, event)
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => withFields(writer, { ...own, ...fields }),
  }
}

/** What Node itself would write as plain lines becomes lines of the log; after an error that nobody caught, the process ends. */
export function logOwnFaults(log: Log): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => log.warn({ name, message }, 'process.warning'))
  process.on('uncaughtException', (err) => {
    log.error({ err }, 'process.failed')
    process.exit(1)
  })
}

export const silentLog: Log = pino({ level: 'silent' })
