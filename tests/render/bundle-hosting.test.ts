/** Tests the hosting files of a bundle: `serve.mjs`, the hosting recipes and the SBOM. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/features/export/build-folder.ts'
import { writeSite } from '../kit/site.ts'

const place = mkdtempSync(join(tmpdir(), 'octavo-hosting-'))
const out = join(place, 'out')
const servers: ChildProcess[] = []
let plain: string
let based: string

const settings = {
  theme: 'mint',
  name: 'Acme',
  colors: { primary: '#0F766E' },
  navigation: { pages: ['index', 'guides/export', 'v1.2', 'ü'] },
  redirects: [
    { source: '/was/*', destination: '/guides/*' },
    { source: '/x/:name/y', destination: '/guides/:name', permanent: false },
    { source: '/away', destination: 'https://example.org/there' },
  ],
}

before(async () => {
  const folder = join(place, 'site')
  await writeSite(folder, {
    'docs.json': JSON.stringify(settings),
    'index.mdx':
      '---\ntitle: Home\n---\n$$\nx^2\n$$\n\nAnd an island.\n\nimport { Count } from "/snippets/count.jsx"\n\n<Count />\n',
    'snippets/count.jsx':
      'export const Count = () => { const [n, set] = useState(0); return <button onClick={() => set(n + 1)}>{n}</button> }\n',
    'guides/export.mdx': '---\ntitle: Export\n---\nText.\n',
    'v1.2.mdx': '---\ntitle: V\n---\nText.\n',
    'ü.mdx': '---\ntitle: U\n---\nText.\n',
    'sbom.cdx.json': '{}',
  })
  const { signal } = new AbortController()
  const input = { folder, out, deployment: 'air-gapped' as const, log: silentLog, report: () => {}, signal }
  await buildFolder({ ...input, origin: 'https://docs.acme.dev' })
  ;[plain, based] = await Promise.all([serve(), serve('--base', '/docs')])
})
after(() => {
  for (const server of servers) server.kill()
  rmSync(place, { recursive: true })
})

async function serve(...args: string[]): Promise<string> {
  const server = spawn(process.execPath, [join(out, 'serve.mjs'), '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: tmpdir(),
  })
  servers.push(server)
  const [line] = await once(server.stdout as NodeJS.ReadableStream, 'data')
  const [, address = ''] = / at (http:\S+)\/\n/.exec(String(line)) ?? []
  return address
}

interface Component {
  evidence: { occurrences: { location: string }[] }
}

/** Licences allowed for code and fonts that readers receive. */
const LICENCES = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'OFL-1.1']

const BENT_BILLS = [
  { specVersion: undefined },
  { serialNumber: 'urn:uuid:1' },
  { components: [{ type: 'script', name: 'x' }] },
  { components: [{ type: 'library', name: 'x', licenses: [{ license: { id: 'No-Such' } }] }] },
  { unknown: true },
]

/** Validates against the published CycloneDX schema. */
function billFaults(bill: object): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addFormat('iri-reference', true)
  ajv.addSchema({ $id: 'http://cyclonedx.org/schema/spdx.schema.json', enum: LICENCES })
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, '../fixtures/cyclonedx-1.6.json'), 'utf8'),
  ) as object
  const isValid = ajv.compile(schema)
  isValid(JSON.parse(JSON.stringify(bill)))
  return (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends the path unchanged; fetch would normalize it. */
async function ask(address: string, path: string, headers = {}, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(address)
  const asked = request({ hostname, port, path, method, headers }).end()
  const [answer] = await once(asked, 'response')
  const chunks: Buffer[] = await answer.toArray()
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks).toString() }
}

test('serve.mjs serves pages, files and redirects, and returns 404 for everything else', async () => {
  const expected: Record<string, [number, string]> = {
    '/': [200, 'text/html; charset=utf-8'],
    '/guides/export': [200, 'text/html; charset=utf-8'],
    '/guides/export.html?a': [200, 'text/html; charset=utf-8'],
    '/guides/export.md': [200, 'text/markdown; charset=utf-8'],
    '/v1.2': [200, 'text/html; charset=utf-8'],
    '/%C3%BC': [200, 'text/html; charset=utf-8'],
    '/manifest.json': [200, 'application/json; charset=utf-8'],
    '/guides/export/': [308, '/guides/export'],
    // Redirect pages, as on any static file host.
    '/x/export/y?a=1': [200, 'text/html; charset=utf-8'],
    '/x/it/y?a=1': [307, '/guides/it?a=1'],
    '/was/it/long': [308, '/guides/it/long'],
    '/away': [200, 'text/html; charset=utf-8'],
    '/nowhere': [404, 'text/html; charset=utf-8'],
    '/guides': [404, 'text/html; charset=utf-8'],
    '/../../../../etc/passwd': [404, 'text/html; charset=utf-8'],
    '/..%2f..%2f..%2f..%2fetc%2fpasswd': [404, 'text/html; charset=utf-8'],
    '/_octavo/../../site/docs.json': [404, 'text/html; charset=utf-8'],
    '/%00': [404, 'text/html; charset=utf-8'],
    '/%zz': [404, 'text/html; charset=utf-8'],
    '//example.org/': [404, 'text/html; charset=utf-8'],
    '/constructor': [404, 'text/html; charset=utf-8'],
    [`/${'a'.repeat(8000)}`]: [404, 'text/html; charset=utf-8'],
  }
  for (const [path, [status, text]] of Object.entries(expected)) {
    const { status: found, headers } = await ask(plain, path)
    assert.deepEqual([found, headers.location ?? headers['content-type']], [status, text], path.slice(0, 80))
  }
  assert.equal((await ask(plain, '/', {}, 'POST')).status, 405)
  assert.equal((await ask(plain, '/nowhere')).body, readFileSync(join(out, '404.html'), 'utf8'))
})

test('serve.mjs has a keep-alive timeout longer than the 60 seconds of proxies', async () => {
  const { headers } = await ask(plain, '/guides/export', { connection: 'keep-alive' })
  assert.ok(
    Number(/timeout=(\d+)/.exec(String(headers['keep-alive']))?.[1]) > 60,
    String(headers['keep-alive']),
  )
})

test('serve.mjs serves the Markdown version of a page to agents that accept it', async () => {
  const twin = await ask(plain, '/guides/export', { accept: 'text/markdown, text/html;q=0.8' })
  assert.equal(twin.headers['content-type'], 'text/markdown; charset=utf-8')
  assert.equal(twin.body, readFileSync(join(out, 'guides/export.md'), 'utf8'))
  const page = await ask(plain, '/guides/export', { accept: 'text/html, */*;q=0.8' })
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  assert.deepEqual([twin.headers.vary, page.headers.vary], ['Accept', 'Accept'])
  assert.equal((await ask(plain, '/nowhere', { accept: 'text/markdown' })).status, 404)
})

test('serve.mjs handles conditional requests, ranges and HEAD, and marks immutable files', async () => {
  const whole = await ask(plain, '/guides/export')
  const etag = String(whole.headers.etag)
  assert.equal((await ask(plain, '/guides/export', { 'if-none-match': `W/${etag}` })).status, 304)
  const head = await ask(plain, '/guides/export', {}, 'HEAD')
  assert.deepEqual([head.body, head.headers['content-length']], ['', String(Buffer.byteLength(whole.body))])
  const ranges: [object, number, string][] = [
    [{ range: 'bytes=0-8' }, 206, whole.body.slice(0, 9)],
    [{ range: 'bytes=-4' }, 206, whole.body.slice(-4)],
    [{ range: 'bytes=4-4', 'if-range': etag }, 206, whole.body.slice(4, 5)],
    [{ range: 'bytes=4-4', 'if-range': '"old"' }, 200, whole.body],
    [{ range: 'bytes=5-2' }, 200, whole.body],
    [{ range: 'bytes=99999999-' }, 416, ''],
    [{ range: 'lines=1-2' }, 200, whole.body],
  ]
  for (const [headers, status, body] of ranges) {
    const found = await ask(plain, '/guides/export', headers)
    assert.deepEqual([found.status, found.body], [status, body], JSON.stringify(headers))
  }
  const [, script = ''] = /src="(_octavo\/main[^"]+)"/.exec((await ask(plain, '/')).body) ?? []
  assert.match(String((await ask(plain, `/${script}`)).headers['cache-control']), /immutable/)
  assert.equal(whole.headers['cache-control'], 'no-cache')
})

test('serve.mjs closes incomplete requests before a server with a 30-second timeout does', async () => {
  const usual = createServer({ headersTimeout: 30_000, connectionsCheckingInterval: 500 }).listen(
    0,
    '127.0.0.1',
  )
  await once(usual, 'listening')
  const halves = [
    'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n',
  ]
  const closing = halves.map((half) => once(connectTo(new URL(plain).port, half), 'close'))
  const late = once(connectTo((usual.address() as AddressInfo).port, halves[0]), 'close')
  const first = await Promise.race([Promise.all(closing).then(() => 'serve.mjs'), late.then(() => 'Node')])
  usual.closeAllConnections()
  usual.close()
  assert.equal(first, 'serve.mjs')
})

function connectTo(port: string | number, words = ''): Socket {
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(words))
  return socket.on('error', () => undefined).resume()
}

test('serve.mjs with --base serves only below that path', async () => {
  const moved = async (path: string) => (await ask(based, path)).headers.location
  assert.deepEqual([await moved('/'), await moved('/docs')], ['/docs/', '/docs/'])
  assert.equal((await ask(based, '/docs/guides/export')).status, 200)
  assert.equal(await moved('/docs/x/it/y'), '/docs/guides/it')
  for (const path of ['/guides/export', '/docsguides/export', '/docs/nowhere'])
    assert.equal((await ask(based, path)).status, 404, path)
})

test('serve.mjs exits with one line that says why it cannot serve', async () => {
  const { port } = new URL(plain)
  for (const [args, line] of [
    [['--port', port], /is already in use\. Choose another one/],
    [['--port', 'x'], /--port must be a number/],
    [['--base', 'docs'], /--base must be a path/],
    [['--what'], /Unknown option '--what'/],
  ] as const) {
    const server = spawn(process.execPath, [join(out, 'serve.mjs'), ...args])
    servers.push(server)
    const [said, [code]] = await Promise.all([server.stderr.toArray(), once(server, 'close')])
    assert.equal(code, 1)
    assert.match(said.join(''), line)
  }
})

test('hosting recipes contain the host name and the redirects of the bundle', () => {
  const recipe = (name: string) => readFileSync(join(out, '_octavo', 'hosting', name), 'utf8')
  assert.match(recipe('nginx.conf'), /server_name docs\.acme\.dev;[\s\S]*return 308 \$octavo_moved/)
  assert.match(recipe('Caddyfile'), /^docs\.acme\.dev \{$/m)
  assert.match(recipe('apache.htaccess'), /^ErrorDocument 404 \/404\.html$/m)
  assert.match(
    readFileSync(join(out, '_headers'), 'utf8'),
    /^\/_octavo\/search\/\*\n {2}Cache-Control: .*immutable$/m,
  )
  for (const name of recipe('README.md').match(/`[\w-]+\.(?:conf|htaccess|yml|js)`/g) ?? [])
    assert.ok(recipe(name.slice(1, -1)).length > 0, name)
})

test('the SBOM lists each package in the scripts, styles and fonts, with the files that contain it', () => {
  const bill = JSON.parse(readFileSync(join(out, 'sbom.cdx.json'), 'utf8'))
  const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))
  assert.deepEqual(billFaults(bill), [])
  for (const bent of BENT_BILLS)
    assert.notDeepEqual(billFaults({ ...bill, ...bent }), [], JSON.stringify(bent))
  assert.match(bill.serialNumber, /-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  const [program, bundled] = ['../../package.json', '../../src/package.json'].map(
    (file) => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')).dependencies,
  )
  const dependencies = { ...program, ...bundled }
  const names: string[] = bill.components.map(({ purl }: { purl: string }) => purl)
  for (const name of ['preact', 'katex', '@fontsource-variable/inter'])
    assert.ok(names.includes(`pkg:npm/${name.replace('@', '%40')}@${dependencies[name]}`), name)
  assert.ok(!names.some((name) => name.includes('mermaid')), 'no page shows a diagram')
  for (const { purl, licenses, evidence } of bill.components) {
    assert.ok(licenses?.length === 1, purl)
    for (const { location } of evidence.occurrences)
      assert.ok(Object.hasOwn(manifest.files, location), location)
  }
  assert.deepEqual(bill.dependencies[0].dependsOn, names)
  assert.equal(new Set(names).size, names.length)
  const told = new Set(
    bill.components.flatMap((one: Component) => one.evidence.occurrences.map(({ location }) => location)),
  )
  // Author code, hosting recipes and data.
  const isOther = (path: string) => /^_octavo\/(?:island-|hosting\/)/.test(path) || isData(path)
  const isData = (path: string) => readFileSync(join(out, path), 'utf8').startsWith('globalThis.')
  const scripts = Object.keys(manifest.files).filter((path) => /\.m?js$/.test(path) && !isOther(path))
  assert.ok(scripts.length >= 3, scripts.join())
  assert.deepEqual(
    scripts.filter((path) => !told.has(path)),
    [],
  )
})
