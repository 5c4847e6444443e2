/** Search field above a list: typing filters, arrow keys move, Enter selects. The focus stays in the field. */

import type { ComponentChild, ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { classes } from './classes.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { PlainText } from './plain-text.tsx'

export interface ComboItem {
  id: string
  label: string
  about?: string
  sign?: ComponentChild
  end?: ComponentChild
  heading?: string
}

interface ComboDialogProps<Item extends ComboItem> {
  title: string
  placeholder: string
  listLabel?: string
  width?: 'sm' | 'lg'
  maxCharacters?: number
  text: string
  items: readonly Item[]
  onText: (text: string) => void
  onTake: (item: Item) => void
  empty: string
  end?: ComponentChild
  below?: ComponentChildren
  onClose: () => void
}

export function ComboDialog<Item extends ComboItem>(props: ComboDialogProps<Item>) {
  const { title, placeholder, listLabel = title, width = 'sm', maxCharacters = 100, text, items } = props
  const [at, setAt] = useState(0)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const active = Math.max(0, Math.min(at, items.length - 1))
  useEffect(() => {
    list.current?.querySelector(`[data-at="${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const isEnter = event.key === 'Enter' && !event.isComposing
    if (step === undefined && !isEnter) return
    event.preventDefault()
    const item = items[active]
    if (step !== undefined) setAt((active + step + items.length) % Math.max(1, items.length))
    else if (item !== undefined) props.onTake(item)
  }
  return (
    <Dialog title={title} isBare width={width} onClose={props.onClose}>
      <div class="flex max-h-[min(60vh,480px)] flex-col">
        <div class="flex items-center gap-3 border-b border-line px-4">
          <Icon name="search" class="text-faint" />
          <input
            role="combobox"
            aria-label={title}
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={items.length > 0 ? `${listId}-${active}` : undefined}
            autocomplete="off"
            spellcheck={false}
            autoFocus
            maxLength={maxCharacters}
            placeholder={placeholder}
            class="h-12 min-w-0 flex-1 bg-transparent text-16 outline-none"
            value={text}
            onInput={(event) => {
              props.onText(event.currentTarget.value)
              setAt(0)
            }}
            onKeyDown={onKeyDown}
          />
          {props.end}
        </div>
        <div
          ref={list}
          id={listId}
          role="listbox"
          aria-label={listLabel}
          class="min-h-0 flex-1 overflow-y-auto p-2"
        >
          {items.map((item, index) => (
            <Option
              key={item.id}
              item={item}
              isFirst={item.heading !== items[index - 1]?.heading}
              id={`${listId}-${index}`}
              index={index}
              isActive={index === active}
              onPoint={() => index !== active && setAt(index)}
              onTake={() => props.onTake(item)}
            />
          ))}
        </div>
        {items.length === 0 && (
          <p class="px-4 pb-6 text-center text-13 text-soft" role="status">
            {props.empty}
          </p>
        )}
        {Boolean(props.below) && <div class="border-t border-line p-2">{props.below}</div>}
      </div>
    </Dialog>
  )
}

interface OptionProps {
  item: ComboItem
  isFirst: boolean
  id: string
  index: number
  isActive: boolean
  onPoint: () => void
  onTake: () => void
}

function Option({ item, isFirst, id, index, isActive, onPoint, onTake }: OptionProps) {
  const { label, about, sign, end, heading } = item
  return (
    <div role="presentation">
      {isFirst && heading !== undefined && (
        <div class="px-2 pt-2 pb-1 text-12 text-faint" role="presentation">
          {heading}
        </div>
      )}
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
        onClick={onTake}
        onKeyDown={() => undefined}
      >
        {sign}
        <span class="min-w-0 flex-1 truncate" dir="auto">
          <PlainText text={label} />
        </span>
        {about !== undefined && (
          <span class="max-w-2/5 shrink-0 truncate text-12 text-faint">
            <PlainText text={about} />
          </span>
        )}
        {end}
      </div>
    </div>
  )
}
