import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePostmasterFile } from './postmaster.ts'

const file = '4711\n/srv/data\n1795248728\n5432\n/tmp/octavo-1\n\n 16039947         4\nready   \n'

test('parses process ID, port, socket folder and state from the lock file', () => {
  assert.deepEqual(parsePostmasterFile(file), {
    pid: 4711,
    port: 5432,
    socketDir: '/tmp/octavo-1',
    state: 'ready',
  })
  assert.equal(parsePostmasterFile(file.replace('ready   ', 'stopping'))?.state, 'stopping')
})

test('a lock file that is still being written means the server is starting', () => {
  assert.equal(parsePostmasterFile('4711\n/srv/data\n1795248728\n')?.state, 'starting')
})

test('a lock file without a valid process ID parses to null', () => {
  for (const text of ['', '\n', '0\n', '1\n', '-4711\n', 'abc\n'])
    assert.equal(parsePostmasterFile(text), null)
})
