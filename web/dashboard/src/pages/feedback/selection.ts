/** Selection of entries for bulk actions: individually, or as a range from the last selected entry. */
import { useCallback, useRef, useState } from 'preact/hooks'

export interface Selection {
  ids: ReadonlySet<string>
  /** With `isRange`, adds everything from the last selected entry to this entry. */
  toggle: (id: string, isRange: boolean) => void
  add: (ids: Iterable<string>) => void
  clear: () => void
}

export function useSelection(order: () => readonly string[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string | null>(null)
  const newest = useRef(order)
  newest.current = order

  const toggle = useCallback((id: string, isRange: boolean) => {
    const from = anchor.current
    anchor.current = id
    setIds((before) => {
      const after = new Set(before)
      if (isRange && from !== null) for (const one of sliceRange(newest.current(), from, id)) after.add(one)
      else if (!after.delete(id)) after.add(id)
      return after
    })
  }, [])
  const add = useCallback((more: Iterable<string>) => {
    setIds((before) => new Set([...before, ...more]))
  }, [])
  const clear = useCallback(() => {
    anchor.current = null
    setIds((before) => (before.size === 0 ? before : new Set()))
  }, [])
  return { ids, toggle, add, clear }
}

function sliceRange(order: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [order.indexOf(from), order.indexOf(to)]
  return a === -1 || b === -1 ? [to] : order.slice(Math.min(a, b), Math.max(a, b) + 1)
}
