/** Code repositories that the agent of a project may read, managed by members. */
import { isAbsolute } from 'node:path'
import { type Selectable, sql } from 'kysely'
import { AppError, assertNoFaults } from '../../base/errors/errors.ts'
import { createFault, type Fault, faultAt } from '../../base/errors/fault.ts'
import { createId } from '../../base/ids.ts'
import type { Queries, Tx } from '../../database/database.ts'
import type { CodeRepositoryTable } from '../../database/schema/agent.ts'
import { scheduleStatementCheck } from '../statements/schedule-checks.ts'
import {
  type AddCodeRepositoryBody,
  type CodeRepository,
  MAX_CODE_REPOSITORIES,
  type UpdateCodeRepositoryBody,
} from './operations/code-repositories.ts'
import { checkRef, checkRepository, normalizeFolder, type ProjectRules } from './project-fields.ts'

export interface CodeProject {
  organizationId: string
  projectId: string
}

export interface CodeRepositoryScope extends CodeProject {
  repositoryId: string
}

type Row = Selectable<CodeRepositoryTable>

/** Lists the repositories sorted by name. Throws AppError `not_found`. */
export async function listCodeRepositories(queries: Queries, owner: CodeProject): Promise<CodeRepository[]> {
  await projectOf(queries, owner).executeTakeFirstOrThrow(() => new AppError('not_found'))
  return (await codeRepositoryRows(queries, owner.projectId)).map(toCodeRepository)
}

async function codeRepositoryRows(queries: Queries, projectId: string): Promise<Row[]> {
  return await queries
    .selectFrom('code_repositories')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('name')
    .limit(MAX_CODE_REPOSITORIES)
    .execute()
}

/** Throws `not_found`, `invalid_request`, `too_many_code_repositories`, `code_repository_name_taken`. */
export async function addCodeRepository(
  tx: Tx,
  owner: CodeProject & { madeBy: string | null; rules: ProjectRules },
  body: AddCodeRepositoryBody,
): Promise<CodeRepository> {
  const { organizationId, projectId, madeBy, rules } = owner
  const fields = validateRepositoryFields(body, rules, null)
  // Locks the project, so that concurrent additions cannot exceed the limit together.
  await projectOf(tx, owner)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found'))
  const others = await codeRepositoryRows(tx, projectId)
  if (others.length >= MAX_CODE_REPOSITORIES) throw new AppError('too_many_code_repositories')
  requireFreeName(others, fields.name)
  const row = await tx
    .insertInto('code_repositories')
    .values({
      ...fields,
      id: createId('crp'),
      organization_id: organizationId,
      project_id: projectId,
      made_by: madeBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await scheduleStatementCheck(tx, projectId)
  return toCodeRepository(row)
}

/** Throws AppError `not_found`, `invalid_request`, `code_repository_name_taken`. */
export async function updateCodeRepository(
  tx: Tx,
  owner: CodeRepositoryScope & { rules: ProjectRules },
  change: UpdateCodeRepositoryBody,
): Promise<CodeRepository> {
  const before = await findRow(tx, owner)
  const wanted = { name: before.name, repository: before.repository, ref: before.ref, folder: before.folder }
  const fields = validateRepositoryFields({ ...wanted, ...change }, owner.rules, before)
  const others = await codeRepositoryRows(tx, owner.projectId)
  requireFreeName(
    others.filter(({ id }) => id !== before.id),
    fields.name,
  )
  const row = await tx
    .updateTable('code_repositories')
    .set({ ...fields, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (row.name !== before.name) await renameInTriggers(tx, before, row.name)
  await scheduleStatementCheck(tx, row.project_id)
  return toCodeRepository(row)
}

async function renameInTriggers(tx: Tx, { project_id: projectId, name }: Row, next: string): Promise<void> {
  await tx
    .updateTable('automations')
    .set({ trigger: sql`jsonb_set(trigger, '{repository}', to_jsonb(${next}::text))` })
    .where('project_id', '=', projectId)
    .where('kind', '=', 'code_push')
    .where(sql<string>`trigger->>'repository'`, '=', name)
    .execute()
}

/** Returns the removed repository. Throws AppError `not_found`. */
export async function removeCodeRepository(tx: Tx, owner: CodeRepositoryScope): Promise<CodeRepository> {
  const row = await findRow(tx, owner)
  await scheduleStatementCheck(tx, row.project_id)
  await tx.deleteFrom('code_repositories').where('id', '=', row.id).execute()
  return toCodeRepository(row)
}

/** Locks the project, so that checking and using a name is serialized. */
async function findRow(tx: Tx, owner: CodeRepositoryScope): Promise<Row> {
  await projectOf(tx, owner)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found'))
  return await tx
    .selectFrom('code_repositories')
    .selectAll()
    .where('id', '=', owner.repositoryId)
    .where('project_id', '=', owner.projectId)
    .executeTakeFirstOrThrow(() => new AppError('not_found'))
}

function projectOf(queries: Queries, { organizationId, projectId }: CodeProject) {
  return queries
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
}

function requireFreeName(others: readonly Row[], name: string): void {
  const wanted = name.toLowerCase()
  if (others.some((other) => other.name.toLowerCase() === wanted))
    throw new AppError('code_repository_name_taken')
}

/** Does not validate an unchanged repository URL again, because the rules may have changed. */
function validateRepositoryFields(
  { name, repository, ref = null, folder = '' }: AddCodeRepositoryBody,
  rules: ProjectRules,
  before: Row | null,
) {
  const kind = isAbsolute(repository) ? 'folder' : 'git'
  const isSame = before?.repository === repository
  const owner = normalizeFolder(folder)
  const faults: Fault[] = []
  if (!isSame)
    for (const fault of checkRepository(kind, repository, rules))
      faults.push({
        ...(fault.code === 'server_folder' ? createFault('server_folder', { command: 'code add' }) : fault),
        field: '/repository',
      })
  for (const fault of checkRef(ref)) faults.push({ ...fault, field: '/ref' })
  if (owner === null) faults.push(faultAt('/folder', 'outside_repository'))
  assertNoFaults(faults)
  const isGranted = isSame ? before.folder_granted : kind === 'folder' && rules.grantsFolders
  return { name, repository, ref, folder: owner ?? '', source_kind: kind, folder_granted: isGranted } as const
}

function toCodeRepository(row: Row): CodeRepository {
  return {
    repositoryId: row.id,
    projectId: row.project_id,
    name: row.name,
    repository: row.repository,
    ref: row.ref,
    folder: row.folder,
    madeBy: row.made_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
