import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'

interface DialogProps {
  title: string
  about?: ComponentChildren
  width?: keyof typeof WIDTHS
  onClose: () => void
  children?: ComponentChildren
  actions?: ComponentChildren
  /** Without heading and padding; `title` is still the accessible name. */
  isBare?: boolean
}

const WIDTHS = { sm: 'max-w-[420px]', md: 'max-w-[560px]', lg: 'max-w-lg', xl: 'max-w-xl' }

/**
 * Modal dialog; the browser traps and restores the focus. Escape and a click outside call `onClose`, and the caller
 * closes it by no longer rendering it.
 */
export function Dialog(props: DialogProps) {
  const { title, width = 'md', onClose, children, isBare = false } = props
  const dialog = useModal()
  const id = useId()
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      {...(isBare ? { 'aria-label': title } : { 'aria-labelledby': id })}
      class={classes(
        'm-auto w-[calc(100vw-32px)] animate-rise rounded-lg bg-raised p-0 shadow-high outline-none',
        'max-h-[min(85vh,800px)] overflow-hidden break-words',
        WIDTHS[width],
        isBare ? 'mt-[12vh]' : '',
      )}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        const element = event.currentTarget
        if (event.target === element && isOutside(event, element)) onClose()
      }}
    >
      {isBare ? children : <DialogFrame {...props} headingId={id} />}
    </dialog>
  )
}

/** Opens the dialog on mount and restores the focus on unmount. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    // Without an autofocus field, focus the dialog itself, so that screen readers start at its heading.
    if (element?.querySelector('[autofocus]') === null) element.focus()
    return () => {
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return dialog
}

function DialogFrame({
  title,
  about,
  onClose,
  children,
  actions,
  headingId,
}: DialogProps & { headingId: string }) {
  return (
    <div class="flex max-h-[min(85vh,800px)] flex-col">
      <div class="flex items-start gap-4 px-5 pt-4 pb-3">
        <div class="min-w-0 flex-1">
          <h2 id={headingId} class="text-16 font-semibold">
            {title}
          </h2>
          {about !== undefined && <div class="mt-1 text-13 text-soft">{about}</div>}
        </div>
        <IconButton
          icon="x"
          label={t('Close')}
          size="small"
          class="-mr-1.5 coarse:-mt-2 coarse:-mr-3"
          onClick={onClose}
        />
      </div>
      {/* A dialog without actions is focusable, so that it can be scrolled by keyboard. */}
      <div
        class="@container/form min-h-0 flex-1 overflow-y-auto px-5 pb-5 outline-offset-[-2px]"
        {...(actions === undefined ? { tabIndex: 0 } : {})}
      >
        {children}
      </div>
      {actions !== undefined && (
        <div class="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{actions}</div>
      )}
    </div>
  )
}

function isOutside(event: PointerEvent, element: HTMLElement): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom
}
