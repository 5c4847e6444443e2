/** Code repositories of a project, managed from the command line, which may also name folders of this machine. */

import { recordAudit } from '../../database/audit.ts'
import type { Tx } from '../../database/database.ts'
import {
  addCodeRepository,
  listCodeRepositories,
  removeCodeRepository,
} from '../../features/projects/code-repositories.ts'
import type {
  AddCodeRepositoryBody,
  CodeRepository,
} from '../../features/projects/operations/code-repositories.ts'
import type { Project } from '../../features/projects/projects.ts'
import { operatorRules } from '../config/project-rules.ts'
import {
  ACTOR,
  type Administration,
  AdministrationError,
  chooseProject,
  withAdministrationErrors,
} from './administration.ts'

type Chosen = Pick<Project, 'organizationId'> & { projectId: string }

export async function listProjectCodeRepositories(
  context: Administration,
  text: string,
): Promise<CodeRepository[]> {
  return await listCodeRepositories(context.database.queries, await resolveScope(context, text))
}

export async function addCode(
  context: Administration,
  text: string,
  body: AddCodeRepositoryBody,
): Promise<CodeRepository> {
  const scope = await resolveScope(context, text)
  const request = { ...scope, madeBy: null, rules: operatorRules(context.config) }
  return await withAdministrationErrors(() =>
    context.database.transaction(async (tx) => {
      const added = await addCodeRepository(tx, request, body)
      await note(tx, scope, 'code_repository.added', added)
      return added
    }),
  )
}

/** Removes a code repository by name or id. */
export async function removeCode(
  context: Administration,
  text: string,
  name: string,
): Promise<CodeRepository> {
  const scope = await resolveScope(context, text)
  const all = await listCodeRepositories(context.database.queries, scope)
  const found = all.find((one) => one.repositoryId === name || one.name === name)
  if (found === undefined)
    throw new AdministrationError([
      `The project has no code repository ${name}; it has: ${all.map((one) => one.name).join(', ') || 'none'}`,
    ])
  return await withAdministrationErrors(() =>
    context.database.transaction(async (tx) => {
      const removed = await removeCodeRepository(tx, { ...scope, repositoryId: found.repositoryId })
      await note(tx, scope, 'code_repository.removed', removed)
      return removed
    }),
  )
}

async function resolveScope(context: Administration, text: string): Promise<Chosen> {
  const { id: projectId, organizationId } = await chooseProject(context, text)
  return { organizationId, projectId }
}

async function note(
  tx: Tx,
  { organizationId }: Chosen,
  action: 'code_repository.added' | 'code_repository.removed',
  { repositoryId: subject, projectId, name, repository, ref, folder }: CodeRepository,
): Promise<void> {
  const details = { projectId, name, repository, ref, folder }
  await recordAudit(tx, { organizationId, actor: ACTOR, action, subject, details })
}
