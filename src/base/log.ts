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

/** Logs as JSON lines to the file descriptor (2 is standard error). */
export function createLog(level: LogLevel, fd = 2): Log {
  return pino(
    {
      level,
      base: null,
      messageKey: 'event',
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    },
    pino.destination({ fd, sync: true }),
  )
}

export const silentLog: Log = pino({ level: 'silent' })
