/**
 * Changes the status of entries: applied optimistically, sent in batches, and rolled back where the server rejects
 * them. Undo restores the previous status of each entry.
 */

import type {
  FeedbackDetail,
  FeedbackStatus,
} from '../../../../../src/features/feedback/operations/feedback.ts'
import type { FeedbackGroupList } from '../../../../../src/features/feedback/operations/inbox.ts'
import { internalKey } from '../../api/internal.ts'
import { octavo } from '../../api/octavo.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast, toastFailure, toastWithUndo } from '../../app/toasts.ts'
import { plural, t } from '../../words/words.ts'
import { entryKey, findCachedLists } from './entry-lists.ts'
import { statusLabel } from './labels.ts'

/** API limit of entries per request. */
const MAX_IDS_PER_REQUEST = 100

type StatusChanges = ReadonlyMap<string, { from: FeedbackStatus; to: FeedbackStatus }>

/** `report` receives the number of finished entries, for progress of long changes. */
export async function changeStatuses(
  projectId: string,
  changes: StatusChanges,
  words: string,
  report: (done: number) => void = () => undefined,
): Promise<void> {
  if (changes.size === 0) return
  if (!navigator.onLine) {
    toast({
      kind: 'failed',
      title: t('Nothing was changed'),
      detail: t('You are offline. Try again when the connection is back.'),
    })
    return
  }
  applyStatuses(projectId, changes, 'to')
  const lists = findCachedLists(projectId)
  for (const list of lists) list.lockStatuses(changes.keys())
  const refused: { part: string[]; error: unknown }[] = []
  let done = 0
  for (const { to, part } of splitIntoRequests(changes)) {
    try {
      await sendStatus(projectId, part, to)
    } catch (error) {
      refused.push({ part, error })
    }
    for (const list of lists) list.releaseStatuses(part)
    done += part.length
    report(done)
  }
  revertRefused(projectId, changes, refused)
  const failed = new Set(refused.flatMap(({ part }) => part))
  const changed = new Map([...changes].filter(([id]) => !failed.has(id)))
  if (changed.size > 0) offerUndo(projectId, changed, words)
  invalidateDetails(projectId, changes)
}

/** Returns the changes that set all entries to one status; entries that already have it are skipped. */
export function buildStatusChanges(
  entries: Iterable<readonly [id: string, from: FeedbackStatus]>,
  to: FeedbackStatus,
): StatusChanges {
  return new Map([...entries].filter(([, from]) => from !== to).map(([id, from]) => [id, { from, to }]))
}

function* splitIntoRequests(changes: StatusChanges): Generator<{ to: FeedbackStatus; part: string[] }> {
  const byTarget = Map.groupBy(changes, ([, { to }]) => to)
  for (const [to, wanted] of byTarget) {
    const ids = wanted.map(([id]) => id)
    for (let start = 0; start < ids.length; start += MAX_IDS_PER_REQUEST)
      yield { to, part: ids.slice(start, start + MAX_IDS_PER_REQUEST) }
  }
}

async function sendStatus(projectId: string, ids: string[], status: FeedbackStatus): Promise<void> {
  const [id] = ids
  if (ids.length === 1 && id !== undefined) await octavo.updateFeedback(projectId, id, { status })
  else await octavo.updateManyFeedback(projectId, {}, { status, ids })
}

function applyStatuses(projectId: string, changes: StatusChanges, side: 'from' | 'to'): void {
  const wanted = new Map([...changes].map(([id, change]) => [id, change[side]]))
  for (const list of findCachedLists(projectId)) list.setStatuses(wanted)
  for (const [id, status] of wanted)
    queryClient.setQueryData<FeedbackDetail>(
      entryKey(projectId, id),
      (detail) => detail && { ...detail, status },
    )
  applyToGroups(projectId, wanted)
}

/** Removes entries that no longer match from their groups, and removes groups with only one entry left. */
function applyToGroups(projectId: string, wanted: ReadonlyMap<string, FeedbackStatus>): void {
  const queryKey = internalKey('listFeedbackGroups', { params: { projectId } })
  for (const [key, list] of queryClient.getQueriesData<FeedbackGroupList>({ queryKey })) {
    if (list === undefined) continue
    const { status } = (key[2] ?? {}) as { status?: string }
    const statuses = status?.split(',')
    const groups = list.groups.flatMap((group) => {
      const changed = group.entries.map((entry) => ({
        ...entry,
        status: wanted.get(entry.id) ?? entry.status,
      }))
      const entries = changed.filter((entry) => statuses?.includes(entry.status) !== false)
      const count = group.count - (changed.length - entries.length)
      return count < 2 ? [] : [{ ...group, entries, count }]
    })
    queryClient.setQueryData<FeedbackGroupList>(key, { ...list, groups })
  }
}

function revertRefused(
  projectId: string,
  changes: StatusChanges,
  refused: readonly { part: string[]; error: unknown }[],
): void {
  const [first] = refused
  if (first === undefined) return
  const ids = refused.flatMap(({ part }) => part)
  const failed = new Map(
    ids.flatMap((id) => {
      const change = changes.get(id)
      return change === undefined ? [] : [[id, change] as const]
    }),
  )
  applyStatuses(projectId, failed, 'from')
  toastFailure(
    ids.length === 1
      ? t('The status was not changed')
      : plural(ids.length, '{count} status not changed', '{count} statuses not changed'),
    first.error,
    {
      action: {
        label: t('Try again'),
        run: () => void changeStatuses(projectId, failed, describeStatusChanges(failed)),
      },
    },
  )
}

function offerUndo(projectId: string, changed: StatusChanges, words: string): void {
  const back = new Map([...changed].map(([id, { from, to }]) => [id, { from: to, to: from }]))
  toastWithUndo(
    words || describeStatusChanges(changed),
    () =>
      void changeStatuses(
        projectId,
        back,
        plural(back.size, '{count} change undone', '{count} changes undone'),
      ),
  )
}

/** Returns `12 entries resolved`. */
export function describeStatusChanges(changes: StatusChanges): string {
  const targets = new Set([...changes.values()].map(({ to }) => to))
  const [to] = targets
  if (targets.size === 1 && to !== undefined) return statusLabel(to).doneMessage(changes.size)
  return plural(changes.size, '{count} entry changed', '{count} entries changed')
}

function invalidateDetails(projectId: string, changes: StatusChanges): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [kind, , id] }) => kind === 'feedbackEntry' && changes.has(String(id)),
  })
  void queryClient.invalidateQueries({
    queryKey: internalKey('listFeedbackGroups', { params: { projectId } }),
  })
}
