/** Project transfers from the command line: the operator may act for both organizations. */
import { AppError } from '../../base/errors/errors.ts'
import { moveProject } from '../../features/projects/lifecycle/move-project.ts'
import { projectTransfer } from '../../features/projects/lifecycle/project-transfers.ts'
import type { ProjectTransfer } from '../../features/projects/operations/transfer.ts'
import {
  ACTOR,
  type Administration,
  chooseOrganization,
  chooseProject,
  withAdministrationErrors,
} from './administration.ts'

export async function describeTransfer(context: Administration, named: string): Promise<ProjectTransfer> {
  const { id: projectId, organizationId } = await chooseProject(context, named)
  return await projectTransfer(context.database.queries, { organizationId, projectId }, true)
}

export async function transferProject(
  context: Administration,
  { named, to }: { named: string; to: string },
): Promise<{ projectId: string; name: string; organizationId: string; organizationName: string }> {
  const { id: projectId, organizationId: from } = await chooseProject(context, named)
  const organization = await chooseOrganization(context, to)
  if (organization.id === from)
    return await withAdministrationErrors(() => Promise.reject(new AppError('transfer_to_itself')))
  const move = { projectId, from, to: organization.id, actor: ACTOR, isOperator: true }
  const moved = await withAdministrationErrors(() =>
    context.database.transaction((tx) => moveProject(tx, move)),
  )
  return { ...moved, organizationId: organization.id, organizationName: organization.name }
}
