/** Rows of the inbox; only visible rows are in the document, however long the list is. */

import type { Ref } from 'preact'
import { useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'preact/hooks'
import { ErrorState, SkeletonRows } from '../../ui/states.tsx'
import { useVisibleRows } from '../../ui/visible-rows.ts'
import { plural, t } from '../../words/words.ts'
import type { EntryList, EntryListState } from './entry-list.ts'
import { EntryRow, NARROW_ROW_PX, WIDE_ROW_PX } from './entry-row.tsx'

/** Distance from the end, in rows, at which the next page is requested. */
const PREFETCH_ROWS = 150

export interface RowsHandle {
  show(index: number, more?: { isFocused?: boolean }): void
  visible(): [number, number]
}

interface RowsProps {
  q: string | null
  handle: Ref<RowsHandle>
  list: EntryList
  state: EntryListState
  isNarrow: boolean
  activeId: string | null
  openId: string | undefined
  selected: ReadonlySet<string>
  maySelect: boolean
  hrefOf: (id: string) => string
  onOpen: (id: string) => void
  onSelect: (id: string, isRange: boolean) => void
}

export function EntryRows(props: RowsProps) {
  const { list, state, isNarrow, activeId, selected } = props
  const box = useRef<HTMLDivElement>(null)
  const { ids, hasMore, isLoading } = state
  const rowHeight = isNarrow ? NARROW_ROW_PX : WIDE_ROW_PX
  const { first, last } = useVisibleRows(box, ids.length, rowHeight, list.scrollOffset)
  useScrollRestoration(box, list, rowHeight)
  useMoreRows(box, list, state, { first, last, rowHeight })
  useRowsHandle(props.handle, box, ids, { first, last, rowHeight })
  return (
    <div
      ref={box}
      class="min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]"
      data-scroller
    >
      <div
        role="list"
        aria-label={t('Feedback')}
        aria-busy={isLoading}
        class="relative"
        style={{ height: ids.length * rowHeight }}
      >
        {ids.slice(first, last + 1).map((id, rowIndex) => {
          const index = first + rowIndex
          const entry = list.entry(id)
          if (entry === undefined) return null
          return (
            <EntryRow
              key={entry.id}
              entry={entry}
              href={props.hrefOf(entry.id)}
              offset={index * rowHeight}
              number={index + 1}
              total={hasMore ? -1 : ids.length}
              isNarrow={isNarrow}
              isActive={entry.id === activeId}
              isReached={entry.id === (activeId ?? ids[0])}
              isOpen={entry.id === props.openId}
              isSelected={selected.has(entry.id)}
              maySelect={props.maySelect}
              isChoosing={selected.size > 0}
              q={props.q}
              onOpen={props.onOpen}
              onSelect={props.onSelect}
            />
          )
        })}
      </div>

      {state.error !== null && <ErrorState isSmall error={state.error} onRetry={() => list.loadMore()} />}
      {state.error === null && state.hasMore && (
        <SkeletonRows count={state.ids.length === 0 ? 12 : 3} label={t('Loading feedback')} />
      )}
      {!state.hasMore && state.ids.length > 0 && (
        <p class="px-4 py-4 text-center text-12 text-faint">
          {plural(state.ids.length, 'All {count} shown', 'All {count} shown')}
        </p>
      )}
    </div>
  )
}

/** Loads the next page ahead of scrolling and refreshes stale visible rows. */
function useMoreRows(
  box: { current: HTMLDivElement | null },
  list: EntryList,
  state: EntryListState,
  { first, last, rowHeight }: { first: number; last: number; rowHeight: number },
): void {
  const { ids, hasMore, isLoading, error } = state
  // During fast scrolling, pages are loaded back to back without rendering in between.
  list.shouldLoadMore = (loaded) => {
    const element = box.current
    return (
      element !== null && element.clientHeight > 0 && element.scrollTop / rowHeight >= loaded - PREFETCH_ROWS
    )
  }
  const isNearEnd = hasMore && last >= ids.length - PREFETCH_ROWS
  useEffect(
    () => () => {
      list.shouldLoadMore = () => false
    },
    [list],
  )
  useEffect(() => {
    if (isNearEnd && !isLoading && error === null) void list.loadMore()
  }, [list, isNearEnd, isLoading, error, state])
  useEffect(() => {
    const later = setTimeout(() => void list.refreshRows(first, last), 150)
    return () => clearTimeout(later)
  }, [list, first, last])
}

function useRowsHandle(
  handle: Ref<RowsHandle>,
  box: { current: HTMLDivElement | null },
  ids: readonly string[],
  { first, last, rowHeight }: { first: number; last: number; rowHeight: number },
): void {
  useImperativeHandle(
    handle,
    () => ({
      show(index, { isFocused = true } = {}) {
        if (box.current) scrollRowIntoView(box.current, index * rowHeight, rowHeight)
        const id = ids[index]
        if (isFocused && id !== undefined) focusRow(box.current, id)
      },
      visible: () => [first, last],
    }),
    [rowHeight, ids, first, last],
  )
}

/** Stores the scroll position with the list; when the row height changes, the same rows stay visible. */
function useScrollRestoration(
  box: { current: HTMLDivElement | null },
  list: EntryList,
  rowHeight: number,
): void {
  const height = useRef(rowHeight)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    // A hidden list, such as on a phone that shows the detail, has no scroll position.
    const isShown = () => element.clientHeight > 0
    const saveOffset = () => {
      if (isShown()) list.scrollOffset = element.scrollTop
    }
    const restore = () => {
      if (isShown() && element.scrollTop !== list.scrollOffset) element.scrollTop = list.scrollOffset
    }
    // Called as soon as the element has its size, before it is painted.
    const seen = new ResizeObserver(restore)
    seen.observe(element)
    element.addEventListener('scroll', saveOffset, { passive: true })
    return () => {
      seen.disconnect()
      element.removeEventListener('scroll', saveOffset)
    }
  }, [box, list])
  useLayoutEffect(() => {
    if (height.current === rowHeight) return
    const top = (list.scrollOffset / height.current) * rowHeight
    height.current = rowHeight
    list.scrollOffset = top
    box.current?.scrollTo({ top })
  }, [box, list, rowHeight])
}

function scrollRowIntoView(box: HTMLElement, top: number, height: number): void {
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight
}

/** Focuses a row, which may only exist after the next frame. */
function focusRow(box: HTMLElement | null, id: string): void {
  const find = () => box?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] [data-row-link]`)
  const link = find()
  if (link) link.focus({ preventScroll: true })
  else requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus({ preventScroll: true })))
}
