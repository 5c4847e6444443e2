import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../../../src/client/call.ts'
import { OfflineError } from '../api/connection.ts'
import { explain, sentenceOf } from '../api/errors.ts'
import { FormError } from './field.tsx'

/** What went wrong with a form, above it; `others` are the faults that stand at no field. Nothing without an error. */
export function FormFailure({ error, others }: { error: unknown; others?: readonly string[] }) {
  if (error === null || error === undefined) return null
  const { title, original, advice, details } = explain(error)
  const shown = others ?? details
  if (error instanceof OfflineError) return <FormError title={title} details={[advice]} />
  if (!(error instanceof ApiError)) return <FormError title={title} details={details} />
  // Something beside the server is away, and the sentence says what.
  if (error.status === 503) return <FormError title={title} original={original} />
  if (error.status >= 500) return <FormError title={`${advice} (${error.requestId ?? title})`} />
  // Everything stands at its field.
  if (error.status === 400 && shown.length === 0 && details.length > 0) return null
  if (error.status === 400 && shown.length === 1) return <FormError title={sentenceOf(String(shown[0]))} />
  return <FormError title={title} original={original} details={shown} />
}

/** For the form: after a refusal the focus is at the first field that is wrong, where reading and correcting go on. */
export function useFocusOnFault(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    if (error === null || error === undefined) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  return form
}
