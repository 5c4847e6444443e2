import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDatabaseDown } from './database-down.ts'

const errorWith = (fields: object, message = 'x') => Object.assign(new Error(message), fields)

test('failed connections, lost connections and a server shutdown mean that the database is down', () => {
  const down = [
    errorWith({ code: 'ECONNREFUSED', syscall: 'connect' }),
    errorWith({ code: 'ENOENT', syscall: 'connect' }),
    errorWith({ code: '57P01' }),
    errorWith({ code: '08006' }),
    errorWith({ code: '53300' }),
    errorWith({}, 'Connection terminated unexpectedly'),
    errorWith({}, 'timeout exceeded when trying to connect'),
    errorWith({ cause: errorWith({ code: 'ECONNREFUSED', syscall: 'connect' }) }),
    new AggregateError([errorWith({ code: 'ECONNREFUSED', syscall: 'connect' })]),
  ]
  for (const error of down) assert.equal(isDatabaseDown(error), true, String(error))
})

test('query errors, missing files and other errors do not mean that the database is down', () => {
  const other = [
    errorWith({ code: '42P01' }),
    errorWith({ code: '23505' }),
    errorWith({ code: 'ENOENT', syscall: 'open' }),
    new AggregateError([]),
    new TypeError('x is not a function'),
    'text',
    null,
  ]
  for (const error of other) assert.equal(isDatabaseDown(error), false, String(error))
})
