/** The operator's choice of how long things are kept. */
import {
  DEFAULT_RETENTION,
  MOST_RETENTION_DAYS,
  RETENTION_KINDS,
  type Retention,
  type RetentionKind,
} from '../../base/api/retention.ts'
import { listOf } from './access-config.ts'
import { OPTIONS } from './config-options.ts'
import type { Reader, Text } from './read-setting.ts'

export interface StorageConfig {
  /** Kinds that are not named in the environment have the days of the table. */
  retention: Retention
  /** By the environment, so that the dashboard does not set it. */
  isRetentionGiven: boolean
  /** Of an object that nothing needs any more. */
  graceSeconds: number
}

export function readStorageConfig(text: Text, read: Reader, faults: string[]): StorageConfig {
  return {
    retention: readRetention(text, faults),
    isRetentionGiven: text('retention') !== null,
    graceSeconds: read.integer('storageGrace') * 3600,
  }
}

/** The table's days where nothing else is said. */
function readRetention(text: Text, faults: string[]): Retention {
  const retention = { ...DEFAULT_RETENTION }
  for (const part of listOf(text('retention'))) {
    const [, kind, days] = /^(\w{1,40})=(\d{1,6})$/.exec(part) ?? []
    if (kind !== undefined && isKind(kind) && Number(days) <= MOST_RETENTION_DAYS)
      retention[kind] = Number(days)
    else
      faults.push(
        `${OPTIONS.retention.env} must be <kind>=<days>, several separated by commas, with 0 to ${MOST_RETENTION_DAYS} days and the kinds ${RETENTION_KINDS.join(', ')}, not "${part}".`,
      )
  }
  return retention
}

function isKind(kind: string): kind is RetentionKind {
  return RETENTION_KINDS.some((known) => known === kind)
}
