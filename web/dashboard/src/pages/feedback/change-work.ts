/**
 * Assigns and labels entries in batches; the response is displayed, and undo restores each entry's previous state.
 */

import type {
  FeedbackDetail,
  FeedbackEntry,
} from '../../../../../src/features/feedback/operations/feedback.ts'
import type {
  ChangedFeedbackWork,
  ChangeFeedbackWorkBody,
  FeedbackLabel,
} from '../../../../../src/features/feedback/operations/feedback-work.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast, toastFailure, toastWithUndo } from '../../app/toasts.ts'
import { plural, t } from '../../words/words.ts'
import { entryKey, findCachedLists } from './entry-lists.ts'

/** API limit of entries per request. */
const MAX_IDS_PER_REQUEST = 100

/** Change to assignee and labels, with the names to display before the server has responded. */
export interface WorkChange {
  /** Null removes the assignee. */
  assignee?: { id: string; name: string } | null
  add?: readonly Pick<FeedbackLabel, 'id' | 'name'>[]
  remove?: readonly Pick<FeedbackLabel, 'id' | 'name'>[]
}

type Before = ChangedFeedbackWork['changed']

/**
 * `words` returns the success message for a number of entries: `3 entries assigned to Ada`. Resolves to true
 * if all entries were changed.
 */
export async function changeWork(
  projectId: string,
  ids: readonly string[],
  change: WorkChange,
  words: (count: number) => string,
): Promise<boolean> {
  if (ids.length === 0) return true
  applyToCache(projectId, ids, change)
  const before: Before = []
  let isDone = false
  try {
    for (let start = 0; start < ids.length; start += MAX_IDS_PER_REQUEST)
      before.push(...(await sendChange(projectId, ids.slice(start, start + MAX_IDS_PER_REQUEST), change)))
    isDone = true
  } catch (error) {
    invalidateWork(projectId, { isReloading: true })
    toastFailure(before.length === 0 ? t('Nothing was changed') : t('Some changes were not made'), error)
  }
  if (before.length > 0) offerUndo(projectId, before, change, words(before.length))
  else if (isDone) toast({ kind: 'info', title: t('Already done: nothing has changed') })
  invalidateWork(projectId)
  return isDone
}

async function sendChange(
  projectId: string,
  ids: readonly string[],
  { assignee, add = [], remove = [] }: WorkChange,
): Promise<Before> {
  const body: ChangeFeedbackWorkBody = {
    ids: [...ids],
    ...(assignee === undefined ? {} : { assigneeId: assignee?.id ?? null }),
    ...(add.length === 0 ? {} : { addLabels: add.map(({ id }) => id) }),
    ...(remove.length === 0 ? {} : { removeLabels: remove.map(({ id }) => id) }),
  }
  const { changed } = await internal('changeFeedbackWork', { params: { projectId }, body })
  return changed
}

function applyToCache(projectId: string, ids: readonly string[], change: WorkChange): void {
  for (const list of findCachedLists(projectId))
    list.updateEntries(ids, (entry) => applyChange(entry, change))
  for (const id of ids)
    queryClient.setQueryData<FeedbackDetail>(
      entryKey(projectId, id),
      (detail) => detail && applyChange(detail, change),
    )
}

function applyChange<Entry extends FeedbackEntry>(
  entry: Entry,
  { assignee, add = [], remove = [] }: WorkChange,
) {
  const otherLabels = (entry.labels ?? []).filter(
    ({ id }) => ![...add, ...remove].some((label) => label.id === id),
  )
  const labels = [...otherLabels, ...add.map(({ id, name }) => ({ id, name }))].toSorted((a, b) =>
    a.name.localeCompare(b.name),
  )
  return { ...entry, labels, ...(assignee === undefined ? {} : { assignee }) }
}

function offerUndo(projectId: string, before: Before, change: WorkChange, words: string): void {
  toastWithUndo(words, () => void revertChange(projectId, before, change))
}

/** Restores the previous state; entries with the same state share a request. */
async function revertChange(projectId: string, before: Before, change: WorkChange): Promise<void> {
  const { add = [], remove = [] } = change
  const entriesByPreviousWork = Map.groupBy(before, ({ assigneeId, labelIds }) => {
    const wasOff = add.filter(({ id }) => !labelIds.includes(id)).map(({ id }) => id)
    const wasOn = remove.filter(({ id }) => labelIds.includes(id)).map(({ id }) => id)
    return JSON.stringify([assigneeId, wasOff, wasOn])
  })
  try {
    for (const [key, entries] of entriesByPreviousWork) {
      const [assigneeId, wasOff, wasOn] = JSON.parse(key) as [string | null, string[], string[]]
      const body = {
        ...(change.assignee === undefined ? {} : { assigneeId }),
        ...(wasOff.length === 0 ? {} : { removeLabels: wasOff }),
        ...(wasOn.length === 0 ? {} : { addLabels: wasOn }),
      }
      const ids = entries.map(({ id }) => id)
      for (let start = 0; start < ids.length; start += MAX_IDS_PER_REQUEST)
        await internal('changeFeedbackWork', {
          params: { projectId },
          body: { ids: ids.slice(start, start + MAX_IDS_PER_REQUEST), ...body },
        })
    }
    toast({ kind: 'done', title: plural(before.length, '{count} change undone', '{count} changes undone') })
  } catch (error) {
    toastFailure(t('Some changes were not undone'), error)
  }
  invalidateWork(projectId, { isReloading: true })
}

/** Refetches the affected data. `isReloading` reloads the lists too, as entries may match again after undo. */
function invalidateWork(projectId: string, { isReloading = false } = {}): void {
  if (isReloading) for (const list of findCachedLists(projectId)) void list.reload()
  void queryClient.invalidateQueries({ queryKey: ['feedbackEntry', projectId] })
  void queryClient.invalidateQueries({ queryKey: labelsKey(projectId) })
  void queryClient.invalidateQueries({
    queryKey: internalKey('listFeedbackGroups', { params: { projectId } }),
  })
}

export function labelsKey(projectId: string) {
  return internalKey('listFeedbackLabels', { params: { projectId } })
}

/** Refetches everything that contains label names, after a label was renamed or deleted. */
export function refreshLabels(projectId: string): void {
  invalidateWork(projectId, { isReloading: true })
}
