import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../../../src/client/call.ts'
import { OfflineError } from '../api/connection.ts'
import { explainError, toSentence } from '../api/errors.ts'
import { FormError } from './field.tsx'

/** Error above a form; `others` are faults without a field. Renders nothing without an error. */
export function FormFailure({ error, others }: { error: unknown; others?: readonly string[] }) {
  if (error === null || error === undefined) return null
  const { title, advice, details } = explainError(error)
  const shown = others ?? details
  if (error instanceof OfflineError) return <FormError title={title} details={[advice]} />
  if (!(error instanceof ApiError)) return <FormError title={title} details={details} />
  // Status 503 means that another service is unavailable; the message names it.
  if (error.status === 503) return <FormError title={title} />
  if (error.status >= 500) return <FormError title={`${advice} (${error.requestId ?? title})`} />
  // Every fault is shown at its field, so nothing is left to show here.
  if (error.status === 400 && shown.length === 0 && details.length > 0) return null
  if (error.status === 400 && shown.length === 1) return <FormError title={toSentence(String(shown[0]))} />
  return <FormError title={title} details={shown} />
}

/** Returns a ref for the form. After a rejection, the first invalid field is focused. */
export function useFocusFirstError(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    if (error === null || error === undefined) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  return form
}
