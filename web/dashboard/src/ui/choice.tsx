import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'
import { Link } from './link.tsx'

export interface Choice<Value extends string> {
  value: Value
  label: string
  about?: ComponentChildren
  icon?: IconName
  isOff?: boolean
}

interface ChoiceProps<Value extends string> {
  /** Of the whole, for those who hear it. */
  label: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** One of few, with room to explain each. */
export function RadioGroup<Value extends string>({ label, choices, value, onChange }: ChoiceProps<Value>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} class="overflow-hidden rounded-md border border-line">
      {choices.map((choice) => (
        <label
          key={choice.value}
          class={classes(
            'flex gap-3 border-b border-line px-3 py-2.5 last:border-b-0 coarse:min-h-(--control)',
            choice.value === value ? 'bg-selected' : 'bg-raised hover:bg-neutral-3',
            choice.isOff === true && 'opacity-60',
          )}
        >
          <input
            type="radio"
            name={name}
            class="mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-edge bg-raised checked:border-[5px] checked:border-accent-9"
            checked={choice.value === value}
            disabled={choice.isOff === true}
            onChange={() => onChange(choice.value)}
          />
          <span class="min-w-0 flex-1">
            <span class="block font-medium">{choice.label}</span>
            {choice.about !== undefined && <span class="block text-13 text-soft">{choice.about}</span>}
          </span>
        </label>
      ))}
    </div>
  )
}

/** One of few, in a line: a period, a way of looking. Arrows move. */
export function SegmentedControl<Value extends string>({
  label,
  choices,
  value,
  onChange,
}: ChoiceProps<Value>) {
  const group = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const at = choices.findIndex((choice) => choice.value === value)
    const to = (at + step + choices.length) % choices.length
    const next = choices[to]
    if (next === undefined) return
    onChange(next.value)
    group.current?.querySelectorAll('button')[to]?.focus()
  }
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      data-takes-keys
      class="inline-flex rounded-sm border border-line bg-neutral-3 p-0.5"
      onKeyDown={onKeyDown}
    >
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          tabIndex={choice.value === value ? 0 : -1}
          disabled={choice.isOff === true}
          class={classes(
            'inline-flex h-[26px] coarse:h-10 items-center gap-1.5 rounded-sm px-2.5 text-13 whitespace-nowrap transition-colors',
            choice.value === value
              ? 'bg-chosen font-medium text-text shadow-low'
              : 'text-soft hover:text-text',
          )}
          onClick={() => onChange(choice.value)}
        >
          {choice.icon && <Icon name={choice.icon} size={14} />}
          {choice.label}
        </button>
      ))}
    </div>
  )
}

/** Tabs that are addresses: going back, linking and opening beside work as everywhere. */
export function TabLinks({
  label,
  tabs,
  current,
}: {
  label: string
  tabs: readonly { href: string; label: string; count?: number | undefined }[]
  /** Address of the one that is shown. */
  current: string
}) {
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const chosen = bar.current?.querySelector<HTMLElement>('[aria-current]')
    // Not scrollIntoView: the page around the bar stays where it is.
    if (bar.current && chosen)
      bar.current.scrollLeft = chosen.offsetLeft - (bar.current.clientWidth - chosen.offsetWidth) / 2
  }, [current])
  return (
    <nav
      ref={bar}
      aria-label={label}
      class="relative -mx-2 -mb-px flex gap-1 overflow-x-auto max-md:-mx-4 max-md:px-2 [scrollbar-width:none]"
    >
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          look="none"
          href={tab.href}
          aria-current={tab.href === current ? 'page' : undefined}
          class={classes(
            'inline-flex h-9 coarse:h-(--control) items-center gap-1.5 border-b-2 px-2 text-13 whitespace-nowrap outline-offset-[-2px]',
            tab.href === current
              ? 'border-accent-9 font-medium text-text'
              : 'border-transparent text-soft hover:text-text',
          )}
        >
          {tab.label}
          {tab.count !== undefined && <span class="text-12 text-faint tabular-nums">{tab.count}</span>}
        </Link>
      ))}
    </nav>
  )
}
