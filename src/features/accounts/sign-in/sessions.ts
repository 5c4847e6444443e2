/** Lists and ends the sessions of one person. An ended session is refused on every server as of the commit. */

import type { Queries, Tx } from '../../../database/database.ts'
import type { Person } from '../../../routing/caller.ts'
import type { SessionList } from '../operations/people.ts'
import { recordForPerson } from '../people/setup.ts'

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

/** Ends all sessions but the current one, and returns their number. */
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
