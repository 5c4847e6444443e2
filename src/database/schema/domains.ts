/** Domains of projects, as types. The migrations are the truth; a test compares the two. */
import type { ColumnType, Generated } from 'kysely'
import type { DomainProof, DomainState } from '../../features/projects/operations/domain-proofs.ts'

export interface ProjectDomainTable {
  domain: string
  project_id: string
  created_at: ColumnType<Date, Date | undefined, never>
  state: DomainState
  proof: DomainProof | null
  position: Generated<number>
  checked_at: Date | null
  reason: string | null
  check_at: Generated<Date | null>
  unproved_since: Date | null
  updated_at: Generated<Date>
}

/** Those of `project_domains` that are served. */
export interface ServedDomainView {
  domain: string
  project_id: string
  position: number
}
