/** Archived projects can be read and deleted, but not changed: checked before every change of a project. */

import type { Operation } from '../base/api/operation.ts'
import { AppError } from '../base/errors/errors.ts'
import type { Tx } from '../database/database.ts'

/**
 * Locks the project until the transaction ends, so that it is archived either before or after the change. Throws
 * `project_archived`.
 */
export async function refuseArchived(
  tx: Tx,
  operation: Operation,
  organizationId: string,
  params: Readonly<Record<string, string>> | null,
): Promise<void> {
  const projectId = params?.projectId
  if (projectId === undefined || operation.method === 'DELETE' || operation.ofArchived === 'allowed') return
  const project = await tx
    .selectFrom('all_projects')
    .select('archived_at')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  if (project?.archived_at != null) throw new AppError('project_archived')
}
