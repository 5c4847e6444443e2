import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { SentForm, useSending } from './form.tsx'
import type { IconName } from './icon-names.ts'

/** A dialog with one form: what it is about, its fields, and one button that sends them. */
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
  /** What the button says: `Create the key`. */
  action: string
  icon?: IconName
  /** Names of the fields, as the API knows them. */
  fields?: readonly Name[]
  /** There is nothing to send yet. */
  isOff?: boolean
  /** The server alone says what is wrong. */
  noValidate?: boolean
  /** Says what went wrong when it rejects. Who is done closes the dialog, or shows something else. */
  onSubmit: () => Promise<unknown>
  onClose: () => void
  children: (faults: Partial<Record<Name, string>>) => ComponentChildren
}) {
  const id = useId()
  const sending = useSending(fields)
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
      <SentForm id={id} sending={sending} noValidate={noValidate} onSubmit={onSubmit}>
        {children(sending.faults)}
      </SentForm>
    </Dialog>
  )
}
