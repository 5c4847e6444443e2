/** List of the inbox with its shortcuts and the actions on one or several entries. */

import { useLayoutEffect, useRef } from 'preact/hooks'
import type {
  FeedbackEntry,
  FeedbackStatus,
} from '../../../../../src/features/feedback/operations/feedback.ts'
import type { Duplicate } from '../../../../../src/features/feedback/operations/inbox.ts'
import { useCommands } from '../../app/commands.ts'
import { useHasPermission } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { PageBody } from '../../ui/page.tsx'
import { plural, t } from '../../words/words.ts'
import { useAskAgent } from './ask-agent.ts'
import { BulkBar } from './bulk-bar.tsx'
import { useEntryCursor } from './entry-cursor.ts'
import type { EntryList } from './entry-list.ts'
import { useEntryList, useLiveList } from './entry-lists.ts'
import { EntryRows, type RowsHandle } from './entry-rows.tsx'
import { InboxEmpty } from './inbox-empty.tsx'
import type { InboxFilters } from './inbox-filters.ts'
import { listCommands } from './list-commands.ts'
import { type Selection, useSelection } from './selection.ts'
import { type StatusChange, useStatusChange } from './use-status-change.tsx'
import { createWorkCommands, useWorkChange } from './use-work-change.tsx'

const MAX_SELECTED = 10_000

interface InboxProps {
  projectId: string
  filters: InboxFilters
  isNarrow: boolean
  openId: string | undefined
  hrefOf: (id: string) => string
  onOpen: (id: string | null) => void
  /** Called with the functions and the position of the list, which the detail needs. */
  onReady: (inbox: InboxHandle, position: ListPosition) => void
}

/** Index of the marked row, -1 if it is not loaded, and the number of loaded rows. */
export interface ListPosition {
  at: number
  count: number
}

export interface InboxHandle {
  entry: (id: string) => FeedbackEntry | undefined
  setStatus: (entries: readonly Duplicate[], to: FeedbackStatus) => void
  /** Opens the row before or after the marked row, if there is one. */
  step: (by: 1 | -1) => void
  remove: (id: string) => void
}

export function Inbox(props: InboxProps) {
  const { projectId, filters, openId } = props
  const inbox = useInbox(props)
  const { list, state, rows, marked, selection, change, mayChange } = inbox
  const mayAsk = useHasPermission('agent')
  useInboxCommands(inbox, props)
  const isEmpty = state.ids.length === 0 && !state.hasMore && !state.isLoading && state.error === null
  const isAllChosen = !state.hasMore && selection.ids.size >= state.ids.length
  return (
    <div class="flex min-h-0 flex-1 flex-col">
      <ArrivedNotice
        count={state.arrived}
        isMany={state.isManyArrived}
        onShow={() => void inbox.showArrived()}
      />
      {isEmpty ? (
        <PageBody>
          <InboxEmpty projectId={projectId} filters={filters} />
        </PageBody>
      ) : (
        <EntryRows
          key={JSON.stringify(filters)}
          handle={rows}
          list={list}
          state={state}
          isNarrow={props.isNarrow}
          q={filters.q}
          activeId={marked.id}
          openId={openId}
          selected={selection.ids}
          maySelect={mayChange}
          hrefOf={props.hrefOf}
          onOpen={props.onOpen}
          onSelect={selection.toggle}
        />
      )}
      {(selection.ids.size > 0 || change.progress !== null) && (
        <BulkBar
          projectId={projectId}
          words={plural(selection.ids.size, '{count} selected', '{count} selected')}
          ids={[...selection.ids]}
          progress={change.progress}
          mayAsk={mayAsk}
          onStatus={(to) => change.choose(inbox.entriesOf(selection.ids), to)}
          onAsk={() => change.ask(inbox.entriesOf(selection.ids))}
          onAssign={() => inbox.work.askAssignee(inbox.workOf(selection.ids))}
          onLabel={() => inbox.work.askLabels(inbox.workOf(selection.ids))}
          onAll={isAllChosen ? null : () => void inbox.chooseAll()}
          onClear={selection.clear}
        />
      )}
      {change.dialogs}
      {inbox.work.dialogs}
    </div>
  )
}

function useInbox({ projectId, filters, openId, onOpen, onReady }: InboxProps) {
  const [list, state] = useEntryList(projectId, filters)
  const rows = useRef<RowsHandle>(null)
  useLiveList(projectId, list, () => rows.current?.visible() ?? [0, 0])
  const marked = useEntryCursor(list, state.ids, rows, { openId, onOpen })
  const selection = useSelection(() => list.state().ids)
  useLayoutEffect(() => selection.clear(), [list])
  const change = useStatusChange(projectId, (changed) => {
    marked.advance(changed)
    selection.clear()
    // The button that had the focus disappears with the selection, so the focus returns to the marked row.
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      const index = list.state().ids.indexOf(list.activeId ?? '')
      if (list.state().ids.length > 0) rows.current?.show(Math.max(0, index))
    })
  })
  const handle: InboxHandle = {
    entry: (id) => list.entry(id),
    setStatus: change.choose,
    step: (by) => marked.goTo(marked.neighbourIndex(by), { isOpening: true }),
    remove: (id) => list.remove(id),
  }
  useLayoutEffect(() => onReady(handle, { at: marked.at, count: state.ids.length }))
  return {
    list,
    state,
    rows,
    marked,
    selection,
    change,
    work: useWorkChange(projectId),
    mayChange: useHasPermission('feedback'),
    chooseAll: () => chooseAll(list, selection, change),
    showArrived: async () => {
      await list.showArrived()
      list.scrollOffset = 0
      marked.goTo(0, { isOpening: false })
    },
    workOf: (ids: Iterable<string>): FeedbackEntry[] => [...ids].flatMap((id) => list.entry(id) ?? []),
    entriesOf: (ids: Iterable<string>): Duplicate[] =>
      [...ids].flatMap((id) => {
        const entry = list.entry(id)
        return entry === undefined ? [] : [{ id, status: entry.status }]
      }),
  }
}

type InboxState = ReturnType<typeof useInbox>

/** Selects all entries up to `MAX_SELECTED`, after loading the remaining entries. */
async function chooseAll(
  list: EntryList,
  selection: Selection,
  { setProgress }: StatusChange,
): Promise<void> {
  while (list.state().hasMore && list.state().error === null && list.state().ids.length < MAX_SELECTED) {
    const words = t('Finding all matches: {count}', { count: list.state().ids.length })
    setProgress({ words })
    await list.loadMore()
  }
  setProgress(null)
  const found = list.state().ids.slice(0, MAX_SELECTED)
  selection.add(found)
  if (list.state().hasMore)
    toast({
      kind: 'info',
      title: plural(found.length, 'The newest {count} is selected', 'The newest {count} are selected'),
      detail: t('There are more. Handle these first.'),
    })
}

function useInboxCommands(inbox: InboxState, { projectId, openId, onOpen }: InboxProps): void {
  const { state, marked, selection, change, mayChange } = inbox
  const { ids } = state
  const move = (step: 1 | -1) =>
    marked.goTo(Math.max(0, Math.min(ids.length - 1, marked.neighbourIndex(step))))
  const extendSelection = (step: 1 | -1) => {
    const to = Math.max(0, Math.min(ids.length - 1, marked.neighbourIndex(step)))
    for (const id of new Set([ids[marked.at], ids[to]]))
      if (mayChange && id !== undefined && !selection.ids.has(id)) selection.toggle(id, false)
    marked.goTo(to)
  }
  const targets = selection.ids.size > 0 ? [...selection.ids] : marked.at === -1 ? [] : [marked.id ?? '']
  const askAgent = useAskAgent(projectId, targets)
  useCommands([
    ...listCommands({
      thing: 'entry',
      size: ids.length,
      hasMarked: marked.at !== -1,
      chosen: selection.ids.size,
      mayChange,
      move,
      goTo: marked.goTo,
      open: () => marked.id !== null && onOpen(marked.id),
      choose: () => marked.id !== null && selection.toggle(marked.id, false),
      askStatus: () => change.ask(inbox.entriesOf(targets)),
      askAgent,
      chooseAll: () => void inbox.chooseAll(),
    }),
    ...createWorkCommands(inbox.work, () => inbox.workOf(targets), !mayChange || targets.length === 0),
    ...([1, -1] as const).map((step) => ({
      id: `feedback-${step === 1 ? 'next' : 'before'}-chosen`,
      label: step === 1 ? t('Select and go to the next') : t('Select and go to the previous'),
      keys: `shift+${step === 1 ? 'j' : 'k'}`,
      group: 'feedback' as const,
      isKeysOnly: true,
      run: () => extendSelection(step),
    })),
    {
      id: 'feedback-show-new',
      label: t('Show new entries'),
      keys: '.',
      group: 'feedback',
      icon: 'arrow-up',
      isOff: state.arrived === 0 && !state.isManyArrived,
      run: () => void inbox.showArrived(),
    },
    {
      id: 'feedback-close',
      label: t('Close or clear the selection'),
      keys: 'Escape',
      group: 'feedback',
      isKeysOnly: true,
      isOff: selection.ids.size === 0 && openId === undefined,
      run: () => {
        if (selection.ids.size > 0) return selection.clear()
        onOpen(null)
        if (marked.at !== -1) setTimeout(() => inbox.rows.current?.show(marked.at))
      },
    },
  ])
}

interface ArrivedNoticeProps {
  count: number
  isMany: boolean
  onShow: () => void
}

/** Button for new entries above the list; its live region always exists, so that screen readers announce it. */
function ArrivedNotice({ count: number, isMany, onShow }: ArrivedNoticeProps) {
  const isShown = number > 0 || isMany
  const words = isMany
    ? t('{count}+ new', { count: Math.max(100, number) })
    : plural(number, '{count} new', '{count} new')
  return (
    <div class="relative z-2 h-0" role="status">
      {isShown && (
        <Button
          size="small"
          look="primary"
          icon="arrow-up"
          class="absolute top-2 left-1/2 -translate-x-1/2 animate-rise shadow-high"
          onClick={onShow}
        >
          {words}
        </Button>
      )}
    </div>
  )
}
