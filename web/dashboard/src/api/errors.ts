/** Turns errors into messages for people. */

import type { Fault } from '../../../../src/base/errors/fault.ts'
import { faultTemplate } from '../../../../src/base/errors/form-faults.ts'
import { ApiError } from '../../../../src/client/call.ts'
import { plural, t, translateSentence, translateServerError } from '../words/words.ts'
import { OfflineError } from './connection.ts'

export interface ErrorExplanation {
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

export function explainError(error: unknown): ErrorExplanation {
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
  const { words, original } = translateServerError(error.code ?? '', error.message)
  return {
    title: quoteCode(words),
    original: original && quoteCode(original),
    advice: adviceFor(error),
    details: error.details.map(formatFault),
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
export function groupFaultsByField<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): { byField: Partial<Record<Field, string>>; others: string[] } {
  return assignFaultsToFields(error, (path) =>
    fields.find((name) => path === name || path.startsWith(`${name}/`)),
  )
}

/** Returns the first fault of each field. Faults without a field and further faults of a field go to `others`. */
export function assignFaultsToFields<Field extends string>(
  error: unknown,
  /** Maps a JSON pointer without its leading slash, or the name of a parameter, to a field. */
  fieldOf: (path: string) => Field | undefined,
): { byField: Partial<Record<Field, string>>; others: string[] } {
  const byField: Partial<Record<Field, string>> = {}
  const others: string[] = []
  for (const fault of error instanceof ApiError ? error.details : []) {
    const field = fault.field === undefined ? undefined : fieldOf(fault.field.replace(/^\//, ''))
    if (field === undefined || byField[field] !== undefined) others.push(formatFault(fault))
    else byField[field] = toSentence(formatFaultWithoutField(fault))
  }
  return { byField, others }
}

/** Returns the message of a fault, including the field name if it has one. */
function formatFault(fault: Fault): string {
  return quoteCode(`${fieldPrefix(fault)}${formatFaultWithoutField(fault)}`)
}

/** Removes the field name (`` `/agent/steps` must be … ``), which is redundant at the field itself. */
function formatFaultWithoutField(fault: Fault): string {
  const { template, values } = faultTemplate(fault.message.slice(fieldPrefix(fault).length))
  return translateSentence(template, values)
}

function fieldPrefix({ message, field }: Fault): string {
  const name = `\`${field}\` `
  return message.startsWith(name) ? name : ''
}

/** Formats a fault as a sentence: capitalized, with a full stop, and with quotation marks around code. */
export function toSentence(words: string): string {
  const plain = quoteCode(words)
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`.replace(/\.\.$/, '.')
}

/** Replaces the server's backticks with quotation marks. */
function quoteCode(words: string): string {
  return words.replace(/`([^`]*)`/g, (_, code: string) => t('“{quote}”', { quote: code }))
}
