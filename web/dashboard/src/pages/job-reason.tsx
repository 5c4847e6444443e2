/** Why a job came to no good end. The server says it in English, with names; other languages have what its code means. */

import { JOB_ERRORS, type JobErrorCode } from '../../../../src/contract/job-errors.ts'
import { PlainText } from '../ui/plain-text.tsx'
import { language, told } from '../words/words.ts'

interface Ended {
  error: string | null
  errorCode: JobErrorCode | null
}

/** In one line. */
export function reasonOf({ error, errorCode }: Ended): string | null {
  // A newer server may know further codes.
  const isKnown = errorCode !== null && Object.hasOwn(JOB_ERRORS, errorCode)
  return language === 'en' || !isKnown ? error : told(JOB_ERRORS[errorCode].meaning)
}

/** In full: the names that only the server's own sentence has stand below. */
export function Reason({ job, otherwise }: { job: Ended; otherwise: string }) {
  const reason = reasonOf(job) ?? otherwise
  return (
    <>
      <p class="line-clamp-4 font-medium break-words" dir="auto" title={reason}>
        <PlainText text={reason} />
      </p>
      {job.error !== null && job.error !== reason && (
        <p class="mt-0.5 line-clamp-4 break-words text-soft" lang="en" dir="auto" title={job.error}>
          <PlainText text={job.error} />
        </p>
      )}
    </>
  )
}
