/** What keys do in a list of the inbox: the same for entries and for groups of them. */

import type { Command } from '../../app/commands.ts'
import { t } from '../../words/words.ts'

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
    { id: 'feedback-next', label: t('Next {thing}', { thing }), keys: 'j', run: () => move(1) },
    { id: 'feedback-before', label: before, keys: 'k', run: () => move(-1) },
    { id: 'feedback-down', label: t('Next {thing}', { thing }), keys: 'ArrowDown', run: () => move(1) },
    { id: 'feedback-up', label: before, keys: 'ArrowUp', run: () => move(-1) },
    { id: 'feedback-first', label: t('First {thing}', { thing }), keys: 'Home', run: () => goTo(0) },
    { id: 'feedback-last', label: list.last, keys: 'End', run: () => goTo(size - 1) },
    { id: 'feedback-open', label: t('Open the marked {thing}', { thing }), keys: 'e', run: list.open },
    {
      id: 'feedback-choose',
      label: t('Select the marked {thing}', { thing }),
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
        chosen > 0
          ? t('Set the status of the selected {things}', { things })
          : t('Set the status of the marked {thing}', { thing }),
      keys: 's',
      group: 'Feedback',
      icon: 'circle-check',
      isOff: !mayChange || (chosen === 0 && !list.hasMarked),
      run: list.askStatus,
    },
    {
      id: 'feedback-choose-all',
      label: t('Select all {things} that match', { things }),
      keys: 'mod+a',
      group: 'Feedback',
      icon: 'check-check',
      isOff: size === 0 || !mayChange,
      run: list.chooseAll,
    },
  ]
}
