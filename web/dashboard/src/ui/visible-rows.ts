/** Range of the rows in view, for lists of any length whose rows have the same height. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'

/** Overscan rows beyond each edge, so that fast scrolling shows no gaps. */
const OVERSCAN_ROWS = 5
/** Delay before overscan rows are added, because users rarely scroll immediately. */
const OVERSCAN_DELAY_MS = 120

/** Height of the last list, used as the initial estimate for the next list. */
let lastHeight: number | null = null

interface RowRange {
  /** Range of rows to render, including overscan; `last` is -1 for an empty list. */
  first: number
  last: number
}

export function useVisibleRows(
  box: { current: HTMLElement | null },
  count: number,
  rowHeight: number,
  startAt: number,
): RowRange {
  const [seen, setSeen] = useState<RowRange>(() =>
    visibleRange(startAt, lastHeight ?? innerHeight, rowHeight),
  )
  const [beyond, setBeyond] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setBeyond(OVERSCAN_ROWS), OVERSCAN_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const updateRange = () => {
      if (element.clientHeight === 0) return
      lastHeight = element.clientHeight
      const now = visibleRange(element.scrollTop, lastHeight, rowHeight)
      setSeen((before) => (before.first === now.first && before.last === now.last ? before : now))
    }
    const resized = new ResizeObserver(updateRange)
    resized.observe(element)
    element.addEventListener('scroll', updateRange, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', updateRange)
    }
  }, [box, rowHeight])
  return {
    first: Math.max(0, Math.min(count - 1, seen.first) - beyond),
    last: Math.min(count - 1, seen.last + beyond),
  }
}

function visibleRange(top: number, height: number, rowHeight: number): RowRange {
  return { first: Math.floor(top / rowHeight), last: Math.ceil((top + height) / rowHeight) }
}
