import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { classes } from './classes.ts'

/** Gap between the anchor and the popover, and between the popover and the edge of the window. */
const POPOVER_GAP_PX = 4
const MARGIN = 8

type ElementRef = RefObject<HTMLElement | null>
type Side = 'bottom' | 'top'
type Align = 'start' | 'end'

interface PopoverProps {
  anchor: ElementRef
  onClose: () => void
  side?: Side
  align?: Align
  label?: string
  role?: 'dialog' | 'listbox' | 'none'
  class?: string
  children: ComponentChildren
}

/**
 * Popover next to an anchor, in the top layer; a click outside and Escape close it. The caller renders it while it is
 * open; closing restores the focus to `anchor`.
 */
export function Popover({
  anchor,
  onClose,
  side = 'bottom',
  align = 'start',
  label,
  role = 'dialog',
  class: className,
  children,
}: PopoverProps) {
  const box = useRef<HTMLDivElement>(null)
  usePopoverPosition(box, anchor, side, align)
  useOutsidePress(box, anchor, onClose)
  return (
    <div
      ref={box}
      popover="manual"
      role={role === 'none' ? undefined : role}
      aria-label={label}
      data-takes-keys
      class={classes(
        'fixed inset-auto m-0 max-h-[min(480px,80vh)] min-w-44 animate-appear overflow-y-auto rounded-md bg-raised p-1 text-text shadow-high',
        className,
      )}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
        anchor.current?.focus()
      }}
    >
      {children}
    </div>
  )
}

function usePopoverPosition(box: ElementRef, anchor: ElementRef, side: Side, align: Align): void {
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    element.showPopover()
    const updatePosition = () => anchor.current && positionBeside(element, anchor.current, side, align)
    updatePosition()
    const seen = new ResizeObserver(updatePosition)
    seen.observe(element)
    addEventListener('resize', updatePosition)
    addEventListener('scroll', updatePosition, true)
    return () => {
      seen.disconnect()
      removeEventListener('resize', updatePosition)
      removeEventListener('scroll', updatePosition, true)
    }
  }, [anchor, side, align])
}

function useOutsidePress(box: ElementRef, anchor: ElementRef, onPress: () => void): void {
  const act = useRef(onPress)
  act.current = onPress
  useLayoutEffect(() => {
    const onPointerDown = (event: PointerEvent) => {
      const target = event.target as Node
      if (!box.current?.contains(target) && !anchor.current?.contains(target)) act.current()
    }
    document.addEventListener('pointerdown', onPointerDown, true)
    return () => document.removeEventListener('pointerdown', onPointerDown, true)
  }, [anchor])
}

function positionBeside(element: HTMLElement, anchor: HTMLElement, side: Side, align: Align): void {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = element
  const below = at.bottom + POPOVER_GAP_PX
  const above = at.top - POPOVER_GAP_PX - height
  const fits = side === 'bottom' ? below + height <= innerHeight - MARGIN : above >= MARGIN
  const isBelow = side === 'bottom' ? fits || above < MARGIN : !fits
  const left = align === 'start' ? at.left : at.right - width
  element.style.top = `${Math.max(MARGIN, Math.min(isBelow ? below : above, innerHeight - height - MARGIN))}px`
  element.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`
}
