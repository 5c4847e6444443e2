/** The tables of what is kept and swept away. */
import type { ColumnType, Generated } from 'kysely'

export interface CondemnedObjectTable {
  key: string
  kind: string
  size_bytes: number
  since: Generated<Date>
  /** It was a deleted project's. */
  is_deleted: Generated<boolean>
}

export interface StorageUseTable {
  organization_id: string
  holder: string
  objects: number
  bytes: number
}

export interface StorageSweepTable {
  is_one: ColumnType<boolean, boolean | undefined, never>
  started_at: Date
  ended_at: Date | null
  deleted_objects: Generated<number>
  deleted_bytes: Generated<number>
}
