/**
 * Tests of external services wait within their transaction, which holds a connection: this limits how many run at a
 * time, so that requests still get one.
 */
import { AppError } from '../../../base/errors/errors.ts'

/** Throws AppError `test_running` when `most` tests are running. */
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
