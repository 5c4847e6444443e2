import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { SubmissionForm, useFormSubmission } from './form.tsx'
import type { IconName } from './icon-names.ts'

/** Dialog with a form: introduction, fields and a submit button. */
export function FormDialog<Name extends string = never>({
  title,
  about,
  width = 'md',
  action,
  icon,
  fields,
  isOff = false,
  noValidate = false,
  onSubmit,
  onClose,
  children,
}: {
  title: string
  about?: ComponentChildren
  width?: 'sm' | 'md' | 'lg'
  /** Label of the submit button: `Create the key`. */
  action: string
  icon?: IconName
  /** Field names of the API. */
  fields?: readonly Name[]
  /** Disables submitting while there is nothing to send. */
  isOff?: boolean
  /** Disables browser validation in favor of the server's errors. */
  noValidate?: boolean
  /** Shows the error when it rejects. On success, the caller closes the dialog or shows something else. */
  onSubmit: () => Promise<unknown>
  onClose: () => void
  children: (faults: Partial<Record<Name, string>>) => ComponentChildren
}) {
  const id = useId()
  const sending = useFormSubmission(fields)
  return (
    <Dialog
      title={title}
      about={about}
      width={width}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            look="primary"
            form={id}
            disabled={isOff}
            isBusy={sending.isBusy}
            {...(icon === undefined ? {} : { icon })}
          >
            {action}
          </Button>
        </>
      }
    >
      <SubmissionForm id={id} sending={sending} noValidate={noValidate} onSubmit={onSubmit}>
        {children(sending.faults)}
      </SubmissionForm>
    </Dialog>
  )
}
