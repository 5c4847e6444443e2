import type { ComponentChildren, RefObject, TargetedKeyboardEvent, TargetedMouseEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'
import { Keys } from './kbd.tsx'
import { useGo } from './link.tsx'
import { Popover } from './popover.tsx'

interface MenuAction {
  label: string
  icon?: IconName
  about?: string
  keys?: string
  href?: string
  run?: () => void
  isChecked?: boolean
  isDanger?: boolean
  isOff?: boolean
}

export type MenuItem = 'line' | { heading: string } | MenuAction

export interface MenuTriggerProps {
  ref: RefObject<HTMLButtonElement>
  onClick: (event: TargetedMouseEvent<HTMLButtonElement>) => void
  onKeyDown: (event: TargetedKeyboardEvent<HTMLButtonElement>) => void
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
}

interface MenuProps {
  items: readonly MenuItem[]
  label: string
  trigger: (props: MenuTriggerProps) => ComponentChildren
  align?: 'start' | 'end'
  side?: 'bottom' | 'top'
  class?: string
}

/** Button with a menu: arrows move, letters search, Enter activates, Escape closes. */
export function Menu({ items, label, trigger, align, side, class: className }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <>
      {trigger({
        ref: button as RefObject<HTMLButtonElement>,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        onClick: () => setOpen(!isOpen),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setOpen(true)
        },
      })}
      {isOpen && (
        <Popover
          anchor={button}
          onClose={() => setOpen(false)}
          role="none"
          {...(align ? { align } : {})}
          {...(side ? { side } : {})}
          {...(className ? { class: className } : {})}
        >
          <MenuList items={items} label={label} onDone={close} />
        </Popover>
      )}
    </>
  )
}

interface MenuListProps {
  items: readonly MenuItem[]
  label: string
  onDone: () => void
}

function MenuList({ items, label, onDone }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null)
  const buttons = () => [
    ...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled])') ?? []),
  ]
  const first =
    items.find((item) => isEnabledAction(item) && item.isChecked === true) ?? items.find(isEnabledAction)
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const all = buttons()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = nextIndex(event.key, at, all)
    if (event.key === 'Tab') onDone()
    if (to === null) return
    event.preventDefault()
    event.stopPropagation()
    all[to]?.focus()
  }

  return (
    <div ref={list} role="menu" aria-label={label} onKeyDown={onKeyDown}>
      {items.map((item, index) => {
        if (item === 'line') return <hr key={index} class="my-1" />
        if ('heading' in item) {
          return (
            <div key={index} class="px-2 pt-1.5 pb-1 text-12 text-faint" role="presentation">
              {item.heading}
            </div>
          )
        }
        return <MenuButton key={index} item={item} isFirst={item === first} onDone={onDone} />
      })}
    </div>
  )
}

function isEnabledAction(item: MenuItem): item is MenuAction {
  return item !== 'line' && !('heading' in item) && item.isOff !== true
}

function MenuButton({ item, isFirst, onDone }: { item: MenuAction; isFirst: boolean; onDone: () => void }) {
  const go = useGo()
  const { isChecked, isOff = false } = item
  return (
    <button
      type="button"
      role={isChecked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChecked}
      aria-disabled={isOff || undefined}
      tabIndex={-1}
      // Focuses the item while the menu opens, so that the next key already reaches it.
      autofocus={isFirst}
      class={classes(
        'flex min-h-(--control) w-full items-center gap-2 rounded-sm px-2 text-left text-13 outline-none',
        'hover:bg-hover focus:bg-hover aria-disabled:opacity-50',
        item.isDanger === true && 'text-danger',
      )}
      onClick={() => {
        if (isOff) return
        onDone()
        item.run?.()
        if (item.href !== undefined) void go(item.href)
      }}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
    >
      {item.icon && <Icon name={item.icon} class={item.isDanger === true ? '' : 'text-soft'} />}
      <span class="min-w-0 flex-1 py-1">
        <span dir="auto" class="line-clamp-2 text-left break-words" title={item.label}>
          {item.label}
        </span>
        {item.about !== undefined && <span class="block truncate text-12 text-faint">{item.about}</span>}
      </span>
      {item.keys !== undefined && <Keys keys={item.keys} />}
      {isChecked === true && <Icon name="check" class="text-accent-11" />}
    </button>
  )
}

/**
 * Returns the item to focus for a key: arrows (which wrap around), Home, End, or the first letter of an item.
 */
function nextIndex(key: string, at: number, all: HTMLElement[]): number | null {
  if (key === 'ArrowDown') return (at + 1) % all.length
  if (key === 'ArrowUp') return (at - 1 + all.length) % all.length
  if (key === 'Home') return 0
  if (key === 'End') return all.length - 1
  if (key.length !== 1 || key === ' ') return null
  const order = [...all.keys()].map((step) => (at + 1 + step) % all.length)
  const found = order.find((index) =>
    all[index]?.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()),
  )
  return found ?? null
}
