/**
 * State of a session in an organization: the member's role, when they last authenticated, and whether they lack a
 * second factor that the organization or the server requires. Read with one query on every request of a member.
 */
import { sql } from 'kysely'
import { AppError } from '../../../base/errors/errors.ts'
import type { Queries } from '../../../database/database.ts'
import {
  readServerRule,
  SECOND_FACTOR_SETTING,
  type SecondFactorRule,
} from '../sign-in/second-factor-rule.ts'
import type { Membership } from './members.ts'

export interface SessionMembership extends Membership {
  /** When the person last used a password, a code or a passkey, or signed in at the provider. */
  provedAt: Date
  /** Time from which the session is refused because a required second factor is missing, or null. */
  secondFactorDueAt: Date | null
}

/** Minutes for which a proof of identity is recent enough for actions that are hard to undo. */
const FRESH_MINUTES = 15

export async function findSessionMembership(
  db: Queries,
  lookup: { userId: string; sessionId: string; organizationId: string },
): Promise<SessionMembership | null> {
  const row = await selectSessionMemberships(db, lookup)
    .where('organization.id', '=', lookup.organizationId)
    .executeTakeFirst()
  return row === undefined ? null : toSessionMembership(row)
}

/** Oldest organization first. */
export async function listSessionMemberships(
  db: Queries,
  lookup: { userId: string; sessionId: string },
): Promise<SessionMembership[]> {
  return (await selectSessionMemberships(db, lookup).execute()).map(toSessionMembership)
}

/** Throws AppError `second_factor_required` when the grace period is over. */
export function requireSecondFactor({ secondFactorDueAt }: SessionMembership): void {
  if (secondFactorDueAt !== null && secondFactorDueAt <= new Date())
    throw new AppError('second_factor_required')
}

/** Throws AppError `session_not_fresh` when the last proof of identity is too old. */
export function requireFresh({ provedAt }: { provedAt: Date }): void {
  if (!isFresh({ provedAt })) throw new AppError('session_not_fresh')
}

export function isFresh({ provedAt }: { provedAt: Date }): boolean {
  return provedAt.getTime() >= Date.now() - FRESH_MINUTES * 60_000
}

function selectSessionMemberships(db: Queries, { userId, sessionId }: { userId: string; sessionId: string }) {
  return db
    .selectFrom('members as member')
    .innerJoin('organizations as organization', 'organization.id', 'member.organization_id')
    .innerJoin('sessions as session', (join) =>
      join.on('session.id', '=', sessionId).onRef('session.user_id', '=', 'member.user_id'),
    )
    .select([
      'organization.id as organizationId',
      'organization.name as organizationName',
      'organization.plan',
      'member.role',
      'member.created_at as joined_at',
      'organization.second_factor_since as since',
      'organization.second_factor_days as days',
      'organization.second_factor_by_provider as providerCounts',
      'session.proved_at',
      'session.second_factor',
      'session.by_provider',
      sql<string | null>`(SELECT value FROM instance_settings WHERE name = ${SECOND_FACTOR_SETTING})`.as(
        'server_rule',
      ),
    ])
    .where('member.user_id', '=', userId)
    .orderBy('organization.created_at')
    .orderBy('organization.id')
}

type Row = Awaited<ReturnType<ReturnType<typeof selectSessionMemberships>['executeTakeFirstOrThrow']>>

function toSessionMembership(row: Row): SessionMembership {
  const { organizationId, organizationName, plan, role } = row
  const organizationRule: SecondFactorRule | null =
    row.since === null ? null : { since: row.since, days: row.days, providerCounts: row.providerCounts }
  const dueDates = [organizationRule, readServerRule(row.server_rule)]
    .filter((rule) => rule !== null)
    .filter(({ providerCounts }) => !row.second_factor && !(row.by_provider && providerCounts))
    .map(({ since, days }) => Math.max(since.getTime(), row.joined_at.getTime()) + days * 86_400_000)
  const secondFactorDueAt = dueDates.length === 0 ? null : new Date(Math.min(...dueDates))
  return { organizationId, organizationName, plan, role, provedAt: row.proved_at, secondFactorDueAt }
}
