/**
 * Assigns domains to projects. Several projects can have the same domain, but at most one of them is served there.
 *
 *     added by a member, where verification is required ──▶ pending
 *     added at the command line, or where no verification is required ──▶ served
 *     pending ──verified, and no project is served there──▶ served
 *     pending ──verified, and the served project unverified for a week──▶ served, the other pending
 *     pending | served ──the operator vouches──▶ served, another one pending if the operator decides so
 *     pending | served ──its project no longer has it──▶ gone
 *
 * For served domains, `unproved_since` is the time since which checks have found no verification. Domains that
 * were served before verification was required remain served and are checked like others. Domains that the
 * operator added or vouched for are neither checked nor lost.
 *
 * Every transition holds a lock on the domain name until it commits.
 */
import { sql } from 'kysely'
import { AppError, assertNoFaults } from '../../../base/errors/errors.ts'
import { createFault, type Fault } from '../../../base/errors/fault.ts'
import { recordAudit, SYSTEM_ACTOR } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { NotificationKind } from '../../notifications/operations/notification-kinds.ts'
import { recordNotification } from '../../notifications/record-notification.ts'
import {
  type DomainProof,
  type DomainState,
  PENDING_CHECK_DAYS,
  PROOF_GRACE_DAYS,
} from '../operations/domain-proofs.ts'
import type { ProofCheck } from './domain-challenge.ts'
import { findRelatedDomains, isRelatedDomain, type OwnNames, reservedNames } from './reserved-names.ts'

export interface DomainClaim {
  projectId: string
  organizationId: string
  domain: string
  state: DomainState
}

/** Initial state of a domain, which depends on the caller that adds it. */
export interface NewDomain {
  state: DomainState
  proof: DomainProof | null
}

export interface DomainRules {
  ownNames: OwnNames
  newDomains: NewDomain
}

const MAX_PENDING_DOMAINS = 200
const HOUR_SECONDS = 3600
/** Minimum and maximum seconds between checks of a pending domain. The interval is a tenth of the domain's age. */
const MIN_CHECK_SECONDS = 30
const MAX_CHECK_SECONDS = HOUR_SECONDS
/** Check intervals of served domains: with verification, and while the verification is missing. */
const PROVED_CHECK_SECONDS = 24 * HOUR_SECONDS
const UNPROVED_CHECK_SECONDS = HOUR_SECONDS

const inSeconds = (seconds: number) =>
  sql<Date>`clock_timestamp() + make_interval(secs => ${seconds}::double precision)`
const now = sql<Date>`clock_timestamp()`

/**
 * Checks that the organization may use these domains in a new project, or in a project with the domains
 * `before`. Throws AppError `domain_taken`, `invalid_request`.
 */
export async function admitDomains(
  tx: Tx,
  organizationId: string,
  domains: readonly string[],
  { ownNames, newDomains: named }: DomainRules,
  before: readonly string[] = [],
): Promise<void> {
  const added = domains.filter((domain) => !before.includes(domain))
  await lockDomains(tx, added)
  const at = (domain: string, fault: Fault) => ({ ...fault, field: `/domains/${domains.indexOf(domain)}` })
  const reserved = await reservedNames(tx, ownNames)
  assertNoFaults(
    added
      .filter((domain) => reserved.some((name) => isRelatedDomain(domain, name)))
      .map((domain) => at(domain, createFault('domain_of_service', { domain }))),
  )
  const taken = await findUnavailableDomains(tx, organizationId, added, named)
  if (taken.length > 0) {
    throw new AppError('domain_taken', {
      details: taken.map((domain) => domainTakenFault(domain, domains.indexOf(domain))),
    })
  }
  // A site of another organization at a parent or child domain could receive or set this site's cookies, so such a
  // domain requires verification or the operator's consent.
  if (named.state === 'served' && named.proof === null)
    for (const domain of added)
      if ((await findRelatedDomains(tx, domain, { limit: 1, except: organizationId })).length > 0)
        assertNoFaults([at(domain, createFault('domain_related', { domain }))])
  if (named.state === 'served' || added.length === 0) return
  if ((await countPending(tx, organizationId)) + added.length <= MAX_PENDING_DOMAINS) return
  throw new AppError('invalid_request', { details: [PENDING_FAULT] })
}

/** Sets the domains, main domain first. Existing domains keep their state; new ones must be admitted. */
export async function writeDomains(
  tx: Tx,
  projectId: string,
  domains: readonly string[],
  named: NewDomain,
): Promise<void> {
  await tx
    .deleteFrom('project_domains')
    .where('project_id', '=', projectId)
    .where('domain', 'not in', [...domains])
    .execute()
  for (const [position, domain] of domains.entries()) {
    await tx
      .insertInto('project_domains')
      .values({ project_id: projectId, domain, position, ...named })
      .onConflict((conflict) => conflict.columns(['project_id', 'domain']).doUpdateSet({ position }))
      .execute()
  }
}

/** Admits and sets the domains of an existing project. Throws like `admitDomains`. */
export async function setDomains(
  tx: Tx,
  project: { id: string; organizationId: string; domains: readonly string[] },
  domains: readonly string[],
  rules: DomainRules,
): Promise<void> {
  await admitDomains(tx, project.organizationId, domains, rules, project.domains)
  await writeDomains(tx, project.id, domains, rules.newDomains)
}

const PENDING_FAULT: Fault = {
  ...createFault('pending_domains', { max: MAX_PENDING_DOMAINS }),
  field: '/domains',
}

function domainTakenFault(domain: string, index: number): Fault {
  return { ...createFault('domain_in_use', { domain }), field: `/domains/${index}` }
}

/**
 * Returns the domains that another project of this organization has, including deleted projects that can be
 * restored. If the domains are to be served immediately, also returns those at which any project is served.
 * Members who must verify a domain thus get no information about other organizations.
 */
async function findUnavailableDomains(
  tx: Tx,
  organizationId: string,
  domains: readonly string[],
  { state }: NewDomain,
): Promise<string[]> {
  if (domains.length === 0) return []
  const rows = await tx
    .selectFrom('project_domains')
    .innerJoin('all_projects', 'all_projects.id', 'project_domains.project_id')
    .select('domain')
    .distinct()
    .where('domain', 'in', [...domains])
    .where((eb) =>
      eb.or([
        eb('organization_id', '=', organizationId),
        ...(state === 'served' ? [eb('state', '=', 'served')] : []),
      ]),
    )
    .execute()
  return rows.map((row) => row.domain)
}

async function countPending(tx: Tx, organizationId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('project_domains')
    .innerJoin('all_projects', 'all_projects.id', 'project_domains.project_id')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Locks in a fixed order to prevent deadlocks between projects with the same domains. */
async function lockDomains(tx: Tx, domains: readonly string[]): Promise<void> {
  for (const domain of [...domains].sort())
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`domain:${domain}`}, 0))`.execute(tx)
}

/** Returns the claim of the project served at the domain if the claim can be replaced: unverified for too long. */
export async function findLostClaim(db: Queries, domain: string): Promise<DomainClaim | null> {
  const row = await selectServedDomain(db, domain).executeTakeFirst()
  return row?.isLost ? row : null
}

function selectServedDomain(db: Queries, domain: string) {
  return db
    .selectFrom('project_domains')
    .innerJoin('all_projects', 'all_projects.id', 'project_domains.project_id')
    .select(['project_id as projectId', 'organization_id as organizationId', 'domain', 'state'])
    .select(
      sql<boolean>`coalesce(proof <> 'operator', true)
        AND coalesce(unproved_since < clock_timestamp() - make_interval(days => ${PROOF_GRACE_DAYS}), false)`.as(
        'isLost',
      ),
    )
    .where('domain', '=', domain)
    .where('state', '=', 'served')
}

/** Records the result of a check. Ignores a domain that its project no longer has. */
export async function recordCheck(tx: Tx, claim: DomainClaim, proofCheck: ProofCheck): Promise<void> {
  await lockDomains(tx, [claim.domain])
  const row = await rowOf(tx, claim).select(['state', 'proof', 'unproved_since']).executeTakeFirst()
  if (row === undefined || row.proof === 'operator') return
  if (row.state === 'served') await recordServedCheck(tx, claim, proofCheck, row)
  else if (proofCheck.kind === 'missing') await keepPending(tx, claim, proofCheck.reason)
  else await serveDomain(tx, claim, proofCheck.proof)
}

interface PreviousProof {
  proof: DomainProof | null
  unproved_since: Date | null
}

function rowOf(tx: Tx, { projectId, domain }: DomainClaim) {
  return tx.selectFrom('project_domains').where('project_id', '=', projectId).where('domain', '=', domain)
}

function updateDomain(tx: Tx, { projectId, domain }: DomainClaim, from: DomainState) {
  return tx
    .updateTable('project_domains')
    .set({ updated_at: now })
    .where('project_id', '=', projectId)
    .where('domain', '=', domain)
    .where('state', '=', from)
}

async function keepPending(tx: Tx, claim: DomainClaim, reason: string): Promise<void> {
  await updateDomain(tx, claim, 'pending')
    .set({
      checked_at: now,
      reason,
      check_at: sql<Date | null>`CASE WHEN created_at > clock_timestamp() - make_interval(days => ${PENDING_CHECK_DAYS})
        THEN clock_timestamp() + make_interval(secs => least(${MAX_CHECK_SECONDS}, greatest(${MIN_CHECK_SECONDS},
          extract(epoch FROM clock_timestamp() - created_at) / 10))) END`,
    })
    .execute()
}

/** `pending → served`, unless another project is served there with a valid claim. */
async function serveDomain(tx: Tx, claim: DomainClaim, proof: 'dns' | 'file'): Promise<void> {
  const holder = await selectServedDomain(tx, claim.domain).executeTakeFirst()
  if (holder !== undefined && !holder.isLost) return keepPending(tx, claim, HELD_REASON)
  if (holder !== undefined) await stopServing(tx, holder, { reason: LOST_REASON, actor: SYSTEM_ACTOR })
  await updateDomain(tx, claim, 'pending')
    .set({ ...PROVED_VALUES, state: 'served', proof, check_at: inSeconds(PROVED_CHECK_SECONDS) })
    .execute()
  await audit(tx, claim, { actor: SYSTEM_ACTOR, action: 'project.domain_proved', details: { proof } })
}

const HELD_REASON = `The domain is verified, but another project of this server uses it. It is moved to this project when the other project's verification has been missing for ${PROOF_GRACE_DAYS} days, or when the operator of the server decides so.`
const LOST_REASON = `The verification was missing for ${PROOF_GRACE_DAYS} days, and another project of this server has verified the domain.`
const GIVEN_AWAY_REASON = 'The operator of the server has given the domain to another project.'

const PROVED_VALUES = { checked_at: now, reason: null, unproved_since: null }

/** `served → pending`. */
async function stopServing(
  tx: Tx,
  holder: DomainClaim,
  { reason, actor }: { reason: string; actor: string },
): Promise<void> {
  await updateDomain(tx, holder, 'served')
    .set({ state: 'pending', proof: null, unproved_since: null, reason, check_at: inSeconds(HOUR_SECONDS) })
    .execute()
  await audit(tx, holder, { actor, action: 'project.domain_lost', details: { reason } })
  await notifyProject(tx, 'domain_lost', holder)
}

async function recordServedCheck(
  tx: Tx,
  claim: DomainClaim,
  proofCheck: ProofCheck,
  before: PreviousProof,
): Promise<void> {
  if (proofCheck.kind === 'proved') {
    const { proof } = proofCheck
    await updateDomain(tx, claim, 'served')
      .set({ ...PROVED_VALUES, proof, check_at: inSeconds(PROVED_CHECK_SECONDS) })
      .execute()
    if (before.proof !== null && before.unproved_since === null) return
    await audit(tx, claim, { actor: SYSTEM_ACTOR, action: 'project.domain_proved', details: { proof } })
    return
  }
  const { isAnswered, reason } = proofCheck
  // A DNS failure does not prove that the record is missing.
  const isFirst = isAnswered && before.unproved_since === null
  await updateDomain(tx, claim, 'served')
    .set({
      checked_at: now,
      reason,
      check_at: inSeconds(UNPROVED_CHECK_SECONDS),
      ...(isFirst ? { unproved_since: now } : {}),
    })
    .execute()
  if (!isFirst) return
  await audit(tx, claim, { actor: SYSTEM_ACTOR, action: 'project.domain_proof_missed', details: { reason } })
  await notifyProject(tx, 'domain_proof_missing', claim)
}

async function notifyProject(
  tx: Tx,
  kind: NotificationKind,
  { projectId, domain }: DomainClaim,
): Promise<void> {
  await recordNotification(tx, { kind, projectId, subject: domain, facts: { name: domain } })
}

/**
 * Serves the domain on the operator's authority. `takesOver` replaces the project currently served there.
 * Throws AppError `not_found`, and `domain_taken` with that project.
 */
export async function vouchForDomain(
  tx: Tx,
  { isTaken, actor, ...named }: { projectId: string; domain: string; isTaken: boolean; actor: string },
): Promise<void> {
  const { domain } = named
  await lockDomains(tx, [domain])
  const row = await tx
    .selectFrom('project_domains')
    .innerJoin('all_projects', 'all_projects.id', 'project_domains.project_id')
    .select(['project_id as projectId', 'organization_id as organizationId', 'domain', 'state'])
    .where('project_id', '=', named.projectId)
    .where('domain', '=', domain)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  const holder = await selectServedDomain(tx, domain).executeTakeFirst()
  const isOther = holder !== undefined && holder.projectId !== row.projectId
  if (isOther && !isTaken)
    throw new AppError('domain_taken', {
      details: [createFault('domain_served', { project: holder.projectId, domain })],
    })
  if (isOther) await stopServing(tx, holder, { reason: GIVEN_AWAY_REASON, actor })
  await updateDomain(tx, row, row.state)
    .set({ state: 'served', proof: 'operator', reason: null, unproved_since: null })
    .execute()
  await audit(tx, row, { actor, action: 'project.domain_vouched' })
}

async function audit(
  tx: Tx,
  { projectId, organizationId, domain }: DomainClaim,
  entry: Pick<Parameters<typeof recordAudit>[1], 'actor' | 'action' | 'details'>,
): Promise<void> {
  const { details, ...rest } = entry
  await recordAudit(tx, { ...rest, organizationId, subject: projectId, details: { domain, ...details } })
}
