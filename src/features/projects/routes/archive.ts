/** Routes of archived projects. */

import type { Handlers } from '../../../routing/handler.ts'
import { archiveProject, listArchived, unarchiveProject } from '../lifecycle/archive-project.ts'
import type { ARCHIVE_OPERATIONS } from '../operations/archive.ts'

export function archiveHandlers(): Handlers<typeof ARCHIVE_OPERATIONS> {
  return {
    listArchivedProjects: async ({ db, caller: { organizationId, projectIds } }) => {
      const projects = await listArchived(db, organizationId)
      return {
        body: { projects: projects.filter(({ projectId }) => projectIds?.includes(projectId) !== false) },
      }
    },
    archiveProject: async ({ tx, caller: { organizationId, id: actor }, params, body }) => ({
      body: await archiveProject(tx, { organizationId, actor, ...params }, body),
    }),
    unarchiveProject: async ({ tx, caller: { organizationId, id: actor }, params }) => ({
      body: await unarchiveProject(tx, { organizationId, actor, ...params }),
    }),
  }
}
