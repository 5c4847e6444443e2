/**
 * Offers of projects to other organizations:
 *
 *     none ──offer──▶ offered ──accept──▶ transferred (move-project.ts)
 *       ▲                │
 *       └─withdraw, decline, expire─┘
 *
 * An owner of both organizations needs no offer. Responses do not reveal whether an organization exists.
 */
import { sql } from 'kysely'
import { AppError } from '../../../base/errors/errors.ts'
import { createId } from '../../../base/ids.ts'
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import { recordAudit } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import { readListPosition, toListPage } from '../../../database/newest-first.ts'
import { findSessionMembership, requireSecondFactor } from '../../accounts/people/session-memberships.ts'
import { recordNotification } from '../../notifications/record-notification.ts'
import {
  type IncomingTransfer,
  MAX_INCOMING_OFFERS,
  MAX_OUTGOING_OFFERS,
  OFFER_DAYS,
  type ProjectTransfer,
  type TransferList,
  type TransferListQuery,
  type TransferOffer,
  type TransferOutcome,
  type TransferredProject,
} from '../operations/transfer.ts'
import { moveProject, planTransfer } from './move-project.ts'

/** Time within which repeated offers cause only one notification. */
const OFFER_NOTIFICATION_HOURS = 24

interface ProjectScope {
  organizationId: string
  projectId: string
}

interface TransferCaller {
  organizationId: string
  actor: string
}

export async function projectTransfer(
  queries: Queries,
  projectScope: ProjectScope,
  isOperator = false,
): Promise<ProjectTransfer> {
  const project = await queries
    .selectFrom('projects')
    .select('name')
    .where('id', '=', projectScope.projectId)
    .where('organization_id', '=', projectScope.organizationId)
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
  const offer = await selectOffers(queries)
    .where('offer.project_id', '=', projectScope.projectId)
    .executeTakeFirst()
  return {
    projectId: projectScope.projectId,
    name: project.name,
    ...(await planTransfer(queries, { projectId: projectScope.projectId, isOperator })),
    offer: offer === undefined ? null : toOffer(offer),
  }
}

/**
 * Replaces an earlier offer. `sessionId` is set for members. Throws AppError `not_found`,
 * `transfer_to_itself`, `too_many_offers`, `too_many_incoming_offers`. For an owner of both organizations,
 * also throws `second_factor_required` and the errors of `moveProject`.
 */
export async function offerTransfer(
  tx: Tx,
  {
    organizationId,
    projectId,
    actor,
    sessionId,
  }: ProjectScope & TransferCaller & { sessionId: string | undefined },
  to: string,
): Promise<TransferOutcome> {
  if (to === organizationId) throw new AppError('transfer_to_itself')
  const project = await tx
    .selectFrom('projects')
    .select('name')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
  if (sessionId !== undefined && (await isOwner(tx, { userId: actor, sessionId, organizationId: to }))) {
    await moveProject(tx, { projectId, from: organizationId, to, actor, isOperator: false })
    return { state: 'transferred', projectId, offer: null }
  }
  await tx.deleteFrom('project_transfers').where('project_id', '=', projectId).execute()
  await checkOfferLimits(tx, { from: organizationId, to })
  const expires_at = sql<Date>`clock_timestamp() + make_interval(days => ${OFFER_DAYS})`
  const of = { project_id: projectId, organization_id: organizationId, to_organization_id: to }
  await tx
    .insertInto('project_transfers')
    .values({ id: createId('ptr'), ...of, offered_by: actor, expires_at })
    .execute()
  const action = 'project.transfer_offered'
  const details = { name: project.name, to }
  await recordAudit(tx, { organizationId, actor, action, subject: projectId, details })
  const offer = await selectOffers(tx).where('offer.project_id', '=', projectId).executeTakeFirstOrThrow()
  await recordNotification(tx, {
    ...{ kind: 'transfer_offered', projectId, organizationId: to, subject: to },
    ...{ facts: { name: offer.from }, onceInHours: OFFER_NOTIFICATION_HOURS },
  })
  return { state: 'offered', projectId, offer: toOffer(offer) }
}

export async function withdrawTransfer(
  tx: Tx,
  { organizationId, projectId, actor }: ProjectScope & TransferCaller,
): Promise<TransferOffer> {
  const offer = await selectOffers(tx)
    .where('offer.project_id', '=', projectId)
    .where('offer.organization_id', '=', organizationId)
    .forUpdate('offer')
    .executeTakeFirst()
  if (offer === undefined) throw new AppError('not_found')
  await tx.deleteFrom('project_transfers').where('id', '=', offer.id).execute()
  const details = { name: offer.name, to: offer.to_organization_id }
  const action = 'project.transfer_withdrawn'
  await recordAudit(tx, { organizationId, actor, action, subject: projectId, details })
  return toOffer(offer)
}

/** Throws AppError `invalid_request` for a cursor from another list. */
export async function listTransfers(
  { cursors }: { cursors: CursorCodec },
  queries: Queries,
  organizationId: string,
  { limit = 50, cursor }: TransferListQuery,
): Promise<TransferList> {
  const scope = `transfers:${organizationId}`
  const after = readListPosition(cursors, scope, cursor)
  const offers = await newestOffers(queries)
    .where('offer.to_organization_id', '=', organizationId)
    .$if(after !== null, (select) =>
      select.where(
        sql<boolean>`(offer.created_at, offer.id) < (${after?.createdAt ?? null}, ${after?.id ?? null})`,
      ),
    )
    .limit(limit + 1)
    .execute()
  const { shown, nextCursor, hasMore } = toListPage(cursors, scope, offers, limit)
  const incoming: IncomingTransfer[] = []
  for (const offer of shown) {
    const { toOrganizationId: _, ...visibleOffer } = toOffer(offer)
    const plan = await planTransfer(queries, { projectId: offer.project_id, to: organizationId })
    incoming.push({ ...visibleOffer, fromOrganization: offer.from, ...plan })
  }
  const outgoing = await newestOffers(queries)
    .where('offer.organization_id', '=', organizationId)
    .limit(MAX_OUTGOING_OFFERS)
    .execute()
  return { incoming, nextCursor, hasMore, outgoing: outgoing.map(toOffer) }
}

/** Throws AppError `not_found` and the errors of `moveProject`. */
export async function acceptTransfer(
  tx: Tx,
  { organizationId, actor }: TransferCaller,
  transferId: string,
): Promise<TransferredProject> {
  const offer = await findOffer(tx, organizationId, transferId)
  return await moveProject(tx, {
    ...{ projectId: offer.project_id, from: offer.organization_id, to: organizationId },
    ...{ actor, isOperator: false },
  })
}

export async function declineTransfer(
  tx: Tx,
  { organizationId, actor }: TransferCaller,
  transferId: string,
): Promise<TransferredProject> {
  const {
    project_id: projectId,
    name,
    organization_id: from,
  } = await findOffer(tx, organizationId, transferId)
  await tx.deleteFrom('project_transfers').where('id', '=', transferId).execute()
  const entry = { actor, action: 'project.transfer_declined', subject: projectId } as const
  for (const side of [from, organizationId])
    await recordAudit(tx, { ...entry, organizationId: side, details: { name, from, to: organizationId } })
  return { projectId, name }
}

export async function retireOffers(queries: Queries): Promise<void> {
  await queries
    .deleteFrom('project_transfers')
    .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
    .execute()
}

async function findOffer(tx: Tx, organizationId: string, transferId: string): Promise<OfferRow> {
  const offer = await selectOffers(tx)
    .where('offer.id', '=', transferId)
    .where('offer.to_organization_id', '=', organizationId)
    .executeTakeFirst()
  if (offer === undefined) throw new AppError('not_found')
  // Locks the project first, like all code that locks both rows.
  await tx.selectFrom('projects').select('id').where('id', '=', offer.project_id).forUpdate().execute()
  const held = await tx
    .selectFrom('project_transfers')
    .select('id')
    .where('id', '=', transferId)
    .forUpdate()
    .executeTakeFirst()
  if (held === undefined) throw new AppError('not_found')
  return offer
}

/** Throws AppError `second_factor_required` for an owner's session without the required second factor. */
async function isOwner(tx: Tx, asked: Parameters<typeof findSessionMembership>[1]): Promise<boolean> {
  const standing = await findSessionMembership(tx, asked)
  if (standing?.role !== 'owner') return false
  requireSecondFactor(standing)
  return true
}

/**
 * Serializes offers from and to an organization, even if the receiver does not exist. Throws AppError
 * `too_many_offers`, `too_many_incoming_offers`.
 */
async function checkOfferLimits(tx: Tx, { from, to }: { from: string; to: string }): Promise<void> {
  for (const name of [`offers from ${from}`, `offers to ${to}`])
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
  const open = async (side: 'organization_id' | 'to_organization_id', id: string, maxOffers: number) => {
    const offers = await selectOffers(tx).where(`offer.${side}`, '=', id).limit(maxOffers).execute()
    return offers.length
  }
  if ((await open('organization_id', from, MAX_OUTGOING_OFFERS)) >= MAX_OUTGOING_OFFERS)
    throw new AppError('too_many_offers')
  if ((await open('to_organization_id', to, MAX_INCOMING_OFFERS)) >= MAX_INCOMING_OFFERS)
    throw new AppError('too_many_incoming_offers')
}

function newestOffers(queries: Queries) {
  return selectOffers(queries).orderBy('offer.created_at', 'desc').orderBy('offer.id', 'desc')
}

/** Excludes expired offers and deleted projects. */
function selectOffers(queries: Queries) {
  return queries
    .selectFrom('project_transfers as offer')
    .innerJoin('projects as project', (join) =>
      join
        .onRef('project.id', '=', 'offer.project_id')
        .onRef('project.organization_id', '=', 'offer.organization_id'),
    )
    .innerJoin('organizations as organization', 'organization.id', 'offer.organization_id')
    .select(['offer.id', 'offer.project_id', 'offer.organization_id', 'offer.to_organization_id'])
    .select(['offer.created_at', 'offer.expires_at', 'project.name', 'organization.name as from'])
    .where('offer.expires_at', '>', sql<Date>`clock_timestamp()`)
}

type OfferRow = Awaited<ReturnType<ReturnType<typeof selectOffers>['executeTakeFirstOrThrow']>>

function toOffer(row: OfferRow): TransferOffer {
  return {
    transferId: row.id,
    projectId: row.project_id,
    name: row.name,
    toOrganizationId: row.to_organization_id,
    offeredAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }
}
