/** Forms: one submission at a time, with field errors at their fields and all others above them. */

import type { ComponentChildren, RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { groupFaultsByField } from '../api/errors.ts'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { FormFailure, useFocusOnFault } from './form-failure.tsx'

type Faults<Name extends string> = Partial<Record<Name, string>>

interface Sending<Name extends string> {
  isBusy: boolean
  error: unknown
  faults: Faults<Name>
  /** Faults without a field. */
  others: readonly string[]
  /** Ref of the form, whose first invalid field is focused. */
  form: RefObject<HTMLFormElement | null>
  send: (work: () => Promise<unknown>) => Promise<void>
  /** Clears the error. */
  reset: () => void
}

/** `fields` are the field names of the API. */
export function useFormSubmission<Name extends string = never>(fields: readonly Name[] = []): Sending<Name> {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const send = async (work: () => Promise<unknown>) => {
    if (isBusy) return
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  const form = useFocusOnFault(error)
  const { byField: faults, others } = groupFaultsByField(error, fields)
  return { isBusy, error, faults, others, form, send, reset: () => setError(null) }
}

interface FormProps<Name extends string> {
  fields?: readonly Name[]
  /** Shows the error when it rejects. */
  onSubmit: () => Promise<unknown>
  class?: string
  /** Disables browser validation in favor of the server's errors. */
  noValidate?: boolean
  children: (state: { faults: Faults<Name>; isBusy: boolean; reset: () => void }) => ComponentChildren
}

export function Form<Name extends string = never>({ fields, onSubmit, children, ...more }: FormProps<Name>) {
  const sending = useFormSubmission(fields)
  return (
    <SubmissionForm {...more} sending={sending} onSubmit={onSubmit}>
      {children(sending)}
    </SubmissionForm>
  )
}

/** Buttons below an edit form; disabled until something has changed. */
export function SaveOrDiscard({
  isDirty,
  isBusy,
  onDiscard,
}: {
  isDirty: boolean
  isBusy: boolean
  onDiscard: () => void
}) {
  return (
    <div class="flex gap-2">
      <Button type="submit" look="primary" disabled={!isDirty} isBusy={isBusy}>
        {t('Save')}
      </Button>
      <Button disabled={!isDirty} onClick={onDiscard}>
        {t('Discard')}
      </Button>
    </div>
  )
}

/** Form with externally managed sending state, for example when the submit button is outside of it. */
export function SubmissionForm<Name extends string>({
  sending,
  onSubmit,
  children,
  ...more
}: Omit<FormProps<Name>, 'fields' | 'children'> & {
  id?: string
  sending: Sending<Name>
  children: ComponentChildren
}) {
  return (
    <form
      {...more}
      ref={sending.form}
      onSubmit={(event) => {
        event.preventDefault()
        void sending.send(onSubmit)
      }}
    >
      <FormFailure error={sending.error} others={sending.others} />
      {children}
    </form>
  )
}
