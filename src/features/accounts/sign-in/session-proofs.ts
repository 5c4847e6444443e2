/** Records each proof of identity on its session: when it was given, and whether a second factor was used. */
import { sql } from 'kysely'
import type { Queries, Tx } from '../../../database/database.ts'

export interface ProvedSession {
  id: string
  userId: string
  provedAt: Date
  /** Whether a code was used, or a passkey with user verification. */
  secondFactor: boolean
  byProvider: boolean
}

interface Proof {
  isFresh: boolean
  secondFactor: boolean
}

const FIRST_FACTOR: Proof = { isFresh: true, secondFactor: false }
const SECOND_FACTOR: Proof = { isFresh: true, secondFactor: true }
const NO_PROOF: Proof = { isFresh: false, secondFactor: false }

/** Ways to prove the identity, by endpoint; no other endpoint makes a session fresh. */
const PROOFS: Readonly<Record<string, Proof>> = {
  'sign-in/email': FIRST_FACTOR,
  'verify-password': FIRST_FACTOR,
  'change-password': FIRST_FACTOR,
  'callback/sso': FIRST_FACTOR,
  'two-factor/verify-totp': SECOND_FACTOR,
  'two-factor/verify-backup-code': SECOND_FACTOR,
  'passkey/verify-authentication': SECOND_FACTOR,
  'passkey/verify-registration': { ...SECOND_FACTOR, isFresh: false },
}

export async function findProvedSession(db: Queries, id: string): Promise<ProvedSession | null> {
  const row = await selectProvedSessions(db).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toProvedSession(row)
}

export async function findProvedSessions(db: Queries, userId: string): Promise<ProvedSession[]> {
  return (await selectProvedSessions(db).where('user_id', '=', userId).execute()).map(toProvedSession)
}

/** Finds a session by the first half of its cookie. */
export async function findSessionByToken(db: Queries, token: string): Promise<ProvedSession | null> {
  const row = await selectProvedSessions(db).where('token', '=', token).executeTakeFirst()
  return row === undefined ? null : toProvedSession(row)
}

interface ProofSessions {
  before: ProvedSession | null
  begun: ProvedSession | null
  /** Whether a single sign-on provider that itself requires a second factor was used. */
  byProvider: boolean
}

/**
 * Records the proof of identity that a successful call of an endpoint gives. A session that replaces another session of
 * the same person inherits the proofs of the replaced session and ends that session.
 */
export async function recordProof(
  db: Queries,
  endpoint: string,
  { before, begun, byProvider }: ProofSessions,
): Promise<void> {
  const replaced = before !== null && begun !== null && begun.userId === before.userId ? before : null
  const proof = PROOFS[endpoint] ?? NO_PROOF
  const session = begun ?? before
  if (session === null || (proof === NO_PROOF && replaced === null)) return
  await db
    .updateTable('sessions')
    .set({
      second_factor: session.secondFactor || proof.secondFactor || (replaced?.secondFactor ?? false),
      by_provider: session.byProvider || byProvider || (replaced?.byProvider ?? false),
      proved_at: proof.isFresh ? sql<Date>`now()` : (replaced ?? session).provedAt,
    })
    .where('id', '=', session.id)
    .execute()
  if (replaced !== null && replaced.id !== session.id)
    await db.deleteFrom('sessions').where('id', '=', replaced.id).execute()
}

export async function clearSecondFactor(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('sessions').set({ second_factor: false }).where('user_id', '=', userId).execute()
}

function selectProvedSessions(db: Queries) {
  return db.selectFrom('sessions').select(['id', 'user_id', 'proved_at', 'second_factor', 'by_provider'])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectProvedSessions>['executeTakeFirstOrThrow']>>

function toProvedSession(row: Row): ProvedSession {
  return {
    id: row.id,
    userId: row.user_id,
    provedAt: row.proved_at,
    secondFactor: row.second_factor,
    byProvider: row.by_provider,
  }
}
