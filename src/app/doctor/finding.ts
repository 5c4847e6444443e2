/** Findings of `octavo doctor` and the node that it examines. */
import type { Config, Secrets } from '../config/config.ts'
import type { RunningServer } from '../operator/running-servers.ts'

export interface Finding {
  check: string
  state: 'ok' | 'warning' | 'fault'
  message: string
  remedy: string | null
}

export interface DoctorContext {
  config: Config
  secrets: Secrets
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

export function reason(error: unknown): string {
  const { message, cause, name } = error as Error & { cause?: { code?: string; message?: string } }
  return (cause?.code ?? cause?.message ?? (message || name)).replace(/\.$/, '')
}
