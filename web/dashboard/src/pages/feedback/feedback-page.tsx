/** Inbox: feedback of readers and agents, with its context. */

import { useCallback, useMemo, useRef, useState } from 'preact/hooks'
import { internalQuery } from '../../api/internal.ts'
import { octavo } from '../../api/octavo.ts'
import { useCommands } from '../../app/commands.ts'
import { useProjectId } from '../../app/current-project.ts'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { type QueryParameters, stringifySearch, useQueryParameters } from '../../app/query-parameters.ts'
import { saveFile } from '../../app/save-file.ts'
import { signedInUserId, useUser } from '../../app/session.ts'
import { toastFailure } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { formatBytes } from '../../ui/numbers.ts'
import { PageHeader } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { useIsPhone } from '../../ui/use-width.ts'
import { t } from '../../words/words.ts'
import { contextQuery } from './entry-context.tsx'
import { EntryDetail } from './entry-detail.tsx'
import { entryQuery, findOrCreateList } from './entry-lists.ts'
import { FilterBar } from './filter-bar.tsx'
import { GroupRows, groupsQuery } from './group-rows.tsx'
import { Inbox, type InboxHandle, type ListPosition } from './inbox.tsx'
import { formatDay, type InboxFilters, parseFilters, toQuery } from './inbox-filters.ts'
import { useHasNoFeedback } from './list-filters.tsx'
import { SavedViews } from './saved-views.tsx'
import { useStatusChange } from './use-status-change.tsx'
import { useWorkChange } from './use-work-change.tsx'
import { labelsQuery } from './work-marks.tsx'

export const preload: Preload = ({ params, search }) => {
  const { projectId = '' } = params
  const filters = parseFilters(search, Date.now(), signedInUserId())
  if (search.grouped === 'yes') void queryClient.prefetchQuery(groupsQuery(projectId, filters))
  else void findOrCreateList(projectId, filters).loadFirst()
  void queryClient.prefetchQuery(internalQuery('listFeedbackViews', { params: { projectId } }))
  void queryClient.prefetchQuery(labelsQuery(projectId))
  if (search.entry) {
    void queryClient.prefetchQuery(entryQuery(projectId, search.entry))
    void queryClient.prefetchQuery(contextQuery(projectId, search.entry))
  }
}

export function FeedbackPage() {
  const projectId = useProjectId()
  const address = useInboxUrl(projectId)
  const { filters, isGrouped, openId, open } = address
  const isPhone = useIsPhone()
  const inbox = useRef<InboxHandle | null>(null)
  const [position, setPosition] = useState<ListPosition>({ at: -1, count: 0 })
  const statusChange = useStatusChange(projectId)
  const workChange = useWorkChange(projectId)
  const onReady = useCallback((handle: InboxHandle, { at, count }: ListPosition) => {
    inbox.current = handle
    setPosition((before) => (before.at === at && before.count === count ? before : { at, count }))
  }, [])
  const list = {
    projectId,
    filters,
    isNarrow: isPhone || openId !== undefined,
    openId,
    hrefOf: address.hrefOf,
    onOpen: open,
  }
  return (
    <div class="flex min-h-0 flex-1 flex-col">
      {openId !== undefined && <h1 class="sr-only md:hidden">{t('Feedback')}</h1>}
      <div class={openId === undefined ? 'contents' : 'contents max-md:hidden'}>
        <FeedbackHeader projectId={projectId} {...address} />
      </div>
      <SplitView
        name="feedback"
        backHref={address.listHref}
        backLabel={t('Feedback')}
        list={isGrouped ? <GroupRows {...list} /> : <Inbox {...list} onReady={onReady} />}
        detail={
          openId === undefined ? null : (
            <EntryDetail
              projectId={projectId}
              feedbackId={openId}
              known={isGrouped ? undefined : inbox.current?.entry(openId)}
              onClose={() => open(null)}
              onStatus={(entry, to) => {
                if (isGrouped || !inbox.current) statusChange.choose([entry], to)
                else inbox.current.setStatus([entry], to)
              }}
              work={workChange}
              onPickDuplicates={statusChange.ask}
              onPath={(path) => address.change({ path })}
              onBefore={!isGrouped && position.at > 0 ? () => inbox.current?.step(-1) : null}
              onNext={!isGrouped && position.at < position.count - 1 ? () => inbox.current?.step(1) : null}
              onGone={(id) => inbox.current?.remove(id)}
            />
          )
        }
      />
      {statusChange.dialogs}
      {workChange.dialogs}
    </div>
  )
}

/** Returns the inbox state from the URL (filters, grouping, open entry) and functions to change it. */
function useInboxUrl(projectId: string) {
  const [parameters, change] = useQueryParameters()
  const isGrouped = parameters.grouped === 'yes'
  const openId = parameters.entry
  const listHref = `/p/${projectId}/feedback${stringifySearch({ ...parameters, entry: undefined })}`
  const hrefOf = useCallback(
    (id: string) => `${listHref}${listHref.includes('?') ? '&' : '?'}entry=${id}`,
    [listHref],
  )
  const open = useCallback(
    (id: string | null) =>
      change({ entry: id ?? undefined }, { replace: openId !== undefined && id !== null }),
    [change, openId],
  )
  const toggleGrouped = () => change({ grouped: isGrouped ? undefined : 'yes', entry: undefined })
  return { filters: useFilters(parameters), isGrouped, openId, listHref, hrefOf, open, toggleGrouped, change }
}

function FeedbackHeader({
  projectId,
  filters,
  isGrouped,
  openId,
  open,
  toggleGrouped,
}: { projectId: string } & ReturnType<typeof useInboxUrl>) {
  useCommands([
    {
      id: 'feedback-grouped',
      label: isGrouped ? t('Show each entry') : t('Group repeated feedback'),
      keys: 'd',
      group: 'feedback',
      icon: 'layers',
      run: toggleGrouped,
    },
    {
      id: 'feedback-close',
      label: t('Close'),
      keys: 'Escape',
      group: 'feedback',
      isKeysOnly: true,
      isOff: !isGrouped || openId === undefined,
      run: () => open(null),
    },
  ])
  const [parameters] = useQueryParameters()
  const hasNone = useHasNoFeedback(projectId, parameters)
  if (hasNone && !isGrouped) return <PageHeader isFull title={t('Feedback')} />
  return (
    <PageHeader
      isFull
      title={t('Feedback')}
      actions={
        <>
          <SavedViews projectId={projectId} />
          <Button size="small" icon="layers" aria-pressed={isGrouped} onClick={toggleGrouped}>
            <span class="max-md:sr-only">{t('Duplicates')}</span>
          </Button>
          <ExportMenu projectId={projectId} filters={filters} />
        </>
      }
    >
      <FilterBar projectId={projectId} isGrouped={isGrouped} />
    </PageHeader>
  )
}

/** Returns the same object while the filters are equal. */
function useFilters(parameters: QueryParameters): InboxFilters {
  const key = JSON.stringify(parseFilters(parameters, Date.now(), useUser().id))
  return useMemo(() => JSON.parse(key) as InboxFilters, [key])
}

const FORMATS = {
  csv: { name: 'CSV', about: t('For spreadsheets'), type: 'text/csv' },
  jsonl: {
    name: t('JSON lines'),
    about: t('One entry per line, for programs'),
    type: 'application/x-ndjson',
  },
} as const
type Format = keyof typeof FORMATS

function ExportMenu({ projectId, filters }: { projectId: string; filters: InboxFilters }) {
  const [size, setSize] = useState<number | null>(null)
  const hasMore = filters.q !== null || filters.helpful !== null
  const save = async (format: Format) => {
    setSize(0)
    try {
      const query = { ...toQuery(filters), format, bom: true, include: 'vote,reason,assignee,labels' }
      const file = { name: `feedback-${formatDay(Date.now())}.${format}`, type: FORMATS[format].type }
      await saveFile(await octavo.exportFeedback(projectId, query), file, setSize)
    } catch (error) {
      toastFailure(t('The file was not saved'), error)
    } finally {
      setSize(null)
    }
  }
  return (
    <Menu
      label={t('Export', { context: 'verb' })}
      align="end"
      items={[
        ...(hasMore ? [{ heading: t('The file ignores the search text and the vote filter') }] : []),
        ...(Object.keys(FORMATS) as Format[]).map((format) => ({
          label: FORMATS[format].name,
          about: FORMATS[format].about,
          run: () => void save(format),
        })),
      ]}
      trigger={(trigger) => (
        <Button size="small" icon="download" isBusy={size !== null} {...trigger}>
          <span class={size === null ? 'max-md:sr-only' : ''}>
            {size === null ? t('Export', { context: 'verb' }) : formatBytes(size)}
          </span>
        </Button>
      )}
    />
  )
}
