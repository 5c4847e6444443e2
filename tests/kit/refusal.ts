/** Returns the AppError that the promise rejects with. */
import assert from 'node:assert/strict'
import { AppError } from '../../src/base/errors/errors.ts'

export async function refusalOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof AppError, `it was not refused: ${error}`)
  return error
}
