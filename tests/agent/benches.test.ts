/** Where the tools of jobs work: one process for all that lie on a commit. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Benches, type BenchPlace, createBenches } from '../../src/agent/benches.ts'
import { openToolProcess } from '../../src/agent/tool-process.ts'
import { startWorkClock } from '../../src/agent/work-clock.ts'
import { openWorkspace } from '../../src/agent/workspace.ts'
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

async function openTools(commit: string, files: typeof SITE) {
  const bench = await benches.open(placeAt(commit), async () => openMemoryTree(files))
  const clock = startWorkClock(0, 60_000, () => new Error('too long'))
  const tools = openToolProcess(
    { renderChildren: 1 },
    {
      bench,
      clock,
      workspace: openWorkspace(bench.base, new Map()),
      begun: new Map(),
      siteId: 'site_1',
      origin: null,
      names: [],
      caps: { steps: 9, tokens: 9, minutes: 9, files: 9, bytes: 9000 },
      said: { plan: [], finish: null },
      guide: [],
      sources: new Map(),
    },
    signal,
  )
  return {
    tools,
    async [Symbol.asyncDispose]() {
      await tools[Symbol.asyncDispose]()
      await bench[Symbol.asyncDispose]()
      clock[Symbol.dispose]()
    },
  }
}

test('what every check needs is made ahead, once', async () => {
  await using scene = await openTools('c', SITE)
  const stored = async () => (await readdir(folder, { recursive: true })).length
  const before = await stored()
  await scene.tools.prepare(signal)
  const after = await stored()
  assert.ok(after > before, `${after} files are stored, and were before`)
  assert.equal(scene.tools.prepare(signal), scene.tools.prepare(signal))
})

test('a site that cannot be loaded, and an end in the middle, cost the next call nothing', async () => {
  const readFile = { id: 'call_1', name: 'read_file', input: { path: 'index.mdx' } }
  await using unloadable = await openTools('d', { ...SITE, 'docs.json': '{ "name": ' })
  await unloadable.tools.prepare(signal)
  assert.match((await unloadable.tools.useTool(readFile, signal)).text, /Welcome/)
  await using ended = await openTools('e', SITE)
  const end = new AbortController()
  const prepared = ended.tools.prepare(end.signal)
  const read = ended.tools.useTool(readFile, signal)
  end.abort(new Error('enough'))
  await prepared
  assert.match((await read).text, /Welcome/)
})
