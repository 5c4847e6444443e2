/** Serving the dashboard files: content security policy, compression and caching. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { checkDescription } from '../kit/openapi-check.ts'
import { type ApiUnderTest, startApi } from './api-under-test.ts'

const SHELL =
  '<!doctype html><title>Octavo</title><script type="module" src="/_dashboard/main-1.js"></script>'
const SCRIPT = 'console.log("a script that is long enough to be worth compressing")\n'.repeat(20)

let folder: string
let api: ApiUnderTest
let isBroken = false

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-dashboard-'))
  await writeFile(join(folder, 'index.html'), SHELL)
  await writeFile(join(folder, 'main-1.js'), SCRIPT)
  await writeFile(join(folder, 'main-1.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(join(folder, 'main-1.js.gz'), gzipSync(SCRIPT))
  api = await startApi({
    dashboardFolder: async () => {
      if (isBroken) throw new Error('the build failed')
      return folder
    },
  })
})
after(async () => {
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Requests a path without the automatic decompression of fetch. */
function get(path: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined
    headers: Record<string, string | string[] | undefined>
    body: Buffer
  }>()
  request(api.url + path, { headers }, (response) => {
    const parts: Buffer[] = []
    response.on('data', (part: Buffer) => parts.push(part))
    response.on('end', () =>
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
    )
  })
    .on('error', reject)
    .end()
  return promise
}

test('a failed build returns 503 and is retried on the next request', async () => {
  isBroken = true
  const refused = await get('/')
  assert.equal(refused.status, 503)
  assert.match(refused.body.toString(), /dashboard cannot be built/)
  isBroken = false
  assert.equal((await get('/')).status, 200)
})

test('every page URL returns the shell with a strict content security policy', async () => {
  for (const path of [
    '/',
    '/sign-in',
    '/setup',
    '/invitation',
    '/account',
    '/o/org_1/members',
    '/p/prj_1/agent/aj_1',
  ]) {
    const { status, headers, body } = await get(path)
    assert.equal(status, 200, path)
    assert.equal(body.toString(), SHELL)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; frame-src 'self'; require-trusted-types-for 'script'",
    )
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
  }
})

test('the shell is revalidated on each request and returns 304 when unchanged', async () => {
  const { headers } = await get('/')
  assert.equal(headers['cache-control'], 'no-cache')
  assert.equal((await get('/account', { 'If-None-Match': String(headers.etag) })).status, 304)
})

test('assets are immutable and sent in the best encoding that the browser accepts', async () => {
  const forms: [string, string | undefined, Buffer][] = [
    ['gzip, deflate, br', 'br', brotliCompressSync(SCRIPT)],
    ['gzip', 'gzip', gzipSync(SCRIPT)],
    ['br;q=0, gzip', 'gzip', gzipSync(SCRIPT)],
    ['identity', undefined, Buffer.from(SCRIPT)],
  ]
  for (const [accepted, encoding, bytes] of forms) {
    const { headers, body } = await get('/_dashboard/main-1.js', { 'Accept-Encoding': accepted })
    assert.equal(headers['content-encoding'], encoding)
    assert.deepEqual(body, bytes)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers.vary, 'Accept-Encoding')
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
  }
})

test('no other file is reachable through the assets path', async () => {
  for (const path of [
    '/_dashboard/none.js',
    '/_dashboard/index.html',
    '/_dashboard/..%2fpackage.json',
    '/_dashboard/main-1.js.br',
  ]) {
    assert.equal((await get(path)).status, 404, path)
  }
  assert.equal((await get('/other')).status, 404)
})

test('the internal API has a valid OpenAPI description', async () => {
  const response = await fetch(`${api.url}/openapi/dashboard.json`)
  const whole = (await response.json()) as Record<string, unknown>
  await checkDescription(whole)
  const description = whole as {
    paths: Record<string, Record<string, { 'x-least-role'?: string; security?: object[] }>>
  }
  assert.equal(description.paths['/internal/invitations']?.post?.['x-least-role'], 'admin')
  assert.deepEqual(description.paths['/internal/session']?.get?.security, [])
})
