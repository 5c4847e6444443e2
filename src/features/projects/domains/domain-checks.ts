/** Schedules domain checks, and reads their last results. */
import { sql } from 'kysely'
import type { Queries, Tx } from '../../../database/database.ts'
import type { ProjectDomain } from '../operations/domains.ts'
import { domainChallenge } from './domain-challenge.ts'
import type { DomainClaim } from './domain-claims.ts'

/** Minimum time between checks, including requested ones. */
const MIN_CHECK_INTERVAL_SECONDS = 10
/** Time after which another process may repeat an unfinished check. */
const LEASE_SECONDS = 120
/**
 * Maximum number of checks per organization and interval, so that an organization with many domains does not
 * delay others.
 */
const MAX_CHECKS_PER_ORGANIZATION = 2
const MAX_CANDIDATES = 1000

/**
 * Claims due domains for the duration of a check. Without `isProofAsked`, claims only domains that are still
 * pending from a time when verification was required.
 */
export async function claimDueChecks(
  db: Queries,
  { maxClaims, isProofAsked }: { maxClaims: number; isProofAsked: boolean },
): Promise<DomainClaim[]> {
  const isDue = sql<boolean>`project_domains.check_at <= clock_timestamp() AND (state = 'pending'
    OR (${isProofAsked} AND state = 'served' AND proof IS DISTINCT FROM 'operator'))`
  const { rows } = await sql<DomainClaim>`
    WITH looked_through AS (
      SELECT project_id, domain, organization_id, project_domains.check_at FROM project_domains
      JOIN projects ON projects.id = project_id
      WHERE ${isDue} ORDER BY check_at LIMIT ${MAX_CANDIDATES}
    ), chosen AS (
      SELECT project_id, domain, organization_id,
        row_number() OVER (PARTITION BY organization_id ORDER BY check_at) AS place, check_at
      FROM looked_through
    ), locked AS (
      SELECT project_domains.project_id, project_domains.domain, taken.organization_id FROM project_domains
      JOIN (SELECT * FROM chosen WHERE place <= ${MAX_CHECKS_PER_ORGANIZATION} ORDER BY check_at LIMIT ${maxClaims}) AS taken
        ON project_domains.project_id = taken.project_id AND project_domains.domain = taken.domain
      WHERE ${isDue} FOR UPDATE OF project_domains SKIP LOCKED
    )
    UPDATE project_domains SET check_at = ${sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`}
    FROM locked
    WHERE project_domains.project_id = locked.project_id AND project_domains.domain = locked.domain
    RETURNING project_domains.project_id AS "projectId", locked.organization_id AS "organizationId",
      project_domains.domain, state`.execute(db)
  return rows
}

export async function requestCheck(
  tx: Tx,
  { projectId, domain }: Pick<DomainClaim, 'projectId' | 'domain'>,
  isProofAsked: boolean,
): Promise<void> {
  await tx
    .updateTable('project_domains')
    .set({
      check_at: sql<Date>`greatest(clock_timestamp(),
        checked_at + make_interval(secs => ${MIN_CHECK_INTERVAL_SECONDS}::double precision))`,
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('project_id', '=', projectId)
    .where('domain', '=', domain)
    .where(isChecked(isProofAsked))
    .execute()
}

function isChecked(isProofAsked: boolean) {
  return sql<boolean>`(state = 'pending' OR (${isProofAsked} AND proof IS DISTINCT FROM 'operator'))`
}

/** Returns the domains in the order set by members. */
export async function listProjectDomains(
  db: Queries,
  { id, organizationId }: { id: string; organizationId: string },
  isProofAsked: boolean,
): Promise<ProjectDomain[]> {
  const rows = await db
    .selectFrom('project_domains')
    .select(['domain', 'state', 'proof', 'checked_at', 'reason', 'check_at', 'unproved_since'])
    .select(isChecked(isProofAsked).as('isChecked'))
    .where('project_id', '=', id)
    .orderBy('position')
    .orderBy('domain')
    .execute()
  return rows.map((row) => ({
    domain: row.domain,
    state: row.state,
    proof: row.proof,
    ...domainChallenge(organizationId, row.domain),
    checkedAt: row.checked_at?.toISOString() ?? null,
    reason: row.reason,
    nextCheckAt: row.isChecked ? (row.check_at?.toISOString() ?? null) : null,
    unprovedSince: row.unproved_since?.toISOString() ?? null,
  }))
}
