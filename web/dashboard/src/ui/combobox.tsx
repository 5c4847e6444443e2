import { useId, useRef, useState } from 'preact/hooks'
import { classes } from './classes.ts'
import type { FieldProps } from './field.tsx'
import { Input } from './input.tsx'
import { Popover } from './popover.tsx'

/** Options that are shown at once. */
const MOST = 50

/** A field that proposes: what is typed may also be something of one's own, unless the caller refuses it. */
export function Combobox({
  field,
  options,
  value,
  onChange,
  placeholder,
}: {
  field: FieldProps
  options: readonly { value: string; about?: string }[]
  value: string
  onChange: (value: string) => void
  placeholder?: string
}) {
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const listId = useId()
  const anchor = useRef<HTMLDivElement>(null)
  const typed = value.trim().toLowerCase()
  const found = options.filter((option) => option.value.toLowerCase().includes(typed)).slice(0, MOST)
  const shown = isOpen && found.length > 0
  const choose = (option: { value: string } | undefined) => {
    if (option) onChange(option.value)
    setOpen(false)
    setAt(-1)
  }
  return (
    <div ref={anchor}>
      <Input
        {...field}
        role="combobox"
        aria-expanded={shown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={shown && at >= 0 ? `${listId}-${at}` : undefined}
        autocomplete="off"
        placeholder={placeholder}
        value={value}
        onInput={(event) => {
          onChange(event.currentTarget.value)
          setOpen(true)
          setAt(-1)
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (step !== undefined && found.length > 0) {
            event.preventDefault()
            setOpen(true)
            setAt((at + step + found.length) % found.length)
          }
          if (event.key === 'Enter' && shown && at >= 0) {
            event.preventDefault()
            choose(found[at])
          }
          if (event.key === 'Escape' && shown) {
            event.preventDefault()
            event.stopPropagation()
            setOpen(false)
          }
        }}
      />
      {shown && (
        <Popover anchor={anchor} role="none" onClose={() => setOpen(false)} class="w-80">
          <div id={listId} role="listbox" aria-label="Proposals">
            {found.map((option, index) => (
              <div
                key={option.value}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                class={classes(
                  'flex min-h-8 coarse:min-h-11 items-center justify-between gap-3 rounded-sm px-2 text-13',
                  index === at && 'bg-hover',
                )}
                onPointerDown={(event) => {
                  event.preventDefault() // The field keeps the focus.
                  choose(option)
                }}
                onPointerMove={() => setAt(index)}
              >
                <span class="truncate">{option.value}</span>
                {option.about !== undefined && (
                  <span class="shrink-0 text-12 text-faint">{option.about}</span>
                )}
              </div>
            ))}
          </div>
        </Popover>
      )}
    </div>
  )
}
