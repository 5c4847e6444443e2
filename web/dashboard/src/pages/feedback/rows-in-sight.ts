/**
 * Which rows of a list one sees. All rows are of one height, so their places are multiplied, not measured: what a frame
 * of scrolling costs does not grow with the list. The first frame has the rows in sight alone; those beyond the edges
 * come behind it. Sizes are read where the browser has just worked them out, so that nothing is laid out twice.
 */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'

/** Rows beyond each edge, so that fast scrolling shows no gaps. */
const BEYOND = 5
/** After the first frame, before they come: one looks first, and scrolls then. */
const LATER_MS = 120

/** Of the list that was shown last: the next one is as high, most likely. */
let lastHeight: number | null = null

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
  const [seen, setSeen] = useState<Sight>(() => sightAt(startAt, lastHeight ?? innerHeight, rowHeight))
  const [beyond, setBeyond] = useState(0)
  useEffect(() => {
    const later = setTimeout(() => setBeyond(BEYOND), LATER_MS)
    return () => clearTimeout(later)
  }, [])
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const look = () => {
      if (element.clientHeight === 0) return
      lastHeight = element.clientHeight
      const now = sightAt(element.scrollTop, lastHeight, rowHeight)
      setSeen((before) => (before.first === now.first && before.last === now.last ? before : now))
    }
    const resized = new ResizeObserver(look)
    resized.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [box, rowHeight])
  return {
    first: Math.max(0, Math.min(count - 1, seen.first) - beyond),
    last: Math.min(count - 1, seen.last + beyond),
  }
}

function sightAt(top: number, height: number, rowHeight: number): Sight {
  return { first: Math.floor(top / rowHeight), last: Math.ceil((top + height) / rowHeight) }
}
