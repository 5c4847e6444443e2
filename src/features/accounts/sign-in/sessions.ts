/**
 * Lifetime of sessions, and the list of one person's sessions. An ended session is refused on every server as
 * of the commit.
 */

import type { Queries, Tx } from '../../../database/database.ts'
import type { Person } from '../../../routing/caller.ts'
import type { SessionList } from '../operations/people.ts'
import { recordForPerson } from '../people/setup.ts'

const DAY_SECONDS = 86_400
/** Lifetime of a session from its last renewal. */
export const SESSION_SECONDS = 30 * DAY_SECONDS
/** Interval at which a session in use is renewed. */
export const SESSION_RENEWAL_SECONDS = DAY_SECONDS

/** Newest first. */
export async function listSessions(db: Queries, { id, sessionId }: Person): Promise<SessionList> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'address', 'user_agent', 'created_at', 'updated_at', 'expires_at'])
    .where('user_id', '=', id)
    .where('expires_at', '>', new Date())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return {
    sessions: rows.map((row) => ({
      sessionId: row.id,
      isThis: row.id === sessionId,
      address: row.address,
      userAgent: row.user_agent,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.updated_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
    })),
  }
}

/** Returns false when the person has no such session. */
export async function endSession(tx: Tx, person: Person, sessionId: string): Promise<boolean> {
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', person.id)
    .where('id', '=', sessionId)
    .returning('id')
    .executeTakeFirst()
  if (ended === undefined) return false
  await recordForPerson(tx, person.id, { action: 'session.ended', details: { sessions: 1 } })
  return true
}

export async function endOtherSessions(tx: Tx, person: Person): Promise<number> {
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', person.id)
    .where('id', '<>', person.sessionId)
    .returning('id')
    .execute()
  if (ended.length > 0)
    await recordForPerson(tx, person.id, { action: 'session.ended', details: { sessions: ended.length } })
  return ended.length
}
