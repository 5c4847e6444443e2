import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useVisibleRows } from './visible-rows.ts'

/** Distance from the end, in rows, at which more rows are requested. */
const NEAR_END_ROWS = 30

interface VirtualListProps {
  label: string
  count: number
  /** Row height in pixels, the same for all rows. */
  rowHeight: number
  row: (index: number) => ComponentChildren
  rowKey: (index: number) => string
  onNearEnd: () => void
  /** Content after the last row: a loading state, or the end of the list. */
  footer: ComponentChildren
}

export function VirtualList({ label, count, rowHeight, row, rowKey, onNearEnd, footer }: VirtualListProps) {
  const box = useRef<HTMLDivElement>(null)
  const { first, last } = useVisibleRows(box, count, rowHeight, 0)
  useEffect(() => {
    if (last >= count - NEAR_END_ROWS) onNearEnd()
  }, [last, count, onNearEnd])
  return (
    <div
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={label}
      class="min-h-0 flex-1 overflow-y-auto overscroll-contain outline-offset-[-2px] [overflow-anchor:none]"
    >
      <div role="list" aria-label={label} class="relative w-full" style={{ height: count * rowHeight }}>
        {Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at).map((index) => (
          <div
            key={rowKey(index)}
            role="listitem"
            aria-setsize={count}
            aria-posinset={index + 1}
            class="absolute top-0 left-0 w-full"
            style={{ height: rowHeight, transform: `translateY(${index * rowHeight}px)` }}
          >
            {row(index)}
          </div>
        ))}
      </div>
      {footer}
    </div>
  )
}
