/** Why a job came to no good end. The server says it in English, with names; other languages have what its code means. */

import { JOB_ERRORS, type JobErrorCode } from '../../../../src/contract/job-errors.ts'
import { PlainText } from '../ui/plain-text.tsx'
import { language, t, told } from '../words/words.ts'

interface Ended {
  error: string | null
  errorCode: JobErrorCode | null
}

/** In one line. */
export function reasonOf({ error, errorCode }: Ended): string | null {
  // A newer server may know further codes.
  const isKnown = errorCode !== null && Object.hasOwn(JOB_ERRORS, errorCode)
  return language === 'en' || !isKnown ? partsOf(error).sentence : told(JOB_ERRORS[errorCode].meaning)
}

/** A sentence, and what it lists: each line behind it, with a hyphen before it. */
function partsOf(error: string | null): { sentence: string | null; items: string[] } {
  const [sentence = null, ...items] = error?.split('\n') ?? []
  return { sentence, items: items.map((item) => item.replace(/^- /, '')) }
}

/** In full: the names that only the server's own sentence has stand below. */
export function Reason({ job, otherwise }: { job: Ended; otherwise: string }) {
  const reason = reasonOf(job) ?? otherwise
  const { sentence, items } = partsOf(job.error)
  return (
    <>
      <p class="line-clamp-4 font-medium break-words" dir="auto" title={reason}>
        <PlainText text={reason} />
      </p>
      {sentence !== null && sentence !== reason && (
        <details class="mt-0.5 text-soft">
          <summary>{t('What the server says')}</summary>
          <p class="break-words" lang="en" dir="auto">
            <PlainText text={sentence} />
          </p>
        </details>
      )}
      {items.length > 0 && (
        <ul
          class="mt-1.5 max-h-60 list-disc max-md:max-h-32 space-y-1 overflow-y-auto pl-4 break-words"
          lang="en"
          tabIndex={0}
          aria-label={t('What is wrong')}
        >
          {items.map((item, index) => (
            <li key={index} dir="auto">
              <PlainText text={item} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
