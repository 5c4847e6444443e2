/** Dialogs that any code can open; they close when another page opens. */
import { useLocation } from '@tanstack/react-router'
import { type ComponentChildren, Fragment } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import type { ConfirmDialogProps } from '../ui/confirm-dialog.tsx'
import { createStore, useStore } from './store.ts'

type Render = (close: () => void) => ComponentChildren

const open = createStore<{ id: number; path: string; render: Render; onClose: () => void } | null>(null)
let lastId = 0

export function openDialog(render: Render, onClose: () => void = () => undefined): void {
  open.get()?.onClose()
  open.set({ id: ++lastId, path: location.pathname, render, onClose })
}

export function DialogOutlet() {
  const { pathname } = useLocation()
  const dialog = useStore(open)
  const close = (id: number) => {
    const now = open.get()
    if (now?.id !== id) return
    open.set(null)
    now.onClose()
  }
  useEffect(() => {
    const now = open.get()
    if (now !== null && now.path !== location.pathname) close(now.id)
  }, [pathname])
  if (dialog === null) return null
  return <Fragment key={dialog.id}>{dialog.render(() => close(dialog.id))}</Fragment>
}

const LoadedConfirmDialog = lazy(async () => ({
  default: (await import('../ui/confirm-dialog.tsx')).ConfirmDialog,
}))

/** Confirmation dialog, loaded on first use, because it is not part of the initial bundle. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Suspense fallback={null}>
      <LoadedConfirmDialog {...props} />
    </Suspense>
  )
}

export type Confirmation = Omit<ConfirmDialogProps, 'onClose' | 'onConfirm' | 'children'> & {
  text: ComponentChildren
}

/** Shows a confirmation dialog before running the action; errors are shown in the dialog. */
export function confirmFirst({ text, run, ...more }: Confirmation & { run: () => Promise<unknown> }): void {
  openDialog((close) => (
    <ConfirmDialog {...more} onConfirm={run} onClose={close}>
      {typeof text === 'string' ? <p>{text}</p> : text}
    </ConfirmDialog>
  ))
}

/** Shows a confirmation dialog. Resolves to true if the user confirms, and to false if the dialog is closed. */
export function isConfirmed({ text, ...more }: Confirmation): Promise<boolean> {
  return new Promise((resolve) => {
    openDialog(
      (close) => (
        <ConfirmDialog {...more} onConfirm={async () => resolve(true)} onClose={close}>
          {typeof text === 'string' ? <p>{text}</p> : text}
        </ConfirmDialog>
      ),
      () => resolve(false),
    )
  })
}
