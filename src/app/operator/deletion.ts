/** Commands for deleted projects. */

import {
  deleteProject,
  listDeleted,
  projectHoldings,
  restoreProject,
} from '../../features/projects/lifecycle/delete-project.ts'
import type { DeletedProject, ProjectHoldings } from '../../features/projects/operations/deletion.ts'
import type { Context } from '../context.ts'
import { readRetention } from '../live/live-retention.ts'
import {
  ACTOR,
  type Administration,
  AdministrationError,
  chooseProject,
  withAdministrationErrors,
} from './administration.ts'
import { programCall } from './program-call.ts'

export async function readHoldings(context: Context, named: string): Promise<ProjectHoldings> {
  const { id: projectId, organizationId } = await chooseProject(context, named)
  const deps = { objects: context.servedObjects, retention: context.retention }
  return await projectHoldings(deps, context.database.queries, { organizationId, projectId })
}

export async function scheduleProjectDeletion(
  { database, config }: Administration,
  { named, name }: { named: string; name: string },
): Promise<DeletedProject> {
  const { id: projectId, organizationId } = await chooseProject({ database }, named)
  const request = { organizationId, projectId, name, actor: ACTOR }
  return await withAdministrationErrors(
    () => database.transaction(async (tx) => deleteProject(tx, await readRetention(config, tx), request)),
    { invalid_request: 'Type the name of the project with --confirm, just as it is shown' },
  )
}

export function listDeletedProjects(
  { database }: Administration,
  organizationId: string,
): Promise<DeletedProject[]> {
  return listDeleted(database.queries, organizationId)
}

export async function restoreDeletedProject(
  { database }: Administration,
  projectId: string,
): Promise<DeletedProject> {
  const found = await database.queries
    .selectFrom('all_projects')
    .select('organization_id')
    .where('id', '=', projectId)
    .executeTakeFirst()
  const none = `There is no deleted project ${projectId}: ${programCall()} projects deleted shows them`
  if (found === undefined) throw new AdministrationError([none])
  const request = { organizationId: found.organization_id, projectId, actor: ACTOR }
  return await withAdministrationErrors(() => database.transaction((tx) => restoreProject(tx, request)), {
    not_found: none,
  })
}
