/** Searchable picker: a single choice, several, or a new item by name. */

import type { ComponentChild, TargetedKeyboardEvent } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import { classes } from './classes.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { PlainText } from './plain-text.tsx'

export interface PickOption {
  id: string
  label: string
  about?: string
  /** Shown before the label. */
  sign?: ComponentChild
  /** `some`: applies to some of several items. */
  state?: 'on' | 'off' | 'some'
}

interface FieldTexts {
  placeholder: string
  maxCharacters?: number
}

interface PickProps extends FieldTexts {
  title: string
  picks: readonly PickOption[]
  onPick: (id: string) => void
  /** Creates an item when no existing one has the name; null if only existing ones can be chosen. */
  onNew: ((name: string) => void) | null
  /** Shown when there is nothing to choose from. */
  empty: string
  /** Content below the list. */
  below?: ComponentChild
  onClose: () => void
}

const NEW_OPTION_ID = 'new'

export function PickDialog(props: PickProps) {
  const { title, picks, onPick, onNew, below } = props
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const options = matchOptions(picks, text, onNew !== null)
  const active = Math.max(0, Math.min(at, options.length - 1))
  const pickOption = (option: PickOption | undefined) => {
    if (option === undefined) return
    if (option.id === NEW_OPTION_ID) onNew?.(text.trim())
    else onPick(option.id)
    setText('')
  }
  const type = (typed: string) => {
    setText(typed)
    setAt(0)
  }
  return (
    <Dialog title={title} isBare width="sm" onClose={props.onClose}>
      <div class="flex max-h-[min(60vh,420px)] flex-col">
        <Field
          {...props}
          {...{ listId, options, active, text }}
          onText={type}
          onMove={setAt}
          onTake={() => pickOption(options[active])}
        />
        <Options {...{ title, listId, options, active }} onPoint={setAt} onTake={pickOption} />
        {options.length === 0 && (
          <p class="px-4 pb-5 text-center text-13 text-soft" role="status">
            {picks.length === 0 ? props.empty : t('No results for “{text}”.', { text })}
          </p>
        )}
        {Boolean(below) && <div class="border-t border-line p-2">{below}</div>}
      </div>
    </Dialog>
  )
}

interface OptionListProps {
  title: string
  listId: string
  options: readonly PickOption[]
  active: number
}

function Field({
  title,
  placeholder,
  maxCharacters = 100,
  listId,
  options,
  active,
  text,
  onText,
  onMove,
  onTake,
}: OptionListProps &
  FieldTexts & {
    text: string
    onText: (text: string) => void
    onMove: (at: number) => void
    onTake: () => void
  }) {
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      onMove((active + step + options.length) % Math.max(1, options.length))
    }
    if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault()
      onTake()
    }
  }
  return (
    <div class="flex items-center gap-3 border-b border-line px-4">
      <Icon name="search" class="text-faint" />
      <input
        role="combobox"
        aria-label={title}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={options.length > 0 ? `${listId}-${active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        autoFocus
        maxLength={maxCharacters}
        placeholder={placeholder}
        class="h-11 min-w-0 flex-1 bg-transparent outline-none"
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

function Options({
  title,
  listId,
  options,
  active,
  onPoint,
  onTake,
}: OptionListProps & { onPoint: (at: number) => void; onTake: (option: PickOption) => void }) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector(`[data-at="${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div ref={list} id={listId} role="listbox" aria-label={title} class="min-h-0 flex-1 overflow-y-auto p-2">
      {options.map((option, index) => (
        <Option
          key={option.id}
          id={`${listId}-${index}`}
          index={index}
          option={option}
          isActive={index === active}
          onPoint={() => index !== active && onPoint(index)}
          onRun={() => onTake(option)}
        />
      ))}
    </div>
  )
}

function matchOptions(picks: readonly PickOption[], text: string, canCreate: boolean): readonly PickOption[] {
  const normalizedText = text.replace(/\s+/g, ' ').trim().toLowerCase()
  const found = picks.filter(
    ({ label, about }) =>
      label.toLowerCase().includes(normalizedText) || about?.toLowerCase().includes(normalizedText),
  )
  const isNew =
    canCreate && normalizedText !== '' && !picks.some(({ label }) => label.toLowerCase() === normalizedText)
  if (!isNew) return found
  const label = t('Create “{name}”', { name: text.trim() })
  return [...found, { id: NEW_OPTION_ID, label, sign: <Icon name="plus" /> }]
}

function Option({
  id,
  index,
  option: { label, about, sign, state },
  isActive,
  onPoint,
  onRun,
}: {
  id: string
  index: number
  option: PickOption
  isActive: boolean
  onPoint: () => void
  onRun: () => void
}) {
  return (
    <div
      id={id}
      data-at={index}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      class={classes(
        'flex min-h-9 items-center gap-3 rounded-sm px-2 coarse:min-h-11',
        isActive && 'bg-hover',
      )}
      onPointerMove={onPoint}
      onClick={onRun}
      onKeyDown={() => undefined}
    >
      {sign}
      <span class="min-w-0 flex-1 truncate" dir="auto">
        <PlainText text={label} />
      </span>
      {about !== undefined && (
        <span class="max-w-1/2 shrink-0 truncate text-12 text-faint">
          <PlainText text={about} />
        </span>
      )}
      {state === 'on' && <Icon name="check" label={t('chosen')} class="text-accent-11" />}
      {state === 'some' && <Icon name="minus" label={t('chosen for some')} class="text-soft" />}
    </div>
  )
}
