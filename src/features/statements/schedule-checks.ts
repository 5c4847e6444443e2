/** Schedules the checks of statements. */
import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'

/** Maximum number of followed pull requests per project, most recently checked first. */
const MAX_PULL_REQUESTS = 50

export interface CodePullRequest {
  number: number
  ref: string
  isOver: boolean
}

/** Runs after deployments, pushes and changes of code repositories. Skips projects without repositories. */
export async function scheduleStatementCheck(tx: Tx, projectId: string): Promise<void> {
  await sql`
    INSERT INTO statement_checks (project_id, organization_id)
    SELECT id, organization_id FROM projects
    WHERE id = ${projectId} AND EXISTS (SELECT FROM code_repositories WHERE project_id = ${projectId})
    ON CONFLICT (project_id, repository_id, pull_request) DO UPDATE SET look_at = clock_timestamp()`.execute(
    tx,
  )
}

/** Schedules a check of a code pull request, or deletes its checks if it is merged or closed. */
export async function schedulePullRequestCheck(
  tx: Tx,
  code: { projectId: string; repositoryId: string },
  { number, ref, isOver }: CodePullRequest,
): Promise<void> {
  if (isOver) return await forgetChecks(tx, code, [number])
  const { projectId, repositoryId } = code
  await sql`
    INSERT INTO statement_checks (project_id, organization_id, repository_id, pull_request, ref)
    SELECT id, organization_id, ${repositoryId}, ${number}, ${ref} FROM projects WHERE id = ${projectId}
    ON CONFLICT (project_id, repository_id, pull_request)
    DO UPDATE SET ref = ${ref}, look_at = clock_timestamp()`.execute(tx)
  const { rows } = await sql<{ number: number }>`
    SELECT pull_request AS number FROM statement_checks
    WHERE (project_id, repository_id) = (${projectId}, ${repositoryId})
    ORDER BY checked_at DESC NULLS FIRST OFFSET ${MAX_PULL_REQUESTS}`.execute(tx)
  const old = rows.map((row) => row.number)
  await forgetChecks(tx, code, old)
}

export async function forgetChecks(
  tx: Tx,
  { projectId, repositoryId }: { projectId: string; repositoryId: string },
  numbers: readonly number[],
): Promise<void> {
  for (const table of ['statement_alarms', 'statement_checks'])
    await sql`
      DELETE FROM ${sql.table(table)} WHERE (project_id, repository_id) = (${projectId}, ${repositoryId})
        AND pull_request = ANY (${numbers})`.execute(tx)
}

export async function forgetStatements(tx: Tx, projectId: string): Promise<void> {
  for (const table of ['statements', 'statement_alarms', 'statement_checks'] as const)
    await tx.deleteFrom(table).where('project_id', '=', projectId).execute()
}
