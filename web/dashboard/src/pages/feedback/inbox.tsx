/** The list of the inbox, what its keys do, and what is done to one entry or to many. */
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SameEntry } from '../../../../../src/contract/dashboard-feedback.ts'
import type { FeedbackEntry, FeedbackStatus } from '../../../../../src/contract/feedback.ts'
import { useCommands } from '../../app/commands.ts'
import { useMayDo } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { count } from '../../ui/numbers.ts'
import { BulkBar } from './bulk-bar.tsx'
import { useEntryList, useLiveList } from './entry-lists.ts'
import { EntryRows, type RowsHandle } from './entry-rows.tsx'
import { InboxEmpty } from './inbox-empty.tsx'
import type { InboxFilters } from './inbox-filters.ts'
import { useSelection } from './selection.ts'
import { useStatusChange } from './use-status-change.tsx'

/** Entries that are chosen at once by their filters. */
const MOST_CHOSEN = 10_000

interface InboxProps {
  projectId: string
  filters: InboxFilters
  isNarrow: boolean
  openId: string | undefined
  hrefOf: (id: string) => string
  onOpen: (id: string | null) => void
  /** What the detail needs of the list. */
  onReady: (inbox: InboxHandle, place: ListPlace) => void
}

/** Where the marked row stands among how many that are loaded; -1: it is not among them. */
export interface ListPlace {
  at: number
  count: number
}

export interface InboxHandle {
  entry: (id: string) => FeedbackEntry | undefined
  setStatus: (entries: readonly SameEntry[], to: FeedbackStatus) => void
  /** Opens the row before or behind the marked one, if there is one. */
  step: (by: 1 | -1) => void
  remove: (id: string) => void
}

export function Inbox({ projectId, filters, isNarrow, openId, hrefOf, onOpen, onReady }: InboxProps) {
  const [list, state] = useEntryList(projectId, filters)
  const rows = useRef<RowsHandle>(null)
  const selection = useSelection(() => list.state().ids)
  const mayChange = useMayDo('feedback')
  const mayAsk = useMayDo('agent')
  const [activeId, setActiveId] = useState<string | null>(openId ?? list.activeId)
  useLiveList(projectId, list, () => rows.current?.visible() ?? [0, 0])

  const { ids } = state
  const at = activeId === null ? -1 : ids.indexOf(activeId)
  // Where the marked row was, for when it leaves the list.
  const lastAt = useRef(0)
  if (at !== -1) lastAt.current = at
  useLayoutEffect(() => {
    if (activeId === null || at !== -1 || ids.length === 0) return
    if (activeId !== openId) setActiveId(ids[Math.min(lastAt.current, ids.length - 1)] ?? null)
  }, [activeId, at, ids, openId])
  useLayoutEffect(() => {
    if (openId !== undefined) setActiveId(openId)
  }, [openId])
  useLayoutEffect(() => {
    list.activeId = activeId
  }, [list, activeId])
  useLayoutEffect(() => selection.clear(), [list])

  const goTo = useCallback(
    (index: number, { isOpening = openId !== undefined } = {}) => {
      const id = list.state().ids[index]
      if (id === undefined) return
      setActiveId(id)
      rows.current?.show(index)
      if (isOpening) onOpen(id)
    },
    [list, openId, onOpen],
  )
  const move = (step: 1 | -1, isSelecting = false) => {
    const from = at === -1 ? (activeId === null ? -1 : lastAt.current - (step === 1 ? 1 : 0)) : at
    const to = at === -1 && activeId === null ? 0 : Math.max(0, Math.min(ids.length - 1, from + step))
    if (isSelecting && mayChange) {
      const [here, there] = [ids[at], ids[to]]
      if (here !== undefined && !selection.ids.has(here)) selection.toggle(here, false)
      if (there !== undefined && there !== here && !selection.ids.has(there)) selection.toggle(there, false)
    }
    goTo(to)
  }

  /** After a change, the next row takes the place of the one that has left. */
  const goOn = (changed: ReadonlySet<string>) => {
    const left = list.state().ids
    const isOpenGone = openId !== undefined && changed.has(openId) && !left.includes(openId)
    if (left.length === 0) return onOpen(null)
    if (isOpenGone || (activeId !== null && changed.has(activeId) && !left.includes(activeId)))
      goTo(Math.min(lastAt.current, left.length - 1))
  }
  const change = useStatusChange(projectId, (changed) => {
    goOn(changed)
    selection.clear()
  })
  const { progress, setProgress } = change
  const known = (wanted: Iterable<string>) =>
    [...wanted].flatMap((id) => {
      const entry = list.entry(id)
      return entry === undefined ? [] : [{ id, status: entry.status }]
    })
  const targets =
    selection.ids.size > 0 ? [...selection.ids] : activeId !== null && at !== -1 ? [activeId] : []

  const chooseAll = async () => {
    while (list.state().hasMore && list.state().error === null && list.state().ids.length < MOST_CHOSEN) {
      setProgress({ done: list.state().ids.length, total: null, words: 'Looking for all that match' })
      await list.loadMore()
    }
    setProgress(null)
    const found = list.state().ids.slice(0, MOST_CHOSEN)
    selection.add(found)
    if (list.state().hasMore)
      toast({
        kind: 'info',
        title: `The newest ${count(found.length)} are chosen`,
        detail: 'There are more: deal with these first.',
      })
  }

  const handle: InboxHandle = {
    entry: (id) => list.entry(id),
    setStatus: change.choose,
    step: (by) => goTo((at === -1 ? lastAt.current - (by === 1 ? 1 : 0) : at) + by, { isOpening: true }),
    remove: (id) => list.remove(id),
  }
  useLayoutEffect(() => onReady(handle, { at, count: ids.length }))

  useCommands([
    ...[
      { id: 'feedback-next', label: 'Next entry', keys: 'j', run: () => move(1) },
      { id: 'feedback-before', label: 'Entry before', keys: 'k', run: () => move(-1) },
      { id: 'feedback-down', label: 'Next entry', keys: 'ArrowDown', run: () => move(1) },
      { id: 'feedback-up', label: 'Entry before', keys: 'ArrowUp', run: () => move(-1) },
      {
        id: 'feedback-next-chosen',
        label: 'Choose and go to the next',
        keys: 'shift+j',
        run: () => move(1, true),
      },
      {
        id: 'feedback-before-chosen',
        label: 'Choose and go to the one before',
        keys: 'shift+k',
        run: () => move(-1, true),
      },
      { id: 'feedback-first', label: 'First entry', keys: 'Home', run: () => goTo(0) },
      { id: 'feedback-last', label: 'Last loaded entry', keys: 'End', run: () => goTo(ids.length - 1) },
    ].map((command) => ({ ...command, group: 'Feedback', isKeysOnly: true })),
    {
      id: 'feedback-open',
      label: 'Open the marked entry',
      keys: 'e',
      group: 'Feedback',
      isKeysOnly: true,
      run: () => activeId !== null && onOpen(activeId),
    },
    {
      id: 'feedback-choose',
      label: 'Choose the marked entry',
      keys: 'x',
      group: 'Feedback',
      isKeysOnly: true,
      isOff: !mayChange,
      run: () => activeId !== null && selection.toggle(activeId, false),
    },
    {
      id: 'feedback-status',
      label: selection.ids.size > 0 ? 'Set the status of the chosen entries' : 'Set the status',
      keys: 's',
      group: 'Feedback',
      icon: 'circle-check',
      isOff: !mayChange,
      run: () => targets.length > 0 && change.ask(known(targets)),
    },
    {
      id: 'feedback-choose-all',
      label: 'Choose all entries that match',
      keys: 'mod+a',
      group: 'Feedback',
      icon: 'check-check',
      isOff: ids.length === 0 || !mayChange,
      run: () => void chooseAll(),
    },
    {
      id: 'feedback-show-new',
      label: 'Show what is new',
      keys: '.',
      group: 'Feedback',
      icon: 'arrow-up',
      isOff: state.arrived === 0 && !state.isManyArrived,
      run: () => void showArrived(),
    },
    {
      id: 'feedback-close',
      label: 'Close, or choose none',
      keys: 'Escape',
      group: 'Feedback',
      isKeysOnly: true,
      isOff: selection.ids.size === 0 && openId === undefined,
      run: () => {
        if (selection.ids.size > 0) return selection.clear()
        onOpen(null)
        if (at !== -1) setTimeout(() => rows.current?.show(at))
      },
    },
  ])
  const showArrived = async () => {
    await list.showArrived()
    list.scrollOffset = 0
    goTo(0, { isOpening: false })
  }

  const isEmpty = ids.length === 0 && !state.hasMore && !state.isLoading && state.error === null
  return (
    <div class="flex min-h-0 flex-1 flex-col">
      <Arrived count={state.arrived} isMany={state.isManyArrived} onShow={() => void showArrived()} />
      {isEmpty ? (
        <div class="min-h-0 flex-1 overflow-y-auto">
          <InboxEmpty projectId={projectId} filters={filters} />
        </div>
      ) : (
        <EntryRows
          key={JSON.stringify(filters)}
          handle={rows}
          list={list}
          state={state}
          isNarrow={isNarrow}
          activeId={activeId}
          openId={openId}
          selected={selection.ids}
          maySelect={mayChange}
          hrefOf={hrefOf}
          onOpen={onOpen}
          onSelect={selection.toggle}
        />
      )}
      {(selection.ids.size > 0 || progress !== null) && (
        <BulkBar
          projectId={projectId}
          words={`${count(selection.ids.size)} chosen`}
          ids={[...selection.ids]}
          progress={progress}
          mayAsk={mayAsk}
          onStatus={(to) => change.choose(known(selection.ids), to)}
          onAsk={() => change.ask(known(selection.ids))}
          onAll={state.hasMore || selection.ids.size < ids.length ? () => void chooseAll() : null}
          onClear={selection.clear}
        />
      )}
      {change.dialogs}
    </div>
  )
}

/** News that waits above the list; its place is always there for those who hear it. */
function Arrived({ count: number, isMany, onShow }: { count: number; isMany: boolean; onShow: () => void }) {
  const isShown = number > 0 || isMany
  const words = isMany ? `${Math.max(100, number)}+ new` : `${number} new`
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
