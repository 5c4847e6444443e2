/** Routes that delete feedback and projects. A deleted project can be restored for a while. */

import { recordNoChange } from '../../../database/audit.ts'
import { type Handlers, parsing } from '../../../routing/handler.ts'
import { deleteFeedback, parseDeletion } from '../../feedback/delete-feedback.ts'
import {
  type DeletionDeps,
  deleteProject,
  listDeleted,
  projectHoldings,
  restoreProject,
} from '../lifecycle/delete-project.ts'
import type { DELETION_OPERATIONS } from '../operations/deletion.ts'

export type { DeletionDeps }

export function deletionHandlers(deps: DeletionDeps): Handlers<typeof DELETION_OPERATIONS> {
  return {
    listDeletedProjects: async ({ db, caller: { organizationId, projectIds } }) => {
      const projects = await listDeleted(db, organizationId)
      return {
        body: { projects: projects.filter(({ projectId }) => projectIds?.includes(projectId) !== false) },
      }
    },
    getProjectHoldings: async ({ db, caller: { organizationId }, params }) => ({
      body: await projectHoldings(deps, db, { organizationId, ...params }),
    }),
    deleteProject: async ({ tx, caller: { organizationId, id: actor }, params, query: { name = null } }) => ({
      body: await deleteProject(tx, deps.retention(), { organizationId, actor, ...params, name }),
    }),
    restoreProject: async ({ tx, caller: { organizationId, id: actor }, params }) => ({
      body: await restoreProject(tx, { organizationId, actor, ...params }),
    }),
    deleteFeedback: parsing(
      ({ body }) => parseDeletion(body),
      async ({ tx, caller: { organizationId }, params, body }, meant) => {
        const { isDryRun = false } = body
        const deleted = await deleteFeedback(tx, { organizationId, ...params }, meant, isDryRun)
        if (isDryRun) recordNoChange(tx)
        // The audit log must not contain the contact address either.
        const by = {
          ids: meant.ids?.length ?? 0,
          contact: meant.contact !== null,
          before: body.before ?? null,
        }
        return { body: deleted, audit: { details: { by, deleted: deleted.deleted } } }
      },
    ),
  }
}
