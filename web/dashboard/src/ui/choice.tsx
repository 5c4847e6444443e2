import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'

export interface Choice<Value extends string> {
  value: Value
  label: string
  about?: ComponentChildren
  icon?: IconName
  isOff?: boolean
  /** Heading above this choice and the following choices in a list of checkboxes. */
  heading?: string
}

interface ChoiceProps<Value extends string> {
  label: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
}

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

/** Compact single choice in one line, such as a period or layout; arrow keys change it. */
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
