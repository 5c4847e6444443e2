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
import { ACTOR, type Administration, AdministrationError, chooseProject, inWords } from './administration.ts'

type Chosen = Pick<Project, 'organizationId'> & { projectId: string }

export async function codeRepositoriesOf(context: Administration, text: string): Promise<CodeRepository[]> {
  return await listCodeRepositories(context.database.queries, await placeOf(context, text))
}

export async function addCode(
  context: Administration,
  text: string,
  body: AddCodeRepositoryBody,
): Promise<CodeRepository> {
  const place = await placeOf(context, text)
  const wanted = { ...place, madeBy: null, rules: operatorRules(context.config) }
  return await inWords(() =>
    context.database.transaction(async (tx) => {
      const added = await addCodeRepository(tx, wanted, body)
      await note(tx, place, 'code_repository.added', added)
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
  const place = await placeOf(context, text)
  const all = await listCodeRepositories(context.database.queries, place)
  const found = all.find((one) => one.repositoryId === name || one.name === name)
  if (found === undefined)
    throw new AdministrationError([
      `The project has no code repository ${name}; it has: ${all.map((one) => one.name).join(', ') || 'none'}`,
    ])
  return await inWords(() =>
    context.database.transaction(async (tx) => {
      const removed = await removeCodeRepository(tx, { ...place, repositoryId: found.repositoryId })
      await note(tx, place, 'code_repository.removed', removed)
      return removed
    }),
  )
}

async function placeOf(context: Administration, text: string): Promise<Chosen> {
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
