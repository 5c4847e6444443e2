/**
 * Enforces the restriction of a key to certain projects. Objects of all other projects result in `not_found`.
 * Operations without a project are refused, unless their handlers are marked as enforcing the restriction.
 */

import type { Operation } from '../base/api/operation.ts'
import { AppError } from '../base/errors/errors.ts'
import type { Queries } from '../database/database.ts'
import type { Caller, Visitor } from '../routing/caller.ts'

export async function checkKeyProjects(
  queries: Queries,
  caller: Caller | Visitor,
  operation: Operation,
  params: Readonly<Record<string, string>> | null,
): Promise<void> {
  if (caller.kind === 'visitor' || caller.projectIds === null) return
  const { keyProjects, ownerTable } = operation
  if (keyProjects === 'scoped') return
  let projectId = params?.projectId
  if (projectId === undefined) {
    if (ownerTable === undefined) throw new AppError('key_limited')
    const [id = ''] = Object.values(params ?? {})
    const row = await queries
      .selectFrom(ownerTable as 'deployments')
      .select('project_id')
      .where('id', '=', id)
      .executeTakeFirst()
    projectId = row?.project_id
  }
  if (projectId === undefined || !caller.projectIds.includes(projectId)) throw new AppError('not_found')
}
