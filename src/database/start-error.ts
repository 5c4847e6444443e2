/**
 * Error for a database that cannot be used. The message is one sentence for the operator, including the
 * remedy; the cause is logged.
 */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError'
}
