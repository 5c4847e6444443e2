/** A render child can do only what rendering requires, whatever author code does in its process. */
import assert from 'node:assert/strict'
import { ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { prestartChild, startRenderChild } from '../../src/render/bodies/child-process.ts'
import { COMPILE_CACHE_FOLDER } from '../../src/sandbox/compile-cache.ts'

/** True on Node.js versions that let a process drop a permission. */
const KEEPS_CODE = Number.parseInt(process.versions.node, 10) >= 26

test('a render child gets a minimal environment, and permissions only for addons and the compile cache', async (t) => {
  const { env, flags } = await start(t)
  assert.deepEqual(env, ['TZ=UTC', ...(KEEPS_CODE ? [`NODE_COMPILE_CACHE=${COMPILE_CACHE_FOLDER}`] : [])])
  assert.ok(flags.includes('--permission'))
  assert.deepEqual(
    flags.filter((flag) => flag.startsWith('--allow-') && !flag.startsWith('--allow-fs-read=')),
    ['--allow-addons', ...(KEEPS_CODE ? [`--allow-fs-write=${COMPILE_CACHE_FOLDER}`] : [])],
  )
})

test('a prestarted render child can be claimed once and ends if it is not claimed', async () => {
  const left = prestartChild()
  await left[Symbol.asyncDispose]()
  assert.equal(left.claim(() => {})?.ending(), 'ours')

  const { promise: ready, resolve } = Promise.withResolvers<string>()
  await using ahead = prestartChild()
  const child = ahead.claim(({ kind }) => resolve(kind))
  assert.ok(child)
  assert.equal(
    ahead.claim(() => {}),
    null,
  )
  child.send({ kind: 'prelude', source: '' })
  assert.equal(await ready, 'ready')
  child.kill()
  await child.exited
})

test('code with the permissions of a render child cannot reach the network, processes, threads or files', async (t) => {
  const { flags } = await start(t)
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(request.url ?? '')
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const attempts = [
    `require('node:net').connect(${port}, '127.0.0.1').on('error', (error) => { throw error })`,
    `fetch('http://127.0.0.1:${port}/').catch((error) => { throw error.cause })`,
    `require('node:http').get('http://127.0.0.1:${port}/').on('error', (error) => { throw error })`,
    `require('node:net').createServer().on('error', (error) => { throw error }).listen(0)`,
    `require('node:dgram').createSocket('udp4').on('error', (error) => { throw error }).send('x', ${port}, '127.0.0.1')`,
    `process.binding('tcp_wrap')`,
    `require('node:dns').resolve4('localhost', (error) => { if (error) throw error })`,
    `require('node:dns').promises.lookup('localhost').catch((error) => { throw error })`,
    `import('node:net').then(({ createConnection }) => createConnection(${port}, '127.0.0.1').on('error', (error) => { throw error }))`,
    `require('node:dns').lookup('localhost', (error) => { if (error) throw error })`,
    `require('node:child_process').execFileSync(process.execPath, ['--version'])`,
    `new (require('node:worker_threads').Worker)('0', { eval: true })`,
    `require('node:fs').readFileSync('/etc/hostname')`,
    `require('node:fs').readdirSync('/')`,
    `require('node:fs').writeFileSync('${import.meta.dirname}/made.txt', 'x')`,
  ]
  for (const code of attempts) {
    const { stderr = '', code: exit } = await promisify(execFile)(process.execPath, [...flags, '-e', code])
      .then(() => ({ stderr: '', code: 0 }))
      .catch((error: { stderr: string; code: number }) => error)
    assert.match(stderr, /ERR_ACCESS_DENIED/, code)
    assert.notEqual(exit, 0, code)
  }
  assert.deepEqual(calls, [])
})

test('dropCachePermission revokes write access to the compile cache', async (t) => {
  if (!KEEPS_CODE) return t.skip('this Node keeps none')
  const { flags } = await start(t)
  const module = new URL('../../src/sandbox/compile-cache.ts', import.meta.url).href
  const code = `
    import { writeFileSync } from 'node:fs'
    import { COMPILE_CACHE_FOLDER, dropCachePermission } from ${JSON.stringify(module)}
    const write = () => writeFileSync(COMPILE_CACHE_FOLDER + 'render-child-test', '')
    write()
    dropCachePermission()
    try { write() } catch (error) { console.log(error.code) }
    console.log(process.permission.has('fs.write'))`
  const run = promisify(execFile)(process.execPath, [...flags, '--input-type=module', '-e', code])
  t.after(() => rm(`${COMPILE_CACHE_FOLDER}render-child-test`, { force: true }))
  assert.equal((await run).stdout, 'ERR_ACCESS_DENIED\nfalse\n')
})

/** Starts a render child as in production, and returns its environment and flags. */
async function start(t: TestContext): Promise<{ env: string[]; flags: string[] }> {
  const spawned = t.mock.method(
    ChildProcess.prototype as unknown as { spawn(options: unknown): number },
    'spawn',
  )
  const child = startRenderChild(() => {})
  const options = spawned.mock.calls[0]?.arguments[0] as { args: string[]; envPairs: string[] }
  spawned.mock.restore()
  child.kill()
  await child.exited
  const { args, envPairs: env } = options
  return { env, flags: args.slice(args.indexOf('--permission')).filter((arg) => arg.startsWith('--')) }
}
