/** Where the tools of jobs work: one process for all that lie on a commit. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Benches, type BenchPlace, createBenches } from '../../src/agent/benches.ts'
import { createFairGate } from '../../src/base/fair-gate.ts'
import { silentLog } from '../../src/base/log.ts'
import { openMemoryTree } from '../../src/base/memory-tree.ts'
import { openObjectStore } from '../../src/objects/open-store.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { SITE } from './tool-scene.ts'

let folder = ''
let benches: Benches
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-benches-'))
  benches = createBenches({
    objects: await openObjectStore({
      kind: 'disk',
      folder,
      secret: 'a secret of this test',
      publicUrl: 'http://127.0.0.1',
    }),
    log: silentLog,
    renderChildren: 1,
    siteMemoryMb: 512,
    gate: createFairGate(2),
    mostProcesses: 4,
  })
})
after(async () => {
  await benches[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const { signal } = new AbortController()
const placeAt = (commit: string): BenchPlace => ({
  organizationId: 'org',
  projectId: 'prj',
  commit,
  docsFolder: '',
})

test('jobs at one commit have its files opened once and one process; another commit has its own', async () => {
  let opened = 0
  const open = async () => {
    opened++
    return openMemoryTree(SITE)
  }
  const at = async (commit: string) => await benches.open(placeAt(commit), open)
  const jobs = await Promise.all([at('a'), at('a'), at('a'), at('b')])
  assert.equal(opened, 2)
  const processes: Sandbox[] = []
  const waited: number[] = []
  await Promise.all(
    jobs.map((bench) =>
      bench.use(
        async (sandbox) => void processes.push(sandbox),
        signal,
        (ms) => waited.push(ms),
      ),
    ),
  )
  assert.equal(new Set(processes).size, 2)
  assert.equal(waited.length, 4)
  for (const bench of jobs) await bench[Symbol.asyncDispose]()
})
