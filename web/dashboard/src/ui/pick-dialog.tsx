/** Searchable picker: a single choice, several, or a new item by name. */

import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import { ComboDialog, type ComboItem } from './combo-list.tsx'
import { Icon } from './icon.tsx'

export interface PickOption extends ComboItem {
  /** `some` means that the item applies to some of several entries. */
  state?: 'on' | 'off' | 'some'
}

interface PickDialogProps {
  title: string
  placeholder: string
  maxCharacters?: number
  picks: readonly PickOption[]
  onPick: (id: string) => void
  /** Creates an item when no existing item has the name; null if only existing items can be chosen. */
  onNew: ((name: string) => void) | null
  empty: string
  below?: ComponentChild
  onClose: () => void
}

const NEW_OPTION_ID = 'new'

export function PickDialog({ picks, onPick, onNew, empty, ...dialog }: PickDialogProps) {
  const [text, setText] = useState('')
  return (
    <ComboDialog
      {...dialog}
      text={text}
      onText={setText}
      items={matchOptions(picks, text, onNew !== null)}
      empty={picks.length === 0 ? empty : t('No results for “{text}”.', { text })}
      onTake={({ id }) => {
        if (id === NEW_OPTION_ID) onNew?.(text.trim())
        else onPick(id)
        setText('')
      }}
    />
  )
}

const STATE_ICONS = {
  on: <Icon name="check" label={t('selected')} class="text-accent-11" />,
  some: <Icon name="minus" label={t('selected for some')} class="text-soft" />,
  off: null,
}

function matchOptions(picks: readonly PickOption[], text: string, canCreate: boolean): ComboItem[] {
  const normalizedText = text.replace(/\s+/g, ' ').trim().toLowerCase()
  const found = picks
    .filter(
      ({ label, about }) =>
        label.toLowerCase().includes(normalizedText) || about?.toLowerCase().includes(normalizedText),
    )
    .map((pick) => ({ ...pick, end: STATE_ICONS[pick.state ?? 'off'] }))
  const isNew =
    canCreate && normalizedText !== '' && !picks.some(({ label }) => label.toLowerCase() === normalizedText)
  if (!isNew) return found
  const label = t('Create “{name}”', { name: text.trim() })
  return [...found, { id: NEW_OPTION_ID, label, sign: <Icon name="plus" /> }]
}
