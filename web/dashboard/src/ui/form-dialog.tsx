import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { faultsByField } from '../api/errors.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FormFailure, useFocusOnFault } from './form-failure.tsx'

/** A dialog with one form: sent once at a time, all faults at their fields, what belongs to no field above them. */
export function FormDialog<Name extends string>({
  title,
  action,
  fields,
  onSubmit,
  onClose,
  children,
}: {
  title: string
  /** What the button says: `Make the key`. */
  action: string
  /** Names of the fields, as the API knows them. */
  fields: readonly Name[]
  /** Says what went wrong when it rejects. Who is done closes the dialog, or shows something else. */
  onSubmit: () => Promise<unknown>
  onClose: () => void
  children: (faults: Partial<Record<Name, string>>) => ComponentChildren
}) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const send = async () => {
    if (isBusy) return
    setBusy(true)
    setError(null)
    try {
      await onSubmit()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  const form = useFocusOnFault(error)
  const { byField, others } = faultsByField(error, fields)
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <FormFailure error={error} others={others} />
        {children(byField)}
        <div class="mt-5 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
