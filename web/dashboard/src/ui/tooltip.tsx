import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Delay in ms, so that tooltips do not flicker when the pointer passes over. */
const SHOW_DELAY_MS = 350

interface TooltipProps {
  text: string
  isBlock?: boolean
  children: ComponentChildren
}

/** Short hint on hover or keyboard focus; Escape hides it. */
export function Tooltip({ text, isBlock = false, children }: TooltipProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const box = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useLayoutEffect(() => {
    const [element, at] = [box.current, anchor.current?.getBoundingClientRect()]
    if (!isOpen || element === null || at === undefined) return
    element.showPopover()
    const top = at.top - element.offsetHeight - 6
    element.style.top = `${top < 8 ? at.bottom + 6 : top}px`
    const left = at.left + at.width / 2 - element.offsetWidth / 2
    element.style.left = `${Math.max(8, Math.min(left, innerWidth - element.offsetWidth - 8))}px`
  }, [isOpen])
  const close = () => {
    clearTimeout(timer.current)
    setOpen(false)
  }
  const open = (delayMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(true), delayMs)
  }
  return (
    <span
      ref={anchor}
      class={isBlock ? 'flex min-w-0' : 'inline-flex min-w-0'}
      aria-describedby={isOpen ? id : undefined}
      onPointerEnter={() => open(SHOW_DELAY_MS)}
      onPointerLeave={close}
      onPointerDown={close}
      onFocusIn={() => open(0)}
      onFocusOut={close}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      {children}
      {isOpen && (
        <span
          ref={box}
          id={id}
          role="tooltip"
          popover="manual"
          class="pointer-events-none fixed inset-auto m-0 max-w-sm animate-appear rounded-sm bg-neutral-12 px-2 py-1 text-12 text-neutral-1 shadow-high"
        >
          {text}
        </span>
      )}
    </span>
  )
}
