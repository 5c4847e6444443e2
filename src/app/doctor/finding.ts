/** Findings of `octavo doctor` and the node that it examines. */
import type { Config, Secrets } from '../config/config.ts'
import type { RunningServer } from '../operator/running-servers.ts'

export interface Finding {
  /** Stable name of the check. */
  check: string
  state: 'ok' | 'warning' | 'fault'
  message: string
  /** Advice, or null if there is no problem. */
  remedy: string | null
}

export interface DoctorContext {
  config: Config
  secrets: Secrets
  /** Server on this data folder. */
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

/** Returns the shortest description of an error, without a full stop. */
export function reason(error: unknown): string {
  const { message, cause, name } = error as Error & { cause?: { code?: string; message?: string } }
  return (cause?.code ?? cause?.message ?? (message || name)).replace(/\.$/, '')
}
