/**
 * Imports the feedback that an offline bundle collected. Each entry is stored once, however often its file is
 * imported.
 */
import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import type { FeedbackEventDeps } from './intake/events.ts'
import { canonicalPagePath } from './intake/page-path.ts'
import { readSubmission, submissionFaults } from './intake/submission.ts'
import type { FeedbackFileEntry } from './operations/feedback-file.ts'
import { upsertFeedback } from './store.ts'

export interface ImportedFeedback {
  added: number
  /** Existing entries that gained data. */
  changed: number
  /** Existing entries that were already as in the file. */
  known: number
  /** Ids from the file that belong to an entry on another page or of another kind. These are skipped. */
  conflicting: string[]
}

/** Validates what the schema of the file cannot express, one sentence per fault. */
export function entryFaults(entry: unknown, index: number): string[] {
  const path = (entry as { path?: unknown } | null | undefined)?.path
  const isNoPath = typeof path === 'string' && path !== '' && canonicalPagePath(path) === null
  const messages = submissionFaults(entry).map(({ message }) => message)
  const faults = [...messages, ...(isNoPath ? ['`/path` cannot be the path of a page'] : [])]
  return faults.map((fault) => `\`/entries/${index}\`: ${fault}`)
}

/**
 * Imports the whole file in the caller's transaction. An entry keeps the time at which it was submitted, capped at
 * now; without one, it has no time. Pages need not exist, since the bundle may be older than the site.
 */
export async function importFeedback(
  deps: FeedbackEventDeps,
  tx: Tx,
  projectId: string,
  entries: readonly FeedbackFileEntry[],
): Promise<ImportedFeedback> {
  const added: { id: string; createdAt: Date | null }[] = []
  const changed: string[] = []
  const conflicting: string[] = []
  for (const entry of entries) {
    const path = canonicalPagePath(entry.path)
    if (path === null) throw new Error(`the entry ${entry.id} was not checked`)
    const submission = { ...readSubmission(entry), projectId, path, addressHash: null }
    const stored = await upsertFeedback(tx, submission)
    if (stored.kind === 'created') added.push({ id: stored.id, createdAt: creationTime(entry) })
    if (stored.kind === 'changed') changed.push(stored.id)
    if (stored.kind === 'other') conflicting.push(entry.id)
  }
  await setCreationTimes(tx, added)
  const addedIds = added.map(({ id }) => id)
  // Entries that one file both adds and changes are reported once, in their final state.
  const changedIds = [...new Set(changed)].filter((id) => !addedIds.includes(id))
  if (addedIds.length > 0)
    await deps.reportFeedbackChanges(tx, { type: 'feedback.created', projectId, feedbackIds: addedIds })
  if (changedIds.length > 0)
    await deps.reportFeedbackChanges(tx, { type: 'feedback.updated', projectId, feedbackIds: changedIds })
  const known = entries.length - added.length - changed.length - conflicting.length
  return { added: added.length, changed: changedIds.length, known, conflicting }
}

function creationTime({ createdAt }: FeedbackFileEntry): Date | null {
  return createdAt === undefined ? null : new Date(Math.min(Date.parse(createdAt), Date.now()))
}

/**
 * Restores the original times. The intake only sets the time of arrival, but these entries were submitted earlier.
 */
async function setCreationTimes(
  tx: Tx,
  added: readonly { id: string; createdAt: Date | null }[],
): Promise<void> {
  await sql`
    UPDATE feedback SET created_at = said.at
    FROM unnest(${added.map(({ id }) => id)}::text[], ${added.map(({ createdAt }) => createdAt)}::timestamptz[])
      AS said (id, at)
    WHERE feedback.id = said.id`.execute(tx)
}
