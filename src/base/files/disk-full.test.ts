import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDiskFull } from './disk-full.ts'

const errorWith = (fields: object, message = 'x') => Object.assign(new Error(message), fields)

test('recognizes disk-full errors of the system, PostgreSQL, S3 and git at any depth', () => {
  const full = [
    errorWith({ code: 'ENOSPC', syscall: 'write' }),
    errorWith({ code: 'EDQUOT' }),
    errorWith({ code: '53100' }, 'could not extend file "base/16384/16386"'),
    errorWith({ name: 'XMinioStorageFull' }),
    errorWith({ $metadata: { httpStatusCode: 507 } }),
    errorWith({}, 'fatal: write error: No space left on device'),
    errorWith({ cause: errorWith({ cause: errorWith({ code: 'ENOSPC' }) }) }),
    new AggregateError([errorWith({}), errorWith({ code: 'ENOSPC' })]),
  ]
  for (const error of full) assert.equal(isDiskFull(error), true, String(error))
})

test('with byCode, a message alone does not count as disk full', () => {
  const said = errorWith({}, 'fatal: write error: No space left on device')
  assert.equal(isDiskFull(said, { byCode: true }), false)
  assert.equal(isDiskFull(errorWith({ cause: errorWith({ code: '53100' }) }), { byCode: true }), true)
})

test('other errors do not count as disk full', () => {
  const other = [
    errorWith({ code: 'ENOENT' }),
    errorWith({ code: '53300' }),
    new AggregateError([]),
    'ENOSPC',
    null,
  ]
  for (const error of other) assert.equal(isDiskFull(error), false, String(error))
})
