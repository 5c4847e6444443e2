import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../base/log.ts'
import { openMemoryStore } from '../objects/memory-store.ts'
import { type PortTargets, servePorts } from './ports.ts'

test('who asked which objects are missing is told, and the owner of the process which are there', async () => {
  await using objects = openMemoryStore()
  await objects.put('blobs/aa/there.gz', Buffer.from('x'))
  const found: string[] = []
  const targets: PortTargets = {
    objects,
    onFound: (keys) => found.push(...keys),
    tree: {
      revision: 'r',
      files: new Map(),
      refused: [],
      read: () => Promise.reject(new Error('no file')),
      async [Symbol.asyncDispose]() {},
    },
    guardedFetch: null,
    log: silentLog,
    signal: new AbortController().signal,
  }
  const missing = servePorts(targets)['objects.missing']
  const answer = await missing?.(
    { keys: ['blobs/aa/there.gz', 'blobs/aa/gone.gz'] } as never,
    new Uint8Array(),
  )
  assert.deepEqual(answer, { value: ['blobs/aa/gone.gz'] })
  assert.deepEqual(found, ['blobs/aa/there.gz'])
})
