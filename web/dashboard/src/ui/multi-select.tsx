import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'
import { formatCount } from './numbers.ts'
import { Popover } from './popover.tsx'

export interface MultiOption<Value extends string> {
  value: Value
  label: string
  icon?: IconName
  tone?: string
  count?: number | undefined
}

/** Multi-select list with a count per option; arrows move, Space toggles, Escape closes. */
export function MultiSelect<Value extends string>({
  label,
  words,
  options,
  chosen,
  onChange,
  below,
}: {
  label: string
  words: string
  options: readonly MultiOption<Value>[]
  chosen: readonly Value[]
  onChange: (chosen: Value[]) => void
  below?: (close: () => void) => ComponentChildren
}) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const toggle = (value: Value) =>
    onChange(options.map((option) => option.value).filter((one) => (one === value) !== chosen.includes(one)))
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={t('{label}: {value}', { label, value: words })}
        class="inline-flex h-8 max-w-56 shrink-0 items-center gap-2 rounded-sm border border-edge bg-raised pr-2.5 pl-3 text-13 coarse:h-(--control)"
        onClick={() => setOpen(!isOpen)}
      >
        <span class="truncate">{words}</span>
        <Icon name="chevron-down" size={14} class="text-soft" />
      </button>
      {isOpen && (
        <Popover anchor={button} label={label} onClose={close} class="w-60">
          <div role="group" aria-label={label} data-takes-keys onKeyDown={moveFocus}>
            {options.map((option, index) => (
              <Choice
                key={option.value}
                option={option}
                isFirst={index === 0}
                isOn={chosen.includes(option.value)}
                onToggle={() => toggle(option.value)}
              />
            ))}
          </div>
          {below !== undefined && <div class="mt-1 border-t border-line pt-1">{below(close)}</div>}
        </Popover>
      )}
    </>
  )
}

function Choice<Value extends string>({
  option: { label, icon, tone, count: number },
  isOn,
  isFirst,
  onToggle,
}: {
  option: MultiOption<Value>
  isOn: boolean
  isFirst: boolean
  onToggle: () => void
}) {
  return (
    <label class="flex h-8 items-center gap-2.5 rounded-sm px-2 text-13 hover:bg-hover has-focus-visible:bg-hover coarse:h-(--control)">
      <input
        type="checkbox"
        class="size-4 accent-accent-9"
        checked={isOn}
        autofocus={isFirst}
        onChange={onToggle}
      />
      {icon !== undefined && <Icon name={icon} size={14} class={classes(tone ?? 'text-faint')} />}
      <span class="min-w-0 flex-1 truncate">{label}</span>{' '}
      {number !== undefined && <span class="text-12 text-faint tabular-nums">{formatCount(number)}</span>}
    </label>
  )
}

function moveFocus(event: TargetedKeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const boxes = [...event.currentTarget.querySelectorAll('input')]
  const at = boxes.indexOf(document.activeElement as HTMLInputElement)
  boxes[(at + step + boxes.length) % boxes.length]?.focus()
}
