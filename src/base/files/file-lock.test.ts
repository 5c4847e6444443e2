import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { acquireFileLock } from './file-lock.ts'

const folder = await mkdtemp(join(tmpdir(), 'octavo-lock-'))
after(() => rm(folder, { recursive: true }))

test('the lock has one holder at a time, and every waiter acquires it', async () => {
  const path = join(folder, 'shared')
  let holders = 0
  let turns = 0
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      await using _lock = await acquireFileLock(path)
      holders++
      assert.equal(holders, 1)
      await new Promise((resolve) => setImmediate(resolve))
      holders--
      turns++
    }),
  )
  assert.equal(turns, 4)
  assert.deepEqual(await readdir(folder), [])
})

test('waiters in the same process are woken on release without polling', async (t) => {
  // No waiter polls by timer.
  const timers = t.mock.method(globalThis, 'setTimeout', () => undefined)
  const path = join(folder, 'woken')
  const held = await acquireFileLock(path)
  const leaving = new AbortController()
  const order: string[] = []
  const come = async (name: string, signal?: AbortSignal) => {
    await using _lock = await acquireFileLock(path, signal)
    order.push(name)
  }
  const gone = come('gone', leaving.signal)
  const others = Promise.all([come('one'), come('two'), come('three')])
  while (timers.mock.callCount() < 4) await new Promise((resolve) => setImmediate(resolve))
  leaving.abort(new Error('left'))
  await assert.rejects(gone, /left/)
  await held[Symbol.asyncDispose]()
  await others
  assert.deepEqual(order.toSorted(), ['one', 'three', 'two'])
})

test('the lock of a process that was killed is taken over', async () => {
  const path = join(folder, 'killed')
  const script = `const { acquireFileLock } = await import(process.argv[1]); await acquireFileLock(process.argv[2]); console.log('held'); setInterval(() => {}, 1e6)`
  const file = join(import.meta.dirname, 'file-lock.ts')
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, file, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const controller = new AbortController()
  const waiting = acquireFileLock(path, controller.signal)
  controller.abort(new Error('still held'))
  await assert.rejects(waiting, /still held/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await using lock = await acquireFileLock(path)
  assert.ok(lock)
})

test('takes over a stale lock of another host, but not a fresh one', async () => {
  const path = join(folder, 'elsewhere')
  await writeFile(path, JSON.stringify({ host: `not-${hostname()}`, pid: 1, id: 'x' }))
  await assert.rejects(acquireFileLock(path, AbortSignal.timeout(250)), { name: 'TimeoutError' })
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(path, longAgo, longAgo)
  await (await acquireFileLock(path))[Symbol.asyncDispose]()
  assert.deepEqual(await readdir(folder), [])
})

test('releasing a lost lock keeps the lock of the new holder', async () => {
  const path = join(folder, 'lost')
  const lost = await acquireFileLock(path)
  await rm(path)
  await using _held = await acquireFileLock(path)
  await lost[Symbol.asyncDispose]()
  await assert.rejects(acquireFileLock(path, AbortSignal.timeout(150)), { name: 'TimeoutError' })
})
