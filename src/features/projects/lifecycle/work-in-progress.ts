/** Work in progress of a project, for all kinds of work that are claimed through a row. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queries, Tx } from '../../../database/database.ts'
import type { WorkFailure } from '../../../database/warnings.ts'
import type { LeasedRows, WorkTable } from '../../../queue/leased-rows.ts'
import { jobRows } from '../../agent/store.ts'
import { exportRows } from '../../export/store.ts'
import { deploymentRows } from '../../hosting/deploy/store.ts'

interface ProjectScope {
  organizationId: string
  projectId: string
}

/** The type ensures that every work table is included. */
const WORK_KINDS: Readonly<Record<WorkTable, Pick<LeasedRows<unknown, never>, 'openIds' | 'cancel'>>> = {
  deployments: deploymentRows,
  static_exports: exportRows,
  agent_jobs: jobRows,
}

/** Ends all work. Workers stop when they next read their row. */
export async function cancelWork(tx: Tx, scope: ProjectScope, failure: WorkFailure): Promise<void> {
  for (const rows of Object.values(WORK_KINDS))
    for (const id of await rows.openIds(tx, projectCondition(scope)))
      await rows.cancel(tx, scope, id, failure)
}

export async function countWorkInProgress(
  queries: Queries,
  project: Pick<ProjectScope, 'projectId'>,
): Promise<number> {
  let count = 0
  for (const rows of Object.values(WORK_KINDS))
    count += (await rows.openIds(queries, projectCondition(project))).length
  return count
}

function projectCondition({ projectId }: Pick<ProjectScope, 'projectId'>): RawBuilder<SqlBool> {
  return sql<SqlBool>`project_id = ${projectId}`
}
