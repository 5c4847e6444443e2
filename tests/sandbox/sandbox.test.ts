/** The sandbox process limits what untrusted text can reach and what resources it can use. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PermanentError } from '../../src/base/errors/permanent-error.ts'
import { FileMissingError, type FileTree } from '../../src/base/files/file-tree.ts'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { silentLog } from '../../src/base/log.ts'
import { ProcessLimitError } from '../../src/base/process-limit-error.ts'
import type { ProcessLimits } from '../../src/sandbox/limits.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { until } from '../kit/until.ts'

const WORK = new URL('./hostile-work.ts', import.meta.url)
const LIMITS: ProcessLimits = {
  memoryBytes: 400 * 1_048_576,
  cpuSeconds: 60,
  silentCpuSeconds: 2,
  silentWallSeconds: 300,
}

async function openWork(
  given: { limits?: Partial<ProcessLimits>; tree?: FileTree; signal?: AbortSignal } = {},
): Promise<Sandbox> {
  const sandbox = startSandbox(WORK, { memoryMb: 300 })
  const tree = given.tree ?? openMemoryTree({ 'a.mdx': 'text of a', 'b.mdx': 'text of b' })
  const targets = {
    tree,
    objects: openMemoryStore(),
    guardedFetch: null,
    log: silentLog,
    signal: given.signal ?? new AbortController().signal,
    projectId: 'prj_own',
  }
  await sandbox.open(targets, { ...LIMITS, ...given.limits })
  return sandbox
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

async function isGone(pid: number): Promise<void> {
  await until(() => !isRunning(pid))
}

const endedFor = (end: ProcessLimitError['end'], text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ProcessLimitError, String(error))
  assert.equal(error.end, end)
  assert.match(error.message, text)
  return true
}

test('sandboxed work reads files of its tree and objects of its site in full, at any size', async () => {
  await using sandbox = await openWork()
  assert.equal(await sandbox.call('read', 'a.mdx'), 'text of a')
  for (const size of [0, 1, 1000, 20_000_000]) {
    const key = `blobs/aa/${size}.gz`
    const { head, ...found } = await sandbox.call<{ head: { sizeBytes: number } }>('store', { key, size })
    assert.deepEqual(found, { size, isSame: true })
    assert.equal(head.sizeBytes, size)
  }
})

test('a tree error reaches the caller as the same error, and a missing file as FileMissingError', async () => {
  const failure = new PermanentError('source_unreadable', 'the repository is gone')
  const tree = { ...openMemoryTree({ 'a.mdx': '' }), read: () => Promise.reject(failure) }
  await using sandbox = await openWork({ tree })
  await assert.rejects(sandbox.call('read', 'a.mdx'), (error) => error === failure)
  await assert.rejects(sandbox.call('read', 'c.mdx'), { name: FileMissingError.name })
})

test('work can query the usage of its processes only, and querying does not count as progress', async () => {
  // Startup alone uses up to one second of this on a busy machine.
  await using sandbox = await openWork({ limits: { silentCpuSeconds: 3 } })
  const own = await sandbox.call<{ cpuSeconds: number; memoryBytes: number }>(
    'usage',
    await sandbox.call('pid', null),
  )
  assert.ok(own.cpuSeconds > 0.02 && own.cpuSeconds < 60, `${own.cpuSeconds} s`)
  assert.ok(own.memoryBytes > 10_000_000, `${own.memoryBytes} bytes`)
  for (const pid of [process.pid, 1, -1, 1e9]) assert.equal(await sandbox.call('usage', pid), null)
  await assert.rejects(sandbox.call('watch', null), endedFor('processor_time', /the limit of processor time/))
})

test('sandboxed work cannot reach secrets, files, the network or objects of other projects', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-sandbox-'))
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  try {
    const place = { secret: join(folder, 'secret'), write: join(folder, 'written') }
    await writeFile(place.secret, 'secret')
    await using sandbox = await openWork()
    const { port } = server.address() as AddressInfo
    assert.deepEqual(await sandbox.call('reach', { ...place, port }), [])
    assert.equal(existsSync(place.write), false)
    assert.equal(connections, 0)
  } finally {
    server.close()
    await rm(folder, { recursive: true })
  }
})

test('work that uses up its CPU time is ended, and the error names the last file', async () => {
  await using sandbox = await openWork()
  await assert.rejects(sandbox.call('burn', 'b.mdx'), endedFor('processor_time', /the last file was b\.mdx/))
  assert.equal(sandbox.isAlive, false)
  await assert.rejects(sandbox.call('read', 'a.mdx'), ProcessLimitError)
})

test('long work that reports progress runs until its total CPU time is used up', async () => {
  await using sandbox = await openWork({ limits: { silentCpuSeconds: 1, cpuSeconds: 5 } })
  let reports = 0
  sandbox.onProgress(() => {
    reports += 1
  })
  assert.equal(await sandbox.call('toil', 2500), 'done')
  assert.ok(reports > 0)
  await assert.rejects(sandbox.call('toil', 3_600_000), endedFor('processor_time', /processor time/))
})

test('limits memory on the heap and outside it', async () => {
  // Filling the memory takes CPU time too, on a busy machine more than the other tests allow.
  const limits = { silentCpuSeconds: 60, cpuSeconds: 120 }
  await using heap = await openWork({ limits })
  await assert.rejects(
    heap.call('grow', 'a.mdx'),
    endedFor('memory', /more than 0\.4 GB of memory; the last file was a\.mdx/),
  )
  await using beside = await openWork({ limits })
  await assert.rejects(beside.call('growOutside', {}), endedFor('memory', /memory/))
})

test('work that waits forever is ended by the wall-clock limit', async () => {
  await using sandbox = await openWork({ limits: { silentWallSeconds: 1 } })
  await assert.rejects(sandbox.call('wait', {}), endedFor('wall_clock', /made no progress/))
})

test('a crash of the process is reported as a crash', async () => {
  await using sandbox = await openWork()
  await assert.rejects(sandbox.call('crash', {}), endedFor('crash', /stopped unexpectedly/))
})

test('a flood of calls and log lines is ended without filling the memory of the parent process', async () => {
  await using sandbox = await openWork({ limits: { cpuSeconds: 3 } })
  const before = process.memoryUsage().rss
  await assert.rejects(sandbox.call('flood', {}), ProcessLimitError)
  assert.ok(process.memoryUsage().rss - before < 400_000_000)
})

test('aborting the signal rejects the pending call with the reason', async () => {
  const abort = new AbortController()
  await using sandbox = await openWork({ signal: abort.signal })
  const waiting = sandbox.call('wait', {})
  abort.abort(new Error('not wanted any more'))
  await assert.rejects(waiting, /not wanted any more/)
})

test('disposing the sandbox kills the processes it started', async () => {
  const sandbox = await openWork()
  const pid = await sandbox.call<number>('beget', {})
  assert.ok(isRunning(pid))
  await sandbox[Symbol.asyncDispose]()
  await isGone(pid)
})

test('the sandbox and its child processes exit when the parent is killed', async () => {
  const program = `
    import { startSandbox } from ${JSON.stringify(new URL('../../src/sandbox/sandbox.ts', import.meta.url).href)}
    import { openMemoryTree } from ${JSON.stringify(new URL('../../src/base/files/memory-tree.ts', import.meta.url).href)}
    const sandbox = startSandbox(new URL(${JSON.stringify(WORK.href)}), { memoryMb: 300 })
    const tree = openMemoryTree({ 'a.mdx': '' })
    await sandbox.open({ tree, objects: null, guardedFetch: null, log: null, signal: new AbortController().signal },
      { memoryBytes: 4e8, cpuSeconds: 600, silentCpuSeconds: 600, silentWallSeconds: 600 })
    console.log(await sandbox.call('beget', {}))
    await sandbox.call('burn', 'a.mdx')`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const begotten = Number(line.toString())
  const group = Number(readFileSync(`/proc/${begotten}/stat`, 'utf8').split(') ')[1]?.split(' ')[2])
  assert.ok(isRunning(begotten) && isRunning(group))
  parent.kill('SIGKILL')
  await Promise.all([isGone(begotten), isGone(group)])
})
