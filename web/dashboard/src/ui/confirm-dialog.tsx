import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { explain } from '../api/errors.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field, FormError } from './field.tsx'
import { Input } from './input.tsx'

/** Asks before something that cannot be undone, by letting one type the name of the thing. */
export function ConfirmDialog({
  title,
  children,
  name,
  action,
  onConfirm,
  onClose,
}: {
  title: string
  /** What will happen. */
  children: ComponentChildren
  /** To be typed; without one a click is enough. */
  name?: string
  /** What the button says: `Revoke the key`. */
  action: string
  /** Closes when it resolves; says what went wrong when it rejects. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const isRight = name === undefined || typed.trim() === name.trim()
  const confirm = async () => {
    if (!isRight || isBusy) return
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" disabled={!isRight} isBusy={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      {error !== null && <FormError title={explain(error).title} details={explain(error).details} />}
      <div class="space-y-3 text-soft">{children}</div>
      {name !== undefined && (
        <form
          class="mt-4"
          onSubmit={(event) => {
            event.preventDefault()
            void confirm()
          }}
        >
          <Field label={`Type “${name}” to go on`}>
            {(field) => (
              <Input
                {...field}
                autoFocus
                autocomplete="off"
                spellcheck={false}
                value={typed}
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            )}
          </Field>
        </form>
      )}
    </Dialog>
  )
}
