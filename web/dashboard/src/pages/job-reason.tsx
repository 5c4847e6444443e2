/**
 * Reason why a job failed. The server's text is English and includes names; other languages show the meaning of the
 * error code.
 */

import { JOB_ERRORS } from '../../../../src/base/errors/catalogue.ts'
import type { JobErrorCode } from '../../../../src/base/errors/permanent-error.ts'
import { PlainText } from '../ui/plain-text.tsx'
import { useIsPhone } from '../ui/use-width.ts'
import { language, t, translateError } from '../words/words.ts'

export interface EndedJob {
  error: string | null
  errorCode: JobErrorCode | null
}

/** Returns the remedy for an error code; null for a code of a newer server. */
export function jobErrorRemedy(code: JobErrorCode): string | null {
  if (!Object.hasOwn(JOB_ERRORS, code)) return null
  return translateError(`job.${code}.remedy`) ?? JOB_ERRORS[code].remedy
}

export function describeReason({ error, errorCode }: EndedJob): string | null {
  // A newer server may send codes that are unknown here.
  const isKnown = errorCode !== null && Object.hasOwn(JOB_ERRORS, errorCode)
  return language === 'en' || !isKnown
    ? parseReason(error).sentence
    : (translateError(`job.${errorCode}`) ?? JOB_ERRORS[errorCode].message)
}

/** Splits an error into its sentence and the list below it, whose lines begin with a hyphen. */
function parseReason(error: string | null): { sentence: string | null; items: string[] } {
  const [first = null, ...items] = error?.split('\n') ?? []
  // The sentence is shown without the list, so it must not end with a colon.
  const sentence = items.length === 0 ? first : (first?.replace(/:$/, '.') ?? null)
  return { sentence, items: items.map((item) => item.replace(/^- /, '')) }
}

export function Reason({ job, otherwise }: { job: EndedJob; otherwise: string }) {
  const reason = describeReason(job) ?? otherwise
  return (
    <p class="line-clamp-4 font-medium break-words" dir="auto" title={reason}>
      <PlainText text={reason} />
    </p>
  )
}

/**
 * The server's original text, which includes names. A list is expanded except on phones, where it fills the screen.
 */
export function ReasonDetails({ job }: { job: EndedJob }) {
  const isPhone = useIsPhone()
  const { sentence, items } = parseReason(job.error)
  const isSaid = sentence === null || sentence === describeReason(job)
  if (isSaid && items.length === 0) return null
  return (
    <details class="text-soft open:basis-full" open={items.length > 0 && !isPhone}>
      <summary>{items.length > 0 ? t('What is wrong') : t('Server message')}</summary>
      <div class="mt-1 max-h-60 space-y-1 overflow-y-auto break-words" tabIndex={0}>
        {!isSaid && (
          <p lang="en" dir="auto">
            <PlainText text={sentence} />
          </p>
        )}
        {items.length > 0 && (
          <ul class="list-disc space-y-1 pl-4" lang="en" aria-label={t('What is wrong')}>
            {items.map((item, index) => (
              <li key={index} dir="auto">
                <PlainText text={item} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </details>
  )
}
