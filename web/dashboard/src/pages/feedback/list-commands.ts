/** Shortcuts of the inbox lists, shared by entries and groups. */

import type { Command } from '../../app/commands.ts'
import { t } from '../../words/words.ts'

interface ListActions {
  thing: 'entry' | 'group'
  size: number
  hasMarked: boolean
  chosen: number
  mayChange: boolean
  move: (step: 1 | -1) => void
  goTo: (index: number) => void
  open: () => void
  choose: () => void
  askStatus: () => void
  /** Hands the targeted entries to the agent; null without targets or permission. */
  askAgent: (() => void) | null
  chooseAll: () => void
}

/** Labels of the commands; for entries, "last" is the last loaded entry. */
const LABELS = {
  entry: {
    next: t('Next entry'),
    before: t('Previous entry'),
    first: t('First entry'),
    last: t('Last loaded entry'),
    open: t('Open the marked entry'),
    select: t('Select the marked entry'),
    selectAll: t('Select all entries that match'),
    setMarked: t('Set the status of the marked entry'),
    setSelected: t('Set the status of the selected entries'),
    handMarked: t('Hand the marked entry to the agent'),
    handSelected: t('Hand the selected entries to the agent'),
  },
  group: {
    next: t('Next group'),
    before: t('Previous group'),
    first: t('First group'),
    last: t('Last group'),
    open: t('Open the marked group'),
    select: t('Select the marked group'),
    selectAll: t('Select all groups that match'),
    setMarked: t('Set the status of the marked group'),
    setSelected: t('Set the status of the selected groups'),
    handMarked: t('Hand the marked group to the agent'),
    handSelected: t('Hand the selected groups to the agent'),
  },
} as const

export function listCommands(list: ListActions): Command[] {
  const { thing, mayChange, size, chosen, move, goTo } = list
  const labels = LABELS[thing]
  const byKeys = [
    { id: 'feedback-next', label: labels.next, keys: 'j', run: () => move(1) },
    { id: 'feedback-before', label: labels.before, keys: 'k', run: () => move(-1) },
    { id: 'feedback-down', label: labels.next, keys: 'ArrowDown', run: () => move(1) },
    { id: 'feedback-up', label: labels.before, keys: 'ArrowUp', run: () => move(-1) },
    { id: 'feedback-first', label: labels.first, keys: 'Home', run: () => goTo(0) },
    { id: 'feedback-last', label: labels.last, keys: 'End', run: () => goTo(size - 1) },
    { id: 'feedback-open', label: labels.open, keys: 'e', run: list.open },
    {
      id: 'feedback-choose',
      label: labels.select,
      keys: 'x',
      isOff: !mayChange,
      run: list.choose,
    },
  ]
  return [
    ...byKeys.map((command) => ({ ...command, group: 'feedback' as const, isKeysOnly: true })),
    {
      id: 'feedback-status',
      label: chosen > 0 ? labels.setSelected : labels.setMarked,
      keys: 's',
      group: 'feedback',
      icon: 'circle-check',
      isOff: !mayChange || (chosen === 0 && !list.hasMarked),
      run: list.askStatus,
    },
    {
      id: 'feedback-agent',
      label: chosen > 0 ? labels.handSelected : labels.handMarked,
      keys: 'h',
      group: 'feedback',
      icon: 'bot',
      isOff: list.askAgent === null,
      run: () => list.askAgent?.(),
    },
    {
      id: 'feedback-choose-all',
      label: labels.selectAll,
      keys: 'mod+a',
      group: 'feedback',
      icon: 'check-check',
      isOff: size === 0 || !mayChange,
      run: list.chooseAll,
    },
  ]
}
