/**
 * Selected groups, and the selected entries of groups that are only partly selected. Entries that join a fully
 * selected group are selected too.
 */
import { useState } from 'preact/hooks'
import type { FeedbackGroup, GroupEntry } from '../../../../../src/features/feedback/operations/inbox.ts'
import { type Selection, useSelection } from './selection.ts'

export interface GroupSelection {
  groups: Selection
  chosen: readonly FeedbackGroup[]
  entries: readonly GroupEntry[]
  isChosen(group: FeedbackGroup, entryId: string): boolean
  isPartly(group: FeedbackGroup): boolean
  toggleEntry(group: FeedbackGroup, entryId: string): void
}

export function useGroupSelection(all: readonly FeedbackGroup[]): GroupSelection {
  const selection = useSelection(() => all.map(({ id }) => id))
  const [parts, setParts] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map())
  const chosen = all.filter(({ id }) => selection.ids.has(id))
  const isChosen = (group: FeedbackGroup, entryId: string) =>
    selection.ids.has(group.id) && (parts.get(group.id)?.has(entryId) ?? true)
  const setPart = (id: string, part: ReadonlySet<string> | null) =>
    setParts((before) => {
      if (part === null && !before.has(id)) return before
      const after = new Map(before)
      if (part === null) after.delete(id)
      else after.set(id, part)
      return after
    })
  return {
    groups: {
      ...selection,
      toggle(id, isRange) {
        setPart(id, null)
        selection.toggle(id, isRange)
      },
      clear() {
        setParts((before) => (before.size === 0 ? before : new Map()))
        selection.clear()
      },
    },
    chosen,
    entries: chosen.flatMap((group) => group.entries.filter(({ id }) => isChosen(group, id))),
    isChosen,
    isPartly: ({ id }) => selection.ids.has(id) && parts.has(id),
    toggleEntry(group, entryId) {
      const part = new Set(group.entries.map(({ id }) => id).filter((id) => isChosen(group, id)))
      if (!part.delete(entryId)) part.add(entryId)
      setPart(group.id, part.size === 0 || part.size === group.entries.length ? null : part)
      if (selection.ids.has(group.id) !== part.size > 0) selection.toggle(group.id, false)
    },
  }
}
