/** Commands for archived projects. */

import * as archive from '../../features/projects/lifecycle/archive-project.ts'
import type { ArchivedProject, ArchiveProjectBody } from '../../features/projects/operations/archive.ts'
import {
  ACTOR,
  type Administration,
  AdministrationError,
  chooseProject,
  withAdministrationErrors,
} from './administration.ts'
import { programCall } from './program-call.ts'

export async function archiveProject(
  { database }: Administration,
  named: string,
  wanted: ArchiveProjectBody,
): Promise<ArchivedProject> {
  const { id: projectId, organizationId } = await chooseProject({ database }, named)
  const scope = { organizationId, projectId, actor: ACTOR }
  return await withAdministrationErrors(
    () => database.transaction((tx) => archive.archiveProject(tx, scope, wanted)),
    {
      invalid_request: 'Feedback is taken of a site that is served: leave out --not-served or --feedback',
    },
  )
}

export function listArchivedProjects(
  { database }: Administration,
  organizationId: string,
): Promise<ArchivedProject[]> {
  return archive.listArchived(database.queries, organizationId)
}

export async function unarchiveProject(
  { database }: Administration,
  projectId: string,
): Promise<ArchivedProject> {
  const none = `There is no archived project ${projectId}: ${programCall()} projects archived shows them`
  const found = await database.queries
    .selectFrom('projects')
    .select('organization_id')
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (found === undefined) throw new AdministrationError([none])
  const wanted = { organizationId: found.organization_id, projectId, actor: ACTOR }
  return await withAdministrationErrors(
    () => database.transaction((tx) => archive.unarchiveProject(tx, wanted)),
    {
      not_found: none,
      project_not_archived: none,
    },
  )
}
