/** Cached inbox lists by filters, kept up to date by live events. */

import { useSyncExternalStore } from 'preact/compat'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { ApiError } from '../../../../../src/client/call.ts'
import type { FeedbackDetail } from '../../../../../src/features/feedback/operations/feedback.ts'
import { internal } from '../../api/internal.ts'
import { octavo } from '../../api/octavo.ts'
import { useProjectEvents } from '../../app/project-events.ts'
import { queryClient } from '../../app/query-client.ts'
import { EntryList, type EntryListState } from './entry-list.ts'
import { type InboxFilters, matchesFilters, toQuery } from './inbox-filters.ts'

const PAGE_SIZE = 100
/**
 * Live events within this time form one batch. Up to `MAX_SINGLE_REFRESHES` entries of a batch are reloaded
 * individually.
 */
const BATCH_DELAY_MS = 250
const MAX_SINGLE_REFRESHES = 12

const INBOX_QUERY_KEY = 'inbox'

export function findOrCreateList(projectId: string, filters: InboxFilters): EntryList {
  const queryKey = [INBOX_QUERY_KEY, projectId, filters]
  const cachedList = queryClient.getQueryData<EntryList>(queryKey)
  if (cachedList !== undefined) return cachedList
  const list = new EntryList(
    (cursor) => loadPage(projectId, filters, cursor),
    filters.statuses,
    (entry) => matchesFilters(filters, entry),
  )
  queryClient.setQueryData(queryKey, list)
  return list
}

/** Loads a page through the query client, which detects an ended session. */
function loadPage(projectId: string, filters: InboxFilters, cursor: string | null) {
  return queryClient.fetchQuery({
    queryKey: ['inboxPage', projectId, filters, cursor],
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
    queryFn: () => requestPage(projectId, filters, cursor),
  })
}

function requestPage(projectId: string, filters: InboxFilters, cursor: string | null) {
  const query = {
    ...toQuery(filters),
    include: 'vote,reason,assignee,labels',
    limit: PAGE_SIZE,
    ...(cursor === null ? {} : { cursor }),
  }
  const { q, helpful } = filters
  if (q === null && helpful === null) return octavo.listFeedback(projectId, query)
  return internal('searchFeedback', {
    params: { projectId },
    query: {
      ...query,
      ...(q === null ? {} : { q }),
      ...(helpful === null ? {} : { vote: helpful ? 'up' : 'down' }),
    },
  })
}

/** Query for an entry with its history; uses the entry of the list as a placeholder. */
export function entryQuery(projectId: string, feedbackId: string) {
  return {
    queryKey: entryKey(projectId, feedbackId),
    queryFn: () => octavo.getFeedback(projectId, feedbackId),
  }
}

export function entryKey(projectId: string, feedbackId: string) {
  return ['feedbackEntry', projectId, feedbackId]
}

/** Returns all cached lists of a project, since a change may affect several of them. */
export function findCachedLists(projectId: string): EntryList[] {
  return queryClient
    .getQueriesData<EntryList>({ queryKey: [INBOX_QUERY_KEY, projectId] })
    .flatMap(([, list]) => (list === undefined ? [] : [list]))
}

export function useEntryList(projectId: string, filters: InboxFilters): [EntryList, EntryListState] {
  const key = JSON.stringify(filters)
  const list = useMemo(() => findOrCreateList(projectId, filters), [projectId, key])
  const state = useSyncExternalStore(list.subscribe, list.state)
  useEffect(() => {
    if (list.state().ids.length === 0) void list.loadMore()
    else void list.refresh()
  }, [list])
  return [list, state]
}

/** Updates a list on live events. `visible` returns the first and last visible row. */
export function useLiveList(projectId: string, list: EntryList, visible: () => [number, number]): void {
  const waiting = useRef<{
    ids: Set<string>
    isAll: boolean
    timer: ReturnType<typeof setTimeout> | undefined
  }>({
    ids: new Set(),
    isAll: false,
    timer: undefined,
  })
  useProjectEvents(['feedback'], ({ id }) => {
    const { current } = waiting
    if (id === null) current.isAll = true
    else current.ids.add(id)
    current.timer ??= setTimeout(() => {
      const { ids, isAll } = current
      waiting.current = { ids: new Set(), isAll: false, timer: undefined }
      void refreshList(projectId, list, isAll || ids.size > MAX_SINGLE_REFRESHES ? null : ids, visible())
    }, BATCH_DELAY_MS)
  })
}

async function refreshList(
  projectId: string,
  list: EntryList,
  ids: ReadonlySet<string> | null,
  [first, last]: [number, number],
): Promise<void> {
  if (list.state().error !== null) await list.loadMore()
  if (ids === null) {
    await list.refresh()
    await list.refreshRows(first, last)
    return
  }
  await Promise.all([...ids].map((id) => refreshEntry(projectId, list, id)))
}

async function refreshEntry(projectId: string, list: EntryList, id: string): Promise<void> {
  try {
    list.receive(toEntry(await octavo.getFeedback(projectId, id)))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) list.remove(id)
  }
}

function toEntry(detail: FeedbackDetail) {
  const { history: _history, updatedAt: _updatedAt, pageVersion: _pageVersion, ...entry } = detail
  return entry
}
