import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../../base/files/memory-tree.ts'
import { openWorkspace } from '../publish/workspace.ts'
import { type Checked, createWorkAhead } from './work-ahead.ts'

const { signal } = new AbortController()

/** Work ahead of a change, whose checks end as `check` says. */
async function openScene(check: (checked: Checked, giveUp: AbortSignal) => Promise<Checked>) {
  const workspace = openWorkspace(openMemoryTree({ 'index.mdx': 'Hello' }), new Map())
  await workspace.write('index.mdx', 'Good day')
  const asked: string[] = []
  const ahead = createWorkAhead({
    workspace,
    prepare: async () => undefined,
    check: async (_signal, giveUp) => {
      const { revision } = workspace.tree
      asked.push(revision)
      const found = { problems: [], risks: null, diff: revision, prose: null, addresses: [] }
      return await check({ revision, found: { ...found, before: null, after: null } }, giveUp)
    },
  })
  return { workspace, ahead, asked }
}

test('a check that has not begun is taken back, and may be made ahead again', async () => {
  let mayBegin = false
  const { ahead, asked } = await openScene((checked, giveUp) => {
    if (mayBegin) return Promise.resolve(checked)
    return new Promise((_, reject) => giveUp.addEventListener('abort', () => reject(giveUp.reason)))
  })
  const working = ahead.work(signal)
  while (asked.length === 0) await Promise.resolve()
  assert.equal(await ahead.known(), null)
  await working
  mayBegin = true
  await ahead.work(signal)
  assert.equal((await ahead.known())?.diff, asked[1])
})

test('a change that goes on takes the place of the one before', async () => {
  const { workspace, ahead, asked } = await openScene(async (checked) => checked)
  await ahead.work(signal)
  await ahead.work(signal)
  assert.equal(asked.length, 1)
  await workspace.write('index.mdx', 'Good night')
  assert.equal(await ahead.known(), null)
  await ahead.work(signal)
  assert.equal((await ahead.known())?.diff, asked[1])
})

test('what a check tells may change without the files', async () => {
  const { ahead, asked } = await openScene(async (checked) => checked)
  await ahead.work(signal)
  ahead.forget()
  assert.equal(await ahead.known(), null)
  await ahead.work(signal)
  assert.equal(asked.length, 2)
})

test('after a check that failed, and after the end, no other is made', async () => {
  const failing = await openScene(async () => {
    throw new Error('the process was ended')
  })
  await failing.ahead.work(signal)
  assert.equal(await failing.ahead.known(), null)
  await failing.ahead.work(signal)
  assert.equal(failing.asked.length, 1)
  const ended = await openScene(async (checked) => checked)
  await ended.ahead.end()
  await ended.ahead.work(signal)
  assert.deepEqual(ended.asked, [])
})
