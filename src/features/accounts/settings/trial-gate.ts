/** Tests of what lies elsewhere wait inside of their transaction: so many at a time, that requests find connections. */
import { AppError } from '../../../base/errors/errors.ts'

/** Throws AppError `test_running` while so many others wait. */
export function createTrialGate(most: number) {
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) throw new AppError('test_running', { headers: { 'Retry-After': '5' } })
    running++
    try {
      return await work()
    } finally {
      running--
    }
  }
}
