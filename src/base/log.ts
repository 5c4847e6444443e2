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
  const lines = pino.destination({ fd, sync: true, maxLength: HELD_BACK_BYTES })
  lines.on('error', () => {}) // there is nowhere to tell it
  return pino(
    {
      level,
      base: null,
      messageKey: 'event',
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    },
    lines,
  )
}

export const silentLog: Log = pino({ level: 'silent' })
