/** Tells that something could not be written for want of room from everything else that can go wrong. */

// Of the system (quotas too); of PostgreSQL; of S3 that somebody runs on disks of their own.
const CODES = new Set(['ENOSPC', 'EDQUOT', '53100', 'XMinioStorageFull'])
const INSUFFICIENT_STORAGE = 507
/** As other programs, git for one, pass on what the system told them, in the message or in `detail`. */
const SENTENCES = /No space left on device|Disk quota exceeded/i

/** Also of an error that was caused by one. `byCode`: without what programs say, for a repository's server may say it too. */
export function isDiskFull(error: unknown, { byCode = false } = {}): boolean {
  if (!(error instanceof Error)) return false
  const { code, detail, $metadata } = error as {
    code?: unknown
    detail?: unknown
    $metadata?: { httpStatusCode?: unknown }
  }
  if (CODES.has(String(code)) || CODES.has(error.name)) return true
  if ($metadata?.httpStatusCode === INSUFFICIENT_STORAGE) return true
  if (!byCode && (SENTENCES.test(error.message) || SENTENCES.test(String(detail)))) return true
  if (error instanceof AggregateError) return error.errors.some((one) => isDiskFull(one, { byCode }))
  return isDiskFull(error.cause, { byCode })
}
