/** Work in progress of a project, for every kind of work that is claimed through a row. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queries, Tx } from '../../../database/database.ts'
import type { WorkFailure } from '../../../database/warnings.ts'
import type { HeldRows, WorkTable } from '../../../queue/held-rows.ts'
import { jobRows } from '../../agent/store.ts'
import { exportRows } from '../../export/store.ts'
import { deploymentRows } from '../../hosting/deploy/store.ts'

interface Place {
  organizationId: string
  projectId: string
}

/** The type requires every work table. */
const KINDS: Readonly<Record<WorkTable, Pick<HeldRows<unknown, never>, 'openIds' | 'cancel'>>> = {
  deployments: deploymentRows,
  static_exports: exportRows,
  agent_jobs: jobRows,
}

/** Ends all work. Workers notice the next time they read their row. */
export async function endWork(tx: Tx, place: Place, why: WorkFailure): Promise<void> {
  for (const rows of Object.values(KINDS))
    for (const id of await rows.openIds(tx, isOf(place))) await rows.cancel(tx, place, id, why)
}

export async function countAtWork(queries: Queries, project: Pick<Place, 'projectId'>): Promise<number> {
  let count = 0
  for (const rows of Object.values(KINDS)) count += (await rows.openIds(queries, isOf(project))).length
  return count
}

function isOf({ projectId }: Pick<Place, 'projectId'>): RawBuilder<SqlBool> {
  return sql<SqlBool>`project_id = ${projectId}`
}
