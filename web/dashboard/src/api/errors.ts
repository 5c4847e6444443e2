/** What to say about something that went wrong, in words for people. */
import { ApiError } from '../../../../src/client/call.ts'
import { OfflineError } from './connection.ts'

export interface Explained {
  /** What happened. */
  title: string
  /** What it means and what to do. */
  advice: string
  /** One sentence for each thing wrong. */
  details: readonly string[]
  /** To give to who looks after the server. */
  requestId: string | null
}

export function explain(error: unknown): Explained {
  if (error instanceof OfflineError) {
    return { title: 'No connection', advice: error.message, details: [], requestId: null }
  }
  if (!(error instanceof ApiError)) {
    return {
      title: 'Something went wrong here',
      advice: 'The page could not go on. Load it again; nothing that was saved is lost.',
      details: error instanceof Error ? [error.message] : [],
      requestId: null,
    }
  }
  return {
    title: error.message,
    advice: adviceFor(error),
    details: error.details,
    requestId: error.requestId,
  }
}

function adviceFor(error: ApiError): string {
  if (error.status === 401) return 'Your session has ended. Sign in again; you come back to this place.'
  if (error.status === 403) return 'Nothing was changed.'
  if (error.status === 404) return 'It may have been removed, or the address may be wrong.'
  if (error.status === 409) return 'Nothing was changed. Look at the newest state and try again.'
  if (error.status === 429)
    return `Try again in ${error.retryAfterSeconds ?? 60} seconds. Nothing was changed.`
  if (error.status >= 500)
    return 'This is not your doing. Try again in a moment; if it stays, give the request id on.'
  return 'Nothing was changed. Correct what is named and try again.'
}

/** The faults of a refused body by field (`source/repository`); those of no known field come in `others`. */
export function faultsByField<Field extends string>(
  error: unknown,
  fields: readonly Field[],
  /** Of a rule's sentence, which begins with no pointer. */
  fieldOf: (sentence: string) => Field | undefined = () => undefined,
): { byField: Partial<Record<Field, string>>; others: string[] } {
  const byField: Partial<Record<Field, string>> = {}
  const others: string[] = []
  for (const detail of error instanceof ApiError ? error.details : []) {
    const pointer = /^`?\/([^\s`]*)`? /.exec(detail)
    // Rules beyond the shape speak in words: `The password …`.
    const field = pointer
      ? fields.find((name) => pointer[1] === name || pointer[1]?.startsWith(`${name}/`))
      : (fieldOf(detail) ?? fields.find((name) => detail.toLowerCase().startsWith(`the ${name} `)))
    if (field === undefined) others.push(detail)
    else byField[field] ??= sentenceOf(pointer ? detail.slice(pointer[0].length) : detail)
  }
  return { byField, others }
}

/** A fault for people: begins large, ends with a stop, and what was typed stands in marks of quotation. */
export function sentenceOf(words: string): string {
  const plain = words.replace(/`([^`]*)`/g, '“$1”')
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`.replace(/\.\.$/, '.')
}
