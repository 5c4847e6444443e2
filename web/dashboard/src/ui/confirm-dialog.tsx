import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { SubmissionForm, useFormSubmission } from './form.tsx'
import { TextField } from './text-field.tsx'

export interface ConfirmDialogProps {
  title: string
  children: ComponentChildren
  /** Name to type; without it, a click is enough. */
  name?: string
  action: string
  cancel?: string
  width?: 'sm' | 'md'
  /** `primary` for an action that is not destructive, but cannot be undone. */
  look?: 'danger' | 'primary'
  /** Closes the dialog when it resolves; shows the error when it rejects. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/**
 * Confirms an action that cannot be undone; for the most destructive actions, the user must type the name.
 */
export function ConfirmDialog({
  title,
  children,
  name,
  action,
  cancel = t('Cancel'),
  width = 'md',
  look = 'danger',
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const sending = useFormSubmission()
  const isRight = name === undefined || typed.trim() === name.trim()
  const confirm = async () => {
    if (!isRight) return
    await onConfirm()
    onClose()
  }
  return (
    <Dialog
      title={title}
      width={width}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" form={id} look={look} disabled={!isRight} isBusy={sending.isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <SubmissionForm id={id} sending={sending} onSubmit={confirm}>
        <div class="space-y-3 text-soft">{children}</div>
        {name !== undefined && (
          <div class="mt-4">
            <TextField
              label={t('Type “{name}” to confirm', { name })}
              autoFocus
              autocomplete="off"
              spellcheck={false}
              value={typed}
              onText={setTyped}
            />
          </div>
        )}
      </SubmissionForm>
    </Dialog>
  )
}
