/** Forms: one submission at a time, with errors above the fields. */

import type { ComponentChildren, RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { FormFailure, useFocusFirstError } from './form-failure.tsx'

interface Sending {
  isBusy: boolean
  error: unknown
  form: RefObject<HTMLFormElement | null>
  send: (work: () => Promise<unknown>) => Promise<void>
  reset: () => void
}

export function useFormSubmission(): Sending {
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
  return { isBusy, error, form: useFocusFirstError(error), send, reset: () => setError(null) }
}

interface SubmissionFormProps {
  id?: string
  class?: string
  sending: Sending
  /** If it rejects, the form shows the error. */
  onSubmit: () => Promise<unknown>
  children: ComponentChildren
}

export function SubmissionForm({ sending, onSubmit, children, ...more }: SubmissionFormProps) {
  return (
    <form
      {...more}
      ref={sending.form}
      onSubmit={(event) => {
        event.preventDefault()
        void sending.send(onSubmit)
      }}
    >
      <FormFailure error={sending.error} />
      {children}
    </form>
  )
}
