/** Assigns and labels entries. Changes return the previous state so that they can be undone. */
import { CompiledQuery } from 'kysely'
import { AppError } from '../../base/errors/errors.ts'
import { createFault, type Fault, faultAt } from '../../base/errors/fault.ts'
import type { Tx } from '../../database/database.ts'
import { recordNotification } from '../notifications/record-notification.ts'
import { createValues } from './filters.ts'
import { lockLabels, unknownLabels } from './labels.ts'
import {
  type ChangedFeedbackWork,
  type ChangeFeedbackWorkBody,
  MAX_ENTRY_LABELS,
} from './operations/feedback-work.ts'
import type { ProjectScope } from './page-sql.ts'

export function workFaults(body: unknown): Fault[] {
  const { assigneeId, addLabels, removeLabels } = (body ?? {}) as Partial<ChangeFeedbackWorkBody>
  if (assigneeId === undefined && addLabels === undefined && removeLabels === undefined)
    return [createFault('one_of_required', { fields: ['/assigneeId', '/addLabels', '/removeLabels'] })]
  return []
}

/**
 * Skips entries that already match and ids that are not in the project. Throws AppError `not_found`,
 * `too_many_labels_on_entry`, `invalid_request` for a user who is not a member or a label that does not
 * exist.
 */
export async function changeFeedbackWork(
  tx: Tx,
  scope: ProjectScope & { actor: string },
  wanted: ChangeFeedbackWorkBody,
): Promise<ChangedFeedbackWork> {
  await lockLabels(tx, scope)
  await checkAssignee(tx, scope, wanted.assigneeId)
  const { addLabels: add = [], removeLabels: remove = [] } = wanted
  const unknown = await unknownLabels(tx, scope.projectId, add)
  if (unknown.length > 0)
    throw invalidRequestError(faultAt('/addLabels', 'unknown_label', { name: String(unknown[0]) }))
  const changed = await applyWorkChange(tx, scope, wanted, { add, remove })
  if (changed.some(({ label_count: count }) => count > MAX_ENTRY_LABELS))
    throw new AppError('too_many_labels_on_entry')
  await notifyAssignee(tx, scope, wanted.assigneeId, changed)
  return {
    changed: changed.map(({ id, assignee_id, label_ids }) => ({
      id,
      assigneeId: assignee_id,
      labelIds: label_ids,
    })),
  }
}

/** Sends a single notification for all entries, and none to users who assign entries to themselves. */
async function notifyAssignee(
  tx: Tx,
  { projectId, actor }: ProjectScope & { actor: string },
  assigneeId: string | null | undefined,
  changed: readonly ChangedRow[],
): Promise<void> {
  if (assigneeId == null || assigneeId === actor) return
  const [first, ...more] = changed.filter(({ assignee_id: before }) => before !== assigneeId)
  if (first === undefined) return
  const entries = more.length + 1
  const assignment = { kind: 'feedback_assigned', projectId, subject: first.id, owner: assigneeId } as const
  await recordNotification(tx, { ...assignment, facts: { entries } })
}

interface ChangedRow {
  id: string
  /** Values of `assignee_id` and `label_ids` before the change. */
  assignee_id: string | null
  label_ids: string[]
  /** Number of labels after the change. */
  label_count: number
}

async function applyWorkChange(
  tx: Tx,
  { projectId, actor }: ProjectScope & { actor: string },
  { ids, assigneeId }: ChangeFeedbackWorkBody,
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): Promise<ChangedRow[]> {
  const values = createValues()
  const assignee = assigneeId === undefined ? 'assignee_id' : `${values.add(assigneeId)}::text`
  const labels = `ARRAY(
    SELECT label FROM unnest(label_ids || ${values.add(add)}::text[]) AS label
    WHERE label <> ALL(${values.add(remove)}::text[]) GROUP BY label ORDER BY label)`
  const text = `
    WITH picked AS MATERIALIZED (
      SELECT id, assignee_id, label_ids, ${assignee} AS new_assignee, ${labels} COLLATE "C" AS new_labels
      FROM feedback WHERE project_id = ${values.add(projectId)} AND id = ANY(${values.add(ids)}::text[])
      ORDER BY sort_at DESC, id DESC FOR UPDATE
    ), changed AS (
      UPDATE feedback SET assignee_id = new_assignee, label_ids = new_labels, updated_at = clock_timestamp()
      FROM picked WHERE feedback.id = picked.id
        AND (picked.assignee_id IS DISTINCT FROM new_assignee OR NOT (picked.label_ids @> new_labels AND picked.label_ids <@ new_labels))
      RETURNING feedback.id, picked.assignee_id, picked.label_ids, new_assignee, new_labels, updated_at
    ), recorded AS (
      INSERT INTO feedback_changes (feedback_id, actor, at, from_assignee, to_assignee, labels_added, labels_removed)
      SELECT id, ${values.add(actor)}, updated_at, assignee_id, new_assignee,
        ${namesOf('new_labels', 'label_ids')}, ${namesOf('label_ids', 'new_labels')}
      FROM changed
    )
    SELECT id, assignee_id, label_ids, cardinality(new_labels) AS label_count FROM changed`
  const { rows } = await tx.executeQuery<ChangedRow>(CompiledQuery.raw(text, values.list))
  return rows
}

/** Returns SQL for the names of the labels that are in `list` but not in `without`. Omits labels deleted meanwhile. */
function namesOf(list: string, without: string): string {
  return `ARRAY(SELECT name FROM feedback_labels WHERE id = ANY(${list}) AND id <> ALL(${without}) ORDER BY lower(name))`
}

/** Locks the member's row, so that a concurrent removal of the member waits and then also unassigns these entries. */
async function checkAssignee(
  tx: Tx,
  { organizationId }: ProjectScope,
  assigneeId: string | null | undefined,
): Promise<void> {
  if (assigneeId == null) return
  const member = await tx
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', assigneeId)
    .forShare()
    .executeTakeFirst()
  if (member === undefined) throw invalidRequestError(faultAt('/assigneeId', 'not_a_member'))
}

function invalidRequestError(fault: Fault): AppError {
  return new AppError('invalid_request', { details: [fault] })
}
