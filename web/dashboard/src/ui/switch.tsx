import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'

interface ToggleProps {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
  about?: ComponentChildren
  isOff?: boolean
  /** The label is only read by screen readers, because it is visible elsewhere. */
  isBare?: boolean
}

/** Switch that applies immediately. `isOff` disables it; `about` should then explain why. */
export function Switch({ label, isOn, onChange, about, isOff = false, isBare = false }: ToggleProps) {
  const id = useId()
  const button = (
    <button
      type="button"
      role="switch"
      id={id}
      aria-checked={isOn}
      aria-label={isBare ? label : undefined}
      aria-describedby={about === undefined ? undefined : `${id}-about`}
      disabled={isOff}
      class={classes(
        'relative mt-0.5 h-[18px] w-[30px] shrink-0 rounded-full border transition-colors disabled:opacity-50',
        'before:absolute before:-inset-2 coarse:before:-inset-3 before:content-[""]',
        isOn ? 'border-accent-9 bg-accent-9' : 'border-edge bg-neutral-5',
      )}
      onClick={() => onChange(!isOn)}
    >
      <span
        data-dot
        class={classes(
          'absolute top-[2px] left-[2px] size-3 rounded-full transition-transform',
          isOn ? 'translate-x-3 bg-on-accent' : 'bg-neutral-10',
        )}
      />
    </button>
  )
  if (isBare) return button
  return (
    <div class="flex min-h-9 items-start gap-3 py-2">
      {button}
      <ToggleText {...{ id, label, about, isOff }} />
    </div>
  )
}

export function Checkbox({
  label,
  isOn,
  onChange,
  about,
  isOff = false,
  isBare = false,
  isMixed = false,
}: ToggleProps & { isMixed?: boolean }) {
  const id = useId()
  const box = (
    <span class="relative inline-flex size-4 shrink-0">
      <input
        type="checkbox"
        id={id}
        class="peer size-4 appearance-none rounded-sm border border-edge bg-raised transition-colors checked:border-accent-9 checked:bg-accent-9 indeterminate:border-accent-9 indeterminate:bg-accent-9 disabled:opacity-50"
        checked={isOn}
        disabled={isOff}
        ref={(element) => {
          if (element) element.indeterminate = isMixed
        }}
        aria-label={isBare ? label : undefined}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {(isOn || isMixed) && (
        <span class="pointer-events-none absolute inset-0 flex items-center justify-center text-on-accent">
          {isMixed ? <span class="h-0.5 w-2 rounded-full bg-current" /> : <Icon name="check" size={12} />}
        </span>
      )}
    </span>
  )
  if (isBare) return <label class="inline-flex p-1 coarse:p-3">{box}</label>
  return (
    <div class="flex min-h-8 coarse:min-h-(--control) items-start gap-2.5 py-1.5">
      <span class="mt-0.5 inline-flex">{box}</span>
      <ToggleText {...{ id, label, about, isOff }} />
    </div>
  )
}

function ToggleText({
  id,
  label,
  about,
  isOff,
}: Pick<ToggleProps, 'label' | 'about' | 'isOff'> & { id: string }) {
  return (
    <div class="min-w-0 flex-1">
      <label for={id} class={classes('block', isOff ? 'text-soft' : 'text-text')}>
        {label}
      </label>
      {about !== undefined && (
        <p id={`${id}-about`} class="text-13 text-soft">
          {about}
        </p>
      )}
    </div>
  )
}
