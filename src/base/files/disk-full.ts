/** Distinguishes a full disk from other failures. */

// Codes of the system (including quotas), PostgreSQL, and self-hosted S3.
const CODES = new Set(['ENOSPC', 'EDQUOT', '53100', 'XMinioStorageFull'])
const INSUFFICIENT_STORAGE = 507
/** Messages of the operating system as passed on by other programs such as git, in the message or in `detail`. */
const SENTENCES = /No space left on device|Disk quota exceeded/i

/**
 * Returns whether an error, or one of its causes, means that the disk is full. `byCode` ignores messages of programs,
 * which may come from a remote git server.
 */
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
