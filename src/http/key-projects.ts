/**
 * Keys limited to projects. Objects outside the limit behave as if they did not exist. Operations without a project
 * are refused, unless they are marked as enforcing the limit themselves.
 */

import type { Operation } from '../base/api/operation.ts'
import { AppError } from '../base/errors/errors.ts'
import type { Queries } from '../database/database.ts'
import type { Caller, Visitor } from '../routing/caller.ts'

/** Throws AppError `not_found`, `key_limited`. */
export async function checkKeyProjects(
  queries: Queries,
  caller: Caller | Visitor,
  operation: Operation,
  params: Readonly<Record<string, string>> | null,
): Promise<void> {
  if (caller.kind === 'visitor' || caller.projectIds === null) return
  if (operation.keyProjects === 'scoped') return
  const { projectId, jobId, webhookId, statusId } = params ?? {}
  if (projectId !== undefined) return requireOneOf(caller.projectIds, projectId)
  if (jobId !== undefined)
    return requireOneOf(caller.projectIds, await projectOf(queries, 'static_exports', jobId))
  if (webhookId !== undefined)
    return requireOneOf(caller.projectIds, await projectOf(queries, 'webhook_endpoints', webhookId))
  if (statusId !== undefined)
    return requireOneOf(caller.projectIds, await projectOf(queries, 'deployments', statusId))
  throw new AppError('key_limited')
}

function requireOneOf(projectIds: readonly string[], projectId: string | null): void {
  if (projectId === null || !projectIds.includes(projectId)) throw new AppError('not_found')
}

async function projectOf(
  queries: Queries,
  table: 'static_exports' | 'webhook_endpoints' | 'deployments',
  id: string,
): Promise<string | null> {
  const row = await queries.selectFrom(table).select('project_id').where('id', '=', id).executeTakeFirst()
  return row?.project_id ?? null
}
