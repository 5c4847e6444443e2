/**
 * Marked row of the inbox, the target of shortcuts: the open entry, else the last visited entry or its
 * successor.
 */
import { type RefObject, useCallback } from 'preact/compat'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { EntryList } from './entry-list.ts'
import type { RowsHandle } from './entry-rows.tsx'

interface EntryCursor {
  id: string | null
  /** Index of the marked row among the loaded rows; -1 if it is not loaded. */
  at: number
  /**
   * Returns the adjacent index; if the marked row has disappeared, the index adjacent to its former position.
   */
  neighbourIndex: (step: 1 | -1) => number
  goTo: (index: number, more?: { isOpening?: boolean }) => void
  /** After these entries have changed, marks the next row if the marked row has disappeared. */
  advance: (changed: ReadonlySet<string>) => void
}

export function useEntryCursor(
  list: EntryList,
  ids: readonly string[],
  rows: RefObject<RowsHandle | null>,
  { openId, onOpen }: { openId: string | undefined; onOpen: (id: string | null) => void },
): EntryCursor {
  const [id, setId] = useState<string | null>(openId ?? list.activeId)
  const at = id === null ? -1 : ids.indexOf(id)
  // Last known position, for when the row disappears from the list.
  const last = useRef({ ids, at: 0 })
  if (at !== -1) last.current = { ids, at }
  // True if a shortcut was pressed before the list had loaded.
  const isMovePending = useRef(false)
  useLayoutEffect(() => {
    if (id === null || at !== -1 || ids.length === 0) return
    if (id !== openId) setId(ids[Math.min(indexAfterRemoval(ids, last.current), ids.length - 1)] ?? null)
  }, [id, at, ids, openId])
  useLayoutEffect(() => {
    if (openId !== undefined) setId(openId)
  }, [openId])
  useLayoutEffect(() => {
    list.activeId = id
  }, [list, id])

  const neighbourIndex = (step: 1 | -1) =>
    (at === -1 ? indexAfterRemoval(ids, last.current) - (step === 1 ? 1 : 0) : at) + step
  const goTo = useCallback(
    (index: number, { isOpening = openId !== undefined } = {}) => {
      const to = list.state().ids[index]
      isMovePending.current = to === undefined && list.state().isLoading
      if (to === undefined) return
      setId(to)
      rows.current?.show(index)
      if (isOpening) onOpen(to)
    },
    [list, openId, onOpen],
  )
  useLayoutEffect(() => {
    if (isMovePending.current && ids.length > 0) goTo(0)
  }, [ids.length, goTo])
  const advance = (changed: ReadonlySet<string>) => {
    const remainingIds = list.state().ids
    const isGone = (one: string | null | undefined) =>
      one != null && changed.has(one) && !remainingIds.includes(one)
    if (remainingIds.length === 0) onOpen(null)
    else if (isGone(openId) || isGone(id))
      goTo(Math.min(indexAfterRemoval(remainingIds, last.current), remainingIds.length - 1))
  }
  return { id, at, neighbourIndex, goTo, advance }
}

/** Returns the index at which a row was before it disappeared, less the rows before it that disappeared too. */
function indexAfterRemoval(ids: readonly string[], last: { ids: readonly string[]; at: number }): number {
  const shown = new Set(ids)
  return last.ids.slice(0, last.at).filter((id) => shown.has(id)).length
}
