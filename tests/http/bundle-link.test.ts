/** Signed archive links: resumable, and refused once altered or expired. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sha256 } from '../../src/base/hash.ts'
import { bundleKey } from '../../src/features/export/make-bundle.ts'
import { type ApiUnderTest, JOBS, startApi, startJob, withKey } from './api-under-test.ts'

const archive = randomBytes(300_000)
let api: ApiUnderTest
let bundleUrl: string
let clock = Date.now()

async function freshLink(jobId: string): Promise<string> {
  const response = await api.fetch(`${JOBS}/${jobId}/bundle`, withKey(api.acme.key, { method: 'POST' }))
  return ((await response.json()) as { bundleUrl: string }).bundleUrl
}

let jobId: string
before(async () => {
  api = await startApi({ now: () => clock })
  jobId = await startJob(api, api.acme)
  await api.completeExport(jobId, archive)
  bundleUrl = await freshLink(jobId)
})
after(() => api[Symbol.asyncDispose]())

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('a link downloads the whole archive without a key', async () => {
  const response = await api.fetch(bundleUrl)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-length'), String(archive.length))
  assert.equal(response.headers.get('accept-ranges'), 'bytes')
  assert.match(
    response.headers.get('content-disposition') ?? '',
    /^attachment; filename="acme\.example\.com-\d{4}-\d\d-\d\d\.tar\.gz"$/,
  )
  assert.equal(response.headers.has('ratelimit'), false)
  assert.deepEqual(await bytesOf(response), archive)
})

test('HEAD returns the same headers without the body', async () => {
  const response = await api.fetch(bundleUrl, { method: 'HEAD' })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-length'), String(archive.length))
  assert.equal((await bytesOf(response)).length, 0)
})

test('an interrupted download is resumed with Range and If-Range', async () => {
  const begun = await api.fetch(bundleUrl, { headers: { Range: 'bytes=0-99999' } })
  assert.equal(begun.status, 206)
  const etag = begun.headers.get('etag') as string
  const rest = await api.fetch(bundleUrl, { headers: { Range: 'bytes=100000-', 'If-Range': etag } })
  assert.equal(rest.status, 206)
  assert.equal(rest.headers.get('content-range'), `bytes 100000-299999/300000`)
  assert.deepEqual(Buffer.concat([await bytesOf(begun), await bytesOf(rest)]), archive)
})

test('returns 416 for a range past the end, 412 for another If-Match and 304 for a known ETag', async () => {
  const outside = await api.fetch(bundleUrl, { headers: { Range: 'bytes=300000-' } })
  assert.equal(outside.status, 416)
  assert.equal(outside.headers.get('content-range'), 'bytes */300000')
  assert.equal((await api.fetch(bundleUrl, { headers: { 'If-Match': '"other"' } })).status, 412)
  const etag = (await api.fetch(bundleUrl, { method: 'HEAD' })).headers.get('etag') as string
  assert.equal((await api.fetch(bundleUrl, { headers: { 'If-None-Match': etag } })).status, 304)
})

test('a link altered in any part is refused with 403', async () => {
  const alter = (change: (url: URL) => void) => {
    const url = new URL(bundleUrl)
    change(url)
    return url.href
  }
  const altered = [
    alter((url) => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1))),
    alter((url) => url.searchParams.set('filename', 'other.tar.gz')),
    alter((url) => url.searchParams.set('signature', 'AAAA')),
    alter((url) => url.searchParams.delete('signature')),
    alter((url) => url.searchParams.append('extra', '1')),
    alter((url) => {
      url.pathname = url.pathname.replace('.tar.gz', '.tar')
    }),
    alter((url) => {
      url.pathname = url.pathname.replace('/bundles/', '/bundles/../bundles/%2e%2e/')
    }),
  ]
  for (const url of altered) {
    const response = await api.fetch(url)
    assert.equal(response.status, 403, url)
    assert.deepEqual(await response.json(), {
      error: 'This link is not valid. Request a new one.',
      code: 'link_altered',
    })
  }
})

test('an expired link is refused with 403, and a fresh one works', async () => {
  clock = Date.now() - 3_601_000
  const expired = await api.fetch(await freshLink(jobId))
  clock = Date.now()
  assert.equal(expired.status, 403)
  assert.deepEqual(await expired.json(), {
    error: 'This link has expired. Request a new one.',
    code: 'link_expired',
  })
  assert.equal((await api.fetch(await freshLink(jobId))).status, 200)
})

test('a link to a deleted archive returns 404', async () => {
  const other = randomBytes(1000)
  const gone = await startJob(api, api.acme)
  await api.completeExport(gone, other)
  const url = await freshLink(gone)
  await api.objects.delete(bundleKey(sha256(other)))
  const response = await api.fetch(url)
  assert.equal(response.status, 404)
  assert.match(await response.text(), /no longer exists. Request a new link/)
})
