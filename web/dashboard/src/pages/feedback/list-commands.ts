/** What keys do in a list of the inbox: the same for entries and for groups of them. */
import type { Command } from '../../app/commands.ts'

interface ListActions {
  thing: 'entry' | 'group'
  /** `Last group`: of a list of which not all is loaded, the last loaded one. */
  last: string
  size: number
  hasMarked: boolean
  chosen: number
  mayChange: boolean
  move: (step: 1 | -1) => void
  goTo: (index: number) => void
  open: () => void
  choose: () => void
  askStatus: () => void
  chooseAll: () => void
}

export function listCommands(list: ListActions): Command[] {
  const { thing, mayChange, size, chosen, move, goTo } = list
  const things = thing === 'entry' ? 'entries' : 'groups'
  const before = `${thing === 'entry' ? 'Entry' : 'Group'} before`
  const byKeys = [
    { id: 'feedback-next', label: `Next ${thing}`, keys: 'j', run: () => move(1) },
    { id: 'feedback-before', label: before, keys: 'k', run: () => move(-1) },
    { id: 'feedback-down', label: `Next ${thing}`, keys: 'ArrowDown', run: () => move(1) },
    { id: 'feedback-up', label: before, keys: 'ArrowUp', run: () => move(-1) },
    { id: 'feedback-first', label: `First ${thing}`, keys: 'Home', run: () => goTo(0) },
    { id: 'feedback-last', label: list.last, keys: 'End', run: () => goTo(size - 1) },
    { id: 'feedback-open', label: `Open the marked ${thing}`, keys: 'e', run: list.open },
    {
      id: 'feedback-choose',
      label: `Select the marked ${thing}`,
      keys: 'x',
      isOff: !mayChange,
      run: list.choose,
    },
  ]
  return [
    ...byKeys.map((command) => ({ ...command, group: 'Feedback', isKeysOnly: true })),
    {
      id: 'feedback-status',
      label:
        chosen > 0 ? `Set the status of the selected ${things}` : `Set the status of the marked ${thing}`,
      keys: 's',
      group: 'Feedback',
      icon: 'circle-check',
      isOff: !mayChange || (chosen === 0 && !list.hasMarked),
      run: list.askStatus,
    },
    {
      id: 'feedback-choose-all',
      label: `Select all ${things} that match`,
      keys: 'mod+a',
      group: 'Feedback',
      icon: 'check-check',
      isOff: size === 0 || !mayChange,
      run: list.chooseAll,
    },
  ]
}
