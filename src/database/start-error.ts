/**
 * The database cannot be used. The message is one sentence for the operator, including what to do; the cause is for
 * the log.
 */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError'
}
