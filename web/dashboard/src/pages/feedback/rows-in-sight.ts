/**
 * Which rows of a list one sees. All rows are of one height, so their places are multiplied, not measured: what a frame
 * of scrolling costs does not grow with the list.
 */
import { useCallback, useLayoutEffect, useState } from 'preact/hooks'

/** Rows beyond each edge, so that fast scrolling shows no gaps. */
const BEYOND = 8

interface Sight {
  /** Rows to render, beyond the edges too; `last` is -1 for an empty list. */
  first: number
  last: number
}

export function useRowsInSight(
  box: { current: HTMLElement | null },
  count: number,
  rowHeight: number,
  startAt: number,
): Sight {
  const sightAt = useCallback(
    (top: number, height: number): Sight => ({
      first: Math.max(0, Math.min(count - 1, Math.floor(top / rowHeight)) - BEYOND),
      last: Math.min(count - 1, Math.ceil((top + height) / rowHeight) + BEYOND),
    }),
    [count, rowHeight],
  )
  const [sight, setSight] = useState(() => sightAt(startAt, innerHeight))
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const look = () => {
      if (element.clientHeight === 0) return
      const now = sightAt(element.scrollTop, element.clientHeight)
      setSight((before) => (before.first === now.first && before.last === now.last ? before : now))
    }
    look()
    const resized = new ResizeObserver(look)
    resized.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [box, sightAt])
  return { first: sight.first, last: Math.min(sight.last, count - 1) }
}
