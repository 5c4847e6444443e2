/** Privacy settings of a site, and the passwords and signed links that members manage. */
import { sql } from 'kysely'
import { AppError } from '../../../base/errors/errors.ts'
import { faultAt } from '../../../base/errors/fault.ts'
import { createId } from '../../../base/ids.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import {
  ACCESS_PATH,
  type CreatedSitePass,
  MAX_SITE_LINKS,
  MAX_SITE_PASSWORDS,
  type SiteAccessState,
  type SitePass,
  type UpdateSiteAccessBody,
} from '../operations/site-access.ts'
import { siteOrigin } from '../serve/site-origin.ts'
import type { ReaderTokens } from './reader-token.ts'

export interface SitePassDeps {
  readerTokens: ReaderTokens
  publicUrl: () => string
}

interface ProjectScope {
  organizationId: string
  projectId: string
}

export async function getSiteAccess(queries: Queries, scope: ProjectScope): Promise<SiteAccessState> {
  const row = await queries
    .selectFrom('projects')
    .leftJoin('site_access', 'site_access.project_id', 'projects.id')
    .select(['is_private', 'admits_members'])
    .where('projects.id', '=', scope.projectId)
    .where('organization_id', '=', scope.organizationId)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  const passes = await selectPasses(queries, scope.projectId)
  return {
    isPrivate: row.is_private ?? false,
    admitsMembers: row.admits_members ?? true,
    passes: passes.map(toPass),
  }
}

export async function updateSiteAccess(
  tx: Tx,
  scope: ProjectScope,
  { isPrivate, admitsMembers }: UpdateSiteAccessBody,
): Promise<SiteAccessState> {
  await getSiteAccess(tx, scope)
  const change = {
    ...(isPrivate === undefined ? {} : { is_private: isPrivate }),
    ...(admitsMembers === undefined ? {} : { admits_members: admitsMembers }),
  }
  await tx
    .insertInto('site_access')
    .values({ project_id: scope.projectId, ...change })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet({ project_id: scope.projectId, ...change }),
    )
    .execute()
  return getSiteAccess(tx, scope)
}

export type NewPass = { name: string; groups: readonly string[]; createdBy: string } & (
  | { kind: 'password'; passwordHash: string }
  | { kind: 'link'; days: number }
)

/** Throws AppError `not_found`, and `invalid_request` if there are too many passes. */
export async function createSitePass(
  deps: SitePassDeps,
  tx: Tx,
  scope: ProjectScope,
  newPass: NewPass,
): Promise<CreatedSitePass> {
  // Locks the project so that concurrent calls cannot exceed the limit (see accounts/update-project.ts).
  await tx.selectFrom('projects').select('id').where('id', '=', scope.projectId).forNoKeyUpdate().execute()
  const { passes } = await getSiteAccess(tx, scope)
  const maxPasses = newPass.kind === 'password' ? MAX_SITE_PASSWORDS : MAX_SITE_LINKS
  if (passes.filter(({ kind }) => kind === newPass.kind).length >= maxPasses)
    throw new AppError('invalid_request', {
      details: [faultAt('/kind', 'too_many_passes', { max: maxPasses })],
    })
  const passId = createId('pass')
  await tx
    .insertInto('site_passes')
    .values({
      id: passId,
      project_id: scope.projectId,
      kind: newPass.kind,
      name: newPass.name,
      groups: [...newPass.groups].sort(),
      password_hash: newPass.kind === 'password' ? newPass.passwordHash : null,
      expires_at:
        newPass.kind === 'link'
          ? sql<Date>`clock_timestamp() + make_interval(days => ${newPass.days})`
          : null,
      created_by: newPass.createdBy,
    })
    .execute()
  return getSitePass(deps, tx, scope, passId)
}

export async function getSitePass(
  deps: SitePassDeps,
  queries: Queries,
  scope: ProjectScope,
  passId: string,
): Promise<CreatedSitePass> {
  const { passes } = await getSiteAccess(queries, scope)
  const pass = passes.find((one) => one.passId === passId)
  if (pass === undefined) throw new AppError('not_found')
  const domain = await queries
    .selectFrom('served_domains')
    .select('domain')
    .where('project_id', '=', scope.projectId)
    .orderBy('position')
    .orderBy('domain')
    .executeTakeFirst()
  if (pass.kind === 'password' || pass.expiresAt === null || domain === undefined)
    return { ...pass, url: null }
  const claim = { kind: 'pass', id: passId, expiresAt: Date.parse(pass.expiresAt) } as const
  const token = deps.readerTokens.sign(scope.projectId, claim)
  return { ...pass, url: `${siteOrigin(deps.publicUrl(), domain.domain)}${ACCESS_PATH}?link=${token}` }
}

export async function deleteSitePass(tx: Tx, scope: ProjectScope, passId: string): Promise<SiteAccessState> {
  await getSiteAccess(tx, scope)
  const deletedPass = await tx
    .deleteFrom('site_passes')
    .where('project_id', '=', scope.projectId)
    .where('id', '=', passId)
    .returning('id')
    .executeTakeFirst()
  if (deletedPass === undefined) throw new AppError('not_found')
  return getSiteAccess(tx, scope)
}

/** Maps the passes of a project to their password hashes. */
export async function passwordHashes(
  queries: Queries,
  projectId: string,
): Promise<{ id: string; hash: string }[]> {
  const rows = await queries
    .selectFrom('site_passes')
    .select(['id', 'password_hash'])
    .where('project_id', '=', projectId)
    .where('kind', '=', 'password')
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(({ id, password_hash }) => ({ id, hash: password_hash ?? '' }))
}

function selectPasses(queries: Queries, projectId: string) {
  return queries
    .selectFrom('site_passes')
    .select(['id', 'kind', 'name', 'groups', 'expires_at', 'created_at'])
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

function toPass(row: Awaited<ReturnType<typeof selectPasses>>[number]): SitePass {
  return {
    passId: row.id,
    kind: row.kind,
    name: row.name,
    groups: row.groups,
    expiresAt: row.expires_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}
