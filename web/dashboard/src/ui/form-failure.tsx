import { ApiError } from '../../../../src/client/call.ts'
import { OfflineError } from '../api/connection.ts'
import { explain } from '../api/errors.ts'
import { FormError } from './field.tsx'

/** What went wrong with a form, above it; `others` are the faults that stand at no field. Nothing without an error. */
export function FormFailure({ error, others }: { error: unknown; others?: readonly string[] }) {
  if (error === null || error === undefined) return null
  const { title, advice, details } = explain(error)
  const shown = others ?? details
  if (error instanceof OfflineError) return <FormError title={advice} />
  if (!(error instanceof ApiError)) return <FormError title={title} details={details} />
  if (error.status >= 500) return <FormError title={`${advice} (${error.requestId ?? title})`} />
  if (error.status === 400 && shown.length === 0) return null // Everything stands at its field.
  if (error.status === 400 && shown.length === 1) return <FormError title={`${shown[0]}.`} />
  return <FormError title={title} details={shown} />
}
