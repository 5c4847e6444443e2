/**
 * Limits the number of concurrent tests of external services. Each test waits within a transaction, which
 * holds a database connection that other requests need.
 */
import { AppError } from '../../../base/errors/errors.ts'

/** Throws AppError `test_running` when `max` tests are running. */
export function createConcurrencyLimit(max: number) {
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= max) throw new AppError('test_running', { headers: { 'Retry-After': '5' } })
    running++
    try {
      return await work()
    } finally {
      running--
    }
  }
}
