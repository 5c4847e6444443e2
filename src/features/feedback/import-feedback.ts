/**
 * Imports feedback collected by an offline bundle. Importing a file repeatedly stores each entry only once.
 */

import { sql } from 'kysely'
import { type Fault, faultAt } from '../../base/errors/fault.ts'
import type { Tx } from '../../database/database.ts'
import type { FeedbackEventDeps } from './intake/events.ts'
import { canonicalPagePath } from './intake/page-path.ts'
import { readSubmission, submissionFaults } from './intake/submission.ts'
import type { FeedbackFileEntry } from './operations/feedback-file.ts'
import { upsertFeedback } from './store.ts'

export interface ImportedFeedback {
  added: number
  /** Number of existing entries with new data. */
  changed: number
  /** Number of existing entries without changes. */
  known: number
  /** Ids that already belong to an entry on another page or of another kind; these entries are skipped. */
  conflicting: string[]
}

export function entryFaults(entry: unknown, index: number): Fault[] {
  const path = (entry as { path?: unknown } | null | undefined)?.path
  const isNoPath = typeof path === 'string' && path !== '' && canonicalPagePath(path) === null
  const faults = [...submissionFaults(entry), ...(isNoPath ? [faultAt('/path', 'invalid_site_path')] : [])]
  const field = `/entries/${index}`
  return faults.map((fault) => ({ ...fault, field, message: `\`${field}\`: ${fault.message}` }))
}

/**
 * Imports the whole file in the caller's transaction. An entry keeps its submission time, or has no time; a time in the
 * future becomes the current time. Its page need not exist, because the bundle may be older than the site.
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
  // Entries that the file both adds and changes are reported only once, in their final state.
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

/** Sets the original submission times, because the intake stores the time of arrival. */
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
