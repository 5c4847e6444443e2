/**
 * Rows of feedback, written by the intake. All messages with the same client id update one row:
 *
 *   thumbs_only ──reason, comment or contact──▶ contextual     the vote may change in both
 *   code_snippet, agent                                        never change
 *
 * A later message can only add to the row: a late repetition of a vote without text does not remove the
 * comment.
 */
import { CompiledQuery, sql } from 'kysely'
import { hashParts } from '../../base/hash.ts'
import { createId } from '../../base/ids.ts'
import type { Queries } from '../../database/database.ts'
import type { Submission } from './intake/submission.ts'
import type { FeedbackSource } from './operations/feedback.ts'

export interface NewFeedback extends Submission {
  projectId: string
  path: string
  addressHash: Buffer | null
}

export type StoredFeedback =
  | { kind: 'created' | 'changed' | 'same'; id: string; source: FeedbackSource }
  /** The id belongs to an entry on another page or of another kind. */
  | { kind: 'other' }

const INTO = `
  INSERT INTO feedback AS entry (id, project_id, source, path, helpful, reason, comment, contact, code, filename, lang,
    page_version, client_hash, address_hash)`

const ENTRY = `$1::text, $2::text, $3::text, $4::text, $5::boolean, $6::text, $7::text, $8::text, $9::text, $10::text,
  $11::text, $12::text, $13::bytea, $14::bytea`

const UPGRADE_ON_CONFLICT = `
  ON CONFLICT (client_hash) WHERE client_hash IS NOT NULL DO UPDATE SET
    source = CASE WHEN entry.source = 'thumbs_only' THEN excluded.source ELSE entry.source END,
    helpful = coalesce(excluded.helpful, entry.helpful),
    reason = coalesce(excluded.reason, entry.reason),
    comment = coalesce(excluded.comment, entry.comment),
    contact = coalesce(excluded.contact, entry.contact),
    updated_at = clock_timestamp()
  WHERE entry.path = excluded.path
    AND (entry.source = excluded.source
      OR entry.source IN ('thumbs_only', 'contextual') AND excluded.source IN ('thumbs_only', 'contextual'))
    AND entry.code IS NOT DISTINCT FROM excluded.code
    AND (coalesce(excluded.helpful, entry.helpful), coalesce(excluded.reason, entry.reason),
         coalesce(excluded.comment, entry.comment), coalesce(excluded.contact, entry.contact))
      IS DISTINCT FROM (entry.helpful, entry.reason, entry.comment, entry.contact)
  RETURNING id, source, id = $1 AS is_new`

interface UpsertedRow {
  id: string
  source: FeedbackSource
  is_new: boolean
}

/** Inserts or updates an entry in one statement. A repeated submission takes two statements and writes nothing. */
export async function upsertFeedback(queries: Queries, entry: NewFeedback): Promise<StoredFeedback> {
  const { rows } = await queries.executeQuery<UpsertedRow>(
    CompiledQuery.raw(`${INTO} VALUES (${ENTRY}) ${UPGRADE_ON_CONFLICT}`, entryValues(entry)),
  )
  return toStored(queries, rows[0], entry)
}

function entryValues(entry: NewFeedback): unknown[] {
  const { projectId, source, path, helpful, reason, comment, contact, code, filename, lang } = entry
  const identityValues = [createId('fb'), projectId, source, path]
  const contentValues = [helpful, reason, comment, contact, code, filename, lang]
  return [...identityValues, ...contentValues, entry.pageVersion, clientHashOf(entry), entry.addressHash]
}

function clientHashOf({ projectId, clientId }: NewFeedback): Buffer | null {
  return clientId === null ? null : hashClientId(projectId, clientId)
}

async function toStored(
  queries: Queries,
  row: UpsertedRow | undefined,
  entry: NewFeedback,
): Promise<StoredFeedback> {
  if (row !== undefined) return { kind: row.is_new ? 'created' : 'changed', id: row.id, source: row.source }
  const clientHash = clientHashOf(entry)
  if (clientHash === null) throw new Error('an entry without a client id was not inserted')
  return findConflicting(queries, clientHash, entry)
}

/** Determines whether the row with the same id is a repetition or a different entry. */
async function findConflicting(
  queries: Queries,
  clientHash: Buffer,
  entry: NewFeedback,
): Promise<StoredFeedback> {
  const row = await queries
    .selectFrom('feedback')
    .select(['id', 'source', 'path', 'code'])
    .where('client_hash', '=', clientHash)
    .executeTakeFirst()
  const isSame =
    row?.path === entry.path && row.code === entry.code && kindOf(row.source) === kindOf(entry.source)
  return row !== undefined && isSame ? { kind: 'same', id: row.id, source: row.source } : { kind: 'other' }
}

function kindOf(source: FeedbackSource): string {
  return source === 'contextual' ? 'thumbs_only' : source
}

/** Deletes a pending vote without text from the last hour. Returns false if there is none. */
export async function deleteVote(queries: Queries, projectId: string, clientId: string): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom('feedback')
    .where('client_hash', '=', hashClientId(projectId, clientId))
    .where('source', '=', 'thumbs_only')
    .where('status', '=', 'pending')
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Includes the project in the hash so that equal ids of different sites never collide. */
export function hashClientId(projectId: string, clientId: string): Buffer {
  return Buffer.from(hashParts(projectId, clientId), 'hex').subarray(0, 16)
}
