/** Converts errors to messages for users. */

import type { Fault } from '../../../../src/base/errors/fault.ts'
import { ApiError } from '../../../../src/client/call.ts'
import { plural, t, translateError } from '../words/words.ts'
import { OfflineError } from './connection.ts'

export interface ErrorExplanation {
  title: string
  advice: string
  details: readonly string[]
  /** Request id to pass on to the server's operator. */
  requestId: string | null
}

export function explainError(error: unknown): ErrorExplanation {
  if (error instanceof OfflineError) {
    return { title: t('No connection'), advice: error.message, details: [], requestId: null }
  }
  if (!(error instanceof ApiError)) {
    return {
      title: t('Something went wrong here'),
      advice: t('This page ran into an error. Reload it; nothing you saved is lost.'),
      details: error instanceof Error ? [error.message] : [],
      requestId: null,
    }
  }
  return {
    title: quoteCode(translateError(`request.${error.code}`, error.params) ?? error.message),
    advice: getErrorAdvice(error),
    details: error.details.map(formatDetail),
    requestId: error.requestId,
  }
}

function getErrorAdvice(error: ApiError): string {
  if (error.status === 401) return t('Your session has ended. Sign in again to return to this page.')
  if (error.status === 403) return t('Nothing was changed.')
  if (error.status === 404) return t('It may have been removed, or the URL may be wrong.')
  if (error.status === 409) return t('Nothing was changed. Check the latest state and try again.')
  if (error.status === 429)
    return plural(
      error.retryAfterSeconds ?? 60,
      'Try again in {count} second. Nothing was changed.',
      'Try again in {count} seconds. Nothing was changed.',
    )
  if (error.status >= 500)
    return t(
      'The problem is on the server. Try again in a moment. If it keeps happening, report the request ID.',
    )
  return t('Nothing was changed. Correct the errors below and try again.')
}

/** Returns the first fault of each field. All further faults, and faults without a field, go to `others`. */
export function assignErrorsToFields<Field extends string>(
  error: unknown,
  /** Maps a JSON pointer without its leading slash, or the name of a parameter, to a field. */
  fieldOf: (path: string) => Field | undefined,
): { byField: Partial<Record<Field, string>>; others: string[] } {
  const byField: Partial<Record<Field, string>> = {}
  const others: string[] = []
  for (const detail of error instanceof ApiError ? error.details : []) {
    const field = detail.field === undefined ? undefined : fieldOf(detail.field.replace(/^\//, ''))
    if (field === undefined || byField[field] !== undefined) others.push(formatDetail(detail))
    else byField[field] = toSentence(formatWithoutField(detail))
  }
  return { byField, others }
}

function formatDetail(detail: Fault): string {
  return quoteCode(`${fieldPrefix(detail)}${formatWithoutField(detail)}`)
}

/** Omits the field name (`` `/agent/steps` must be … ``), which is redundant at the field itself. */
function formatWithoutField(detail: Fault): string {
  const { code, params, message } = detail
  const translate = (kind: string) => translateError(`${kind}.${code}`, params)
  return (
    (fieldPrefix(detail) === '' ? null : translate('field')) ??
    translate('detail') ??
    translate('job') ??
    message.slice(fieldPrefix(detail).length)
  )
}

function fieldPrefix({ message, field }: Fault): string {
  const name = `\`${field}\` `
  return message.startsWith(name) ? name : ''
}

/** Formats a fault as a message: capitalized, with a full stop, and with quotation marks around code. */
export function toSentence(words: string): string {
  const plain = quoteCode(words)
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`.replace(/\.\.$/, '.')
}

function quoteCode(words: string): string {
  return words.replace(/`([^`]*)`/g, (_, code: string) => t('“{quote}”', { quote: code }))
}
