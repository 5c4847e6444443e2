import { useVirtualizer } from '@tanstack/react-virtual'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { classes } from './classes.ts'

/** Overscan rows beyond the edges, so that fast scrolling shows no gaps. */
const OVERSCAN_ROWS = 12
/** Distance from the end, in rows, at which more are requested. */
const NEAR_END_ROWS = 30

/** Maximum element height in browsers; longer lists are scaled down to it. */
const BOX_MAX_PX = 8_000_000

export interface VirtualListProps {
  label: string
  count: number
  /** Row height in pixels, the same for all rows. */
  rowHeight: number
  /** Renders the row at an index; it fills its slot. */
  row: (index: number) => ComponentChildren
  rowKey: (index: number) => string
  /** Row that is scrolled into view. */
  activeIndex?: number | null
  /** Called near the end, to load more. */
  onNearEnd?: () => void
  /** Initial scroll position. */
  startAt?: number
  onScroll?: (top: number) => void
  class?: string
  /** Content after the last row: a loading state, or the end of the list. */
  footer?: ComponentChildren
}

/** Virtual list of any length: only visible rows are rendered. The caller assigns the ARIA roles of the rows. */
export function VirtualList(props: VirtualListProps) {
  const { label, count, rowHeight, row, onScroll, class: className, footer } = props
  const { box, items, totalHeight } = useRowsInView(props)
  return (
    <div
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={label}
      class={classes(
        'min-h-0 flex-1 overflow-y-auto outline-offset-[-2px] overscroll-contain [overflow-anchor:none]',
        className,
      )}
      onScroll={(event) => onScroll?.(event.currentTarget.scrollTop)}
    >
      <div role="list" aria-label={label} class="relative w-full" style={{ height: `${totalHeight}px` }}>
        {items.map((item) => (
          <div
            key={item.key}
            role="listitem"
            aria-setsize={count}
            aria-posinset={item.index + 1}
            class="absolute top-0 left-0 w-full"
            style={{ height: `${rowHeight}px`, transform: `translateY(${item.start}px)` }}
          >
            {row(item.index)}
          </div>
        ))}
      </div>
      {footer}
    </div>
  )
}

function useRowsInView({
  count,
  rowHeight,
  rowKey,
  activeIndex = null,
  onNearEnd,
  startAt = 0,
}: VirtualListProps) {
  const box = useRef<HTMLDivElement>(null)
  const height = Math.min(rowHeight, BOX_MAX_PX / Math.max(1, count))
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: OVERSCAN_ROWS,
    initialOffset: startAt,
    getItemKey: rowKey,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0

  useEffect(() => {
    if (last >= count - NEAR_END_ROWS) onNearEnd?.()
  }, [last, count, onNearEnd])
  useEffect(() => {
    if (activeIndex !== null && activeIndex < count) virtual.scrollToIndex(activeIndex, { align: 'auto' })
    // Only when the active row changes; rows added at the end must not scroll the list.
  }, [activeIndex])
  // Positions depend on the row height.
  useEffect(() => virtual.measure(), [height])
  return { box, items, totalHeight: virtual.getTotalSize() }
}
