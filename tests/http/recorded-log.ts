/** A log that records its lines and can wait for an expected one. */
import type { Log } from '../../src/base/log.ts'

export type LogLine = { event: string; level: string } & Record<string, unknown>

export interface RecordedLog extends Log {
  readonly lines: readonly LogLine[]
  /** Resolves with the next matching line; lines logged before the call do not count. */
  next(event: string, fits?: (line: LogLine) => boolean): Promise<LogLine>
}

export function recordLog(): RecordedLog {
  const lines: LogLine[] = []
  const waiting = new Set<(line: LogLine) => void>()
  const write = (level: string) => (fields: object, event: string) => {
    const line: LogLine = { ...fields, event, level }
    lines.push(line)
    for (const look of waiting) look(line)
  }
  const log: RecordedLog = {
    lines,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => log,
    next(event, fits = () => true) {
      const { promise, resolve } = Promise.withResolvers<LogLine>()
      const look = (line: LogLine) => {
        if (line.event !== event || !fits(line)) return
        waiting.delete(look)
        resolve(line)
      }
      waiting.add(look)
      return promise
    },
  }
  return log
}
