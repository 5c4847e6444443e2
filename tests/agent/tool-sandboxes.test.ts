/** Tests the tool processes, which jobs at the same commit share. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createFairGate } from '../../src/base/fair-gate.ts'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { silentLog } from '../../src/base/log.ts'
import {
  createToolSandboxPool,
  type ToolSandboxKey,
  type ToolSandboxPool,
} from '../../src/features/agent/check/tool-sandboxes.ts'
import { openToolProcess } from '../../src/features/agent/loop/tool-process.ts'
import { startWorkClock } from '../../src/features/agent/loop/work-clock.ts'
import { openWorkspace } from '../../src/features/agent/publish/workspace.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../kit/open-store.ts'
import { SITE } from './tool-scene.ts'

let folder = ''
let objects: ObjectStore
let toolSandboxes: ToolSandboxPool
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-sandboxes-'))
  objects = await openObjectStore({
    kind: 'disk',
    folder,
    secret: 'a secret of this test',
    publicUrl: 'http://127.0.0.1',
  })
  toolSandboxes = createToolSandboxPool({
    objects,
    log: silentLog,
    renderChildren: 1,
    siteMemoryMb: 512,
    gate: createFairGate(2),
    mostProcesses: 4,
  })
})
after(async () => {
  await toolSandboxes[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const { signal } = new AbortController()
const placeAt = (commit: string): ToolSandboxKey => ({
  organizationId: 'org',
  projectId: 'prj',
  commit,
  docsFolder: '',
})

async function openTools(commit: string, files: typeof SITE) {
  const toolSandbox = await toolSandboxes.open(placeAt(commit), async () => openMemoryTree(files))
  const clock = startWorkClock(0, 60_000, () => new Error('too long'))
  const tools = openToolProcess(
    { renderChildren: 1, objects },
    {
      toolSandbox,
      clock,
      workspace: openWorkspace(toolSandbox.base, new Map()),
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
      await toolSandbox[Symbol.asyncDispose]()
      clock[Symbol.dispose]()
    },
  }
}

const readFile = { id: 'call_1', name: 'read_file', input: { path: 'index.mdx' } }
const editFile = (oldText: string, newText: string) => ({
  id: 'call_2',
  name: 'edit_file',
  input: { path: 'index.mdx', oldText, newText },
})

test('checking the same change twice has the same result, and a later change has its own', async () => {
  await using scene = await openTools('f', SITE)
  await scene.tools.useTool(editFile('Welcome', 'Hello'), signal)
  const first = await scene.tools.checkChange()
  assert.match(first.diff ?? '', /^\+.*Hello/m)
  assert.match(first.after ?? '', /^manifests\//)
  await using other = await openTools('f', SITE)
  await other.tools.useTool(editFile('Welcome', 'Hello'), signal)
  assert.deepEqual(await other.tools.checkChange(), first)
  await scene.tools.useTool(editFile('Hello', 'Good day'), signal)
  assert.match((await scene.tools.checkChange()).diff ?? '', /^\+.*Good day/m)
})

test('tools that only read files work on a site that cannot be loaded', async () => {
  await using unloadable = await openTools('d', { ...SITE, 'docs.json': '{ "name": ' })
  assert.match((await unloadable.tools.useTool(readFile, signal)).text, /Welcome/)
})
