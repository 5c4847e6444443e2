/** Turns errors into messages for people. */

import type { Fault } from '../../../../src/base/errors/fault.ts'
import { faultTemplate } from '../../../../src/base/errors/form-faults.ts'
import { ApiError } from '../../../../src/client/call.ts'
import { plural, t, told, toldRefusal } from '../words/words.ts'
import { OfflineError } from './connection.ts'

export interface Explained {
  title: string
  /** The server's sentence, in English, when the translated title only describes the kind of error. */
  original: string | null
  /** Explanation and next step. */
  advice: string
  /** One sentence per fault. */
  details: readonly string[]
  /** Request id to pass on to the server's operator. */
  requestId: string | null
}

export function explain(error: unknown): Explained {
  if (error instanceof OfflineError) {
    return { title: t('No connection'), original: null, advice: error.message, details: [], requestId: null }
  }
  if (!(error instanceof ApiError)) {
    return {
      title: t('Something went wrong here'),
      original: null,
      advice: t('This page ran into an error. Reload it; nothing you saved is lost.'),
      details: error instanceof Error ? [error.message] : [],
      requestId: null,
    }
  }
  const { words, original } = toldRefusal(error.code ?? '', error.message)
  return {
    title: withQuotes(words),
    original: original && withQuotes(original),
    advice: adviceFor(error),
    details: error.details.map(wordsOf),
    requestId: error.requestId,
  }
}

function adviceFor(error: ApiError): string {
  if (error.status === 401) return t('Your session has ended. Sign in again to return to this page.')
  if (error.status === 403) return t('Nothing was changed.')
  if (error.status === 404) return t('It may have been removed, or the address may be wrong.')
  if (error.status === 409) return t('Nothing was changed. Check the latest state and try again.')
  if (error.status === 429)
    return plural(
      error.retryAfterSeconds ?? 60,
      'Try again in {count} second. Nothing was changed.',
      'Try again in {count} seconds. Nothing was changed.',
    )
  if (error.status >= 500)
    return t('This is not your fault. Try again in a moment; if it keeps happening, pass on the request id.')
  return t('Nothing was changed. Correct what is named below and try again.')
}

/**
 * Groups the faults of a rejected body by field (`source/repository`); faults of unknown fields end up in `others`.
 */
export function faultsByField<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): { byField: Partial<Record<Field, string>>; others: string[] } {
  return sortFaults(error, (path) => fields.find((name) => path === name || path.startsWith(`${name}/`)))
}

/** Returns the first fault of each field. Faults without a field and further faults of a field go to `others`. */
export function sortFaults<Field extends string>(
  error: unknown,
  /** Maps a JSON pointer without its leading slash, or the name of a parameter, to a field. */
  fieldOf: (path: string) => Field | undefined,
): { byField: Partial<Record<Field, string>>; others: string[] } {
  const byField: Partial<Record<Field, string>> = {}
  const others: string[] = []
  for (const fault of error instanceof ApiError ? error.details : []) {
    const field = fault.field === undefined ? undefined : fieldOf(fault.field.replace(/^\//, ''))
    if (field === undefined || byField[field] !== undefined) others.push(wordsOf(fault))
    else byField[field] = sentenceOf(withoutField(fault))
  }
  return { byField, others }
}

/** Returns the message of a fault, including the field name if it has one. */
function wordsOf(fault: Fault): string {
  return withQuotes(`${nameOf(fault)}${withoutField(fault)}`)
}

/** Removes the field name (`` `/agent/steps` must be … ``), which is redundant at the field itself. */
function withoutField(fault: Fault): string {
  const { template, values } = faultTemplate(fault.message.slice(nameOf(fault).length))
  return told(template, values)
}

function nameOf({ message, field }: Fault): string {
  const name = `\`${field}\` `
  return message.startsWith(name) ? name : ''
}

/** Formats a fault as a sentence: capitalized, with a full stop, and with quotation marks around code. */
export function sentenceOf(words: string): string {
  const plain = withQuotes(words)
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`.replace(/\.\.$/, '.')
}

/** Replaces the server's backticks with quotation marks. */
function withQuotes(words: string): string {
  return words.replace(/`([^`]*)`/g, (_, code: string) => t('“{quote}”', { quote: code }))
}
