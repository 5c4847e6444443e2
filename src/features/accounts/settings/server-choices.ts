/**
 * Settings that operators make on the dashboard, except for models, mail and sign-in: the preview domain and retention.
 */
import {
  MAX_RETENTION_DAYS,
  RETENTION_KINDS,
  type Retention,
  type RetentionKind,
} from '../../../base/api/retention.ts'
import type { InstanceSettings } from './instance-settings.ts'

export const PREVIEW_DOMAIN = 'previewDomain'
const RETENTION_PREFIX = 'retention.'

export function chosenPreviewDomain(settings: InstanceSettings): string | null {
  return settings.get(PREVIEW_DOMAIN)?.value ?? null
}

export function retentionSetting(kind: RetentionKind): string {
  return RETENTION_PREFIX + kind
}

/** Leaves out kinds that are not chosen, and values that only another version of the program supports. */
export function chosenRetention(settings: InstanceSettings): Partial<Retention> {
  const chosen: Partial<Retention> = {}
  for (const kind of RETENTION_KINDS) {
    const days = Number(settings.get(retentionSetting(kind))?.value ?? Number.NaN)
    if (Number.isInteger(days) && days >= 0 && days <= MAX_RETENTION_DAYS) chosen[kind] = days
  }
  return chosen
}

export interface EnvironmentRetention {
  retention: Retention
  /** True when the environment sets retention, which then overrides all choices of the dashboard. */
  isRetentionGiven: boolean
}

export function resolveRetention(settings: InstanceSettings, given: EnvironmentRetention): Retention {
  return given.isRetentionGiven ? given.retention : { ...given.retention, ...chosenRetention(settings) }
}
