/** What `octavo doctor` finds, and whom it looks at. */
import type { Config, Secrets } from '../config/config.ts'
import type { RunningServer } from '../operator/running-servers.ts'

export interface Finding {
  /** What was looked at: a stable word. */
  check: string
  state: 'ok' | 'warning' | 'fault'
  message: string
  /** What to do; null when all is well. */
  remedy: string | null
}

export interface Patient {
  config: Config
  secrets: Secrets
  /** The one on this data folder. */
  server: RunningServer | null
}

export function ok(check: string, message: string): Finding {
  return { check, state: 'ok', message, remedy: null }
}

export function warning(check: string, message: string, remedy: string): Finding {
  return { check, state: 'warning', message, remedy }
}

export function fault(check: string, message: string, remedy: string): Finding {
  return { check, state: 'fault', message, remedy }
}

/** The shortest that an error says of itself, without a full stop. */
export function reason(error: unknown): string {
  const { message, cause, name } = error as Error & { cause?: { code?: string; message?: string } }
  return (cause?.code ?? cause?.message ?? (message || name)).replace(/\.$/, '')
}
