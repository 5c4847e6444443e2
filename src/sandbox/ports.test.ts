import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryStore } from '../../tests/kit/memory-store.ts'
import { silentLog } from '../base/log.ts'
import { type PortTargets, servePorts } from './ports.ts'

const ENTRY = 'a'.repeat(64)

/** Requests of a process that works for `prj_own`, and whether each is allowed. */
const ASKED: [port: string, input: object, isAllowed: boolean][] = [
  ['objects.head', { key: 'blobs/aa/there.gz' }, true],
  ['objects.head', { key: 'blobs/../bundles/x.gz' }, false],
  ['objects.head', { key: 'bundles/x.tar.gz' }, false],
  ['objects.put', { key: `cache/prj_other/${ENTRY}` }, false],
  ['objects.put', { key: `cache/prj_own/${ENTRY}` }, false],
  ['objects.read', { key: 'manifests/x.json' }, false],
  ['cache.put', { name: ENTRY }, true],
  ['cache.put', { name: `../prj_other/${ENTRY}` }, false],
  ['cache.read', { name: ENTRY }, true],
  ['cache.read', { name: `${ENTRY}/` }, false],
]

test('a sandboxed process reaches only site blobs and the cache of its project', async () => {
  await using objects = openMemoryStore()
  const targets: PortTargets = {
    objects,
    projectId: 'prj_own',
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
  const ports = servePorts(targets)
  for (const [port, input, isAllowed] of ASKED) {
    const answer = async () => ports[port]?.(input as never, Buffer.from('x'))
    if (isAllowed) await assert.doesNotReject(answer, `${port} ${JSON.stringify(input)}`)
    else await assert.rejects(answer, `${port} ${JSON.stringify(input)}`)
  }
  const keys = await Array.fromAsync(objects.list(''))
  assert.deepEqual(
    keys.map(({ key }) => key),
    [`cache/prj_own/${ENTRY}`],
  )
})
