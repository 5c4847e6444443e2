import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { loadConfig } from '../config/config.ts'
import { announceServer, listRunningServers } from './running-servers.ts'

let runtime: string
let folder: string
let data: string
const saved = process.env.XDG_RUNTIME_DIR
beforeEach(async () => {
  runtime = await realpath(await mkdtemp(join(tmpdir(), 'octavo-run-')))
  folder = join(runtime, 'octavo')
  data = join(runtime, 'data')
  await mkdir(data)
  process.env.XDG_RUNTIME_DIR = runtime
})
afterEach(async () => {
  process.env.XDG_RUNTIME_DIR = saved
  if (saved === undefined) delete process.env.XDG_RUNTIME_DIR
  await rm(runtime, { recursive: true, force: true })
})

const announce = () =>
  announceServer(loadConfig({}, { OCTAVO_DATA: data, HOST: '0.0.0.0' }).config, {
    port: 4321,
    publicUrl: 'https://docs.example.com',
  })

test('a server is listed from its start until it stops', async () => {
  assert.deepEqual(await listRunningServers(), [])
  const word = await announce()
  const [server, ...more] = await listRunningServers()
  assert.deepEqual(more, [])
  assert.deepEqual(
    [server?.pid, server?.url, server?.publicUrl, server?.dataFolder, server?.database],
    [process.pid, 'http://localhost:4321', 'https://docs.example.com', data, 'embedded'],
  )
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  await word[Symbol.asyncDispose]()
  assert.deepEqual(await listRunningServers(), [])
})

test('removes files of dead processes and ignores invalid files', async () => {
  await using _word = await announce()
  const [server] = await listRunningServers()
  const dead = { ...server, pid: 4_194_305 }
  const reused = { ...server, processStart: 'earlier' }
  await writeFile(join(folder, 'dead.json'), JSON.stringify(dead))
  await writeFile(join(folder, 'reused.json'), JSON.stringify(reused))
  await writeFile(join(folder, 'other.json'), '{"pid":1}')
  await writeFile(
    join(folder, 'large.json'),
    JSON.stringify({ ...server, url: `http://${'x'.repeat(20_000)}` }),
  )
  await writeFile(join(folder, 'script.json'), JSON.stringify({ ...server, url: 'file:///etc/passwd' }))
  assert.equal((await listRunningServers()).length, 1)
  const left = await readdir(folder)
  assert.ok(!left.includes('dead.json') && !left.includes('reused.json'), left.join(' '))
})

test('a runtime folder writable by others is neither read nor written', async () => {
  await mkdir(folder, { mode: 0o700 })
  await chmod(folder, 0o777)
  await using _word = await announce()
  assert.deepEqual(await readdir(folder), [])
  assert.deepEqual(await listRunningServers(), [])
})
