import { useVirtualizer } from '@tanstack/react-virtual'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { classes } from './classes.ts'

/** Rows kept beyond the edges, so that fast scrolling shows no gaps. */
const BEYOND = 12
/** From the end, in rows: where more is asked for. */
const NEAR_END = 30

/** How long a browser's box may be; longer lists are scaled into it. */
const BOX_MAX_PX = 8_000_000

export interface VirtualListProps {
  label: string
  count: number
  /** Height of a row in pixels, the same for all. */
  rowHeight: number
  /** The row at that index; it fills its place. */
  row: (index: number) => ComponentChildren
  rowKey: (index: number) => string
  /** Kept in view. */
  activeIndex?: number | null
  /** Near the end: bring more. */
  onNearEnd?: () => void
  /** Where the list was scrolled to, to come back there. */
  startAt?: number
  onScroll?: (top: number) => void
  class?: string
  /** After the last row: what comes, or that nothing does. */
  footer?: ComponentChildren
}

/** A list of any length: only the rows one sees are there. The caller gives the rows their roles. */
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
    overscan: BEYOND,
    initialOffset: startAt,
    getItemKey: rowKey,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0

  useEffect(() => {
    if (last >= count - NEAR_END) onNearEnd?.()
  }, [last, count, onNearEnd])
  useEffect(() => {
    if (activeIndex !== null && activeIndex < count) virtual.scrollToIndex(activeIndex, { align: 'auto' })
    // Only when the active one changes: what comes in behind does not move the list.
  }, [activeIndex])
  // Rows of another height are placed anew.
  useEffect(() => virtual.measure(), [height])
  return { box, items, totalHeight: virtual.getTotalSize() }
}
