/** Forms that create something or run an action: the same fields as in settings, with their own button. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { assignErrorsToFields } from '../api/errors.ts'
import { Button } from '../ui/button.tsx'
import { useFormSubmission } from '../ui/form.tsx'
import { SubmitDialog, type SubmitDialogProps } from '../ui/form-dialog.tsx'
import { FormFailure } from '../ui/form-failure.tsx'
import { readDraft, writeBody } from './draft.ts'
import { type FormOperation, getFormSchema } from './field-schema.ts'
import type { Draft, Entry, Value } from './field-spec.ts'
import { Fields, listFields } from './fields.tsx'
import { matchField } from './settings-form.tsx'

interface FieldsFormProps<Body> {
  operation?: FormOperation
  fields: (draft: Draft) => readonly Entry[]
  initial?: object
  /** A rejection is shown in the form. */
  onSubmit: (body: Body, draft: Draft) => Promise<unknown>
  action: string | ((draft: Draft) => string)
  /** Returns true while there is nothing to send. */
  isOff?: (draft: Draft) => boolean
  noValidate?: boolean
}

function useFieldsForm<Body>({ operation, initial, isOff, ...props }: FieldsFormProps<Body>) {
  const schema = getFormSchema(operation)
  const [draft, setDraft] = useState<Draft>(() => {
    const fields = listFields(props.fields({}))
    return { ...(initial as Draft | undefined), ...readDraft(fields, initial, schema) }
  })
  const [sent, setSent] = useState<unknown>(null)
  const { form, error, isBusy, send } = useFormSubmission()
  const entries = props.fields(draft)
  const fields = listFields(entries).filter(({ isHidden }) => isHidden !== true)
  const { byField: fieldErrors, others } = assignErrorsToFields(error, (path) =>
    matchField(path, fields, sent, schema),
  )
  const submit = () =>
    send(async () => {
      const body = writeBody(fields, draft, schema) as Body
      setSent(body)
      await props.onSubmit(body, draft)
    })
  const set = (change: Readonly<Record<string, Value>>) => setDraft((now) => ({ ...now, ...change }))
  return {
    label: typeof props.action === 'string' ? props.action : props.action(draft),
    isIncomplete: isOff?.(draft) ?? false,
    isBusy,
    content: (
      <>
        <FormFailure error={error} others={others} />
        <Fields entries={entries} state={{ schema, draft, set, fieldErrors }} />
      </>
    ),
    attributes: {
      ref: form,
      noValidate: props.noValidate ?? false,
      onSubmit: (event: Event) => {
        event.preventDefault()
        void submit()
      },
    },
  }
}

export function FieldsForm<Body = Record<string, unknown>>({
  size = 'medium',
  look = 'primary',
  isWide = size === 'large',
  children,
  ...props
}: FieldsFormProps<Body> & {
  size?: 'medium' | 'large'
  look?: 'primary' | 'secondary' | 'danger'
  isWide?: boolean
  children?: ComponentChildren
}) {
  const { label, isIncomplete, isBusy, content, attributes } = useFieldsForm(props)
  return (
    <form {...attributes}>
      {content}
      <div class={isWide ? 'mt-1 flex flex-col gap-2' : 'mt-4 flex flex-wrap gap-2'}>
        <Button type="submit" look={look} size={size} disabled={isIncomplete} isBusy={isBusy}>
          {label}
        </Button>
        {children}
      </div>
    </form>
  )
}

/** When `onSubmit` resolves, the caller closes the dialog or replaces its content. */
export function FieldsDialog<Body = Record<string, unknown>>({
  title,
  about,
  width,
  icon,
  onClose,
  ...props
}: FieldsFormProps<Body> & Pick<SubmitDialogProps, 'title' | 'about' | 'width' | 'icon' | 'onClose'>) {
  const id = useId()
  const { label, isIncomplete, isBusy, content, attributes } = useFieldsForm(props)
  const dialog = { title, onClose, ...(about === undefined ? {} : { about }), ...(width && { width }) }
  return (
    <SubmitDialog
      {...dialog}
      {...(icon && { icon })}
      action={label}
      isOff={isIncomplete}
      isBusy={isBusy}
      form={id}
    >
      <form id={id} {...attributes}>
        {content}
      </form>
    </SubmitDialog>
  )
}
