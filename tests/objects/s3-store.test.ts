import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { linkCases, listingCases, objectCases } from '../cases/object-store.ts'
import { openObjectStore } from '../kit/open-store.ts'
import { openBucket, startBucket } from './bucket.ts'

async function openLinked(t: TestContext) {
  const options = await startBucket(t, 'checksLinks')
  const store = await openObjectStore(options)
  const slowStore = await openObjectStore({ ...options, now: () => Date.now() - 7_200_000 })
  t.after(async () => {
    await store[Symbol.asyncDispose]()
    await slowStore[Symbol.asyncDispose]()
  })
  return { store, slowStore, alter }
}

function alter(link: string): string[] {
  const change = (edit: (url: URL) => void) => {
    const url = new URL(link)
    edit(url)
    return url.href
  }
  return [
    change((url) => {
      url.pathname = url.pathname.replace(/1$/, '2')
    }),
    change((url) => url.searchParams.set('X-Amz-Expires', '604000')),
    change((url) => url.searchParams.set('response-content-disposition', 'inline')),
    change((url) => url.searchParams.set('X-Amz-Signature', 'a'.repeat(64))),
  ]
}

objectCases('s3', async (t) => (await openLinked(t)).store)
listingCases('s3', openBucket)
linkCases('s3', openLinked)

test('s3: follows a paginated listing to its end', async () => {
  const asked: (string | null)[] = []
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams
    asked.push(query.get('continuation-token'))
    const isLast = query.get('continuation-token') === 'page two'
    const entry = (key: string) =>
      `<Contents><Key>${key}</Key><Size>3</Size><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>`
    const rest = isLast
      ? `<IsTruncated>false</IsTruncated>${entry('tenant/c')}`
      : `<IsTruncated>true</IsTruncated><NextContinuationToken>page two</NextContinuationToken>${entry('tenant/a')}${entry('tenant/b')}`
    response.setHeader('Content-Type', 'application/xml')
    response.end(`<?xml version="1.0"?><ListBucketResult><Name>octavo</Name>${rest}</ListBucketResult>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const store = await openObjectStore({
    kind: 's3',
    bucket: 'octavo',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    prefix: 'tenant/',
    credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
  })
  const listed = await Array.fromAsync(store.list(''))
  await store[Symbol.asyncDispose]()
  server.closeAllConnections()
  server.close()
  assert.deepEqual(
    listed.map((object) => object.key),
    ['a', 'b', 'c'],
  )
  assert.deepEqual(listed[2], { key: 'c', sizeBytes: 3, modifiedAt: new Date('2026-01-02T03:04:05Z') })
  assert.deepEqual(asked, [null, 'page two'])
})

test('s3: presigned links use the public endpoint and the file name', async () => {
  const store = await openObjectStore({
    kind: 's3',
    bucket: 'octavo',
    region: 'eu-central-1',
    endpoint: 'http://inside:9000',
    publicEndpoint: 'https://files.example.com',
    credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
    now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  })
  const { url, expiresAt } = await store.presign('exports/1', { lifetimeSeconds: 3600, filename: 'ä.tar.gz' })
  await store[Symbol.asyncDispose]()
  const link = new URL(url)
  assert.equal(link.origin + link.pathname, 'https://octavo.files.example.com/exports/1')
  assert.equal(link.searchParams.get('X-Amz-Expires'), '3600')
  assert.equal(link.searchParams.get('X-Amz-Date'), '20260102T030405Z')
  assert.equal(
    link.searchParams.get('response-content-disposition'),
    `attachment; filename="_.tar.gz"; filename*=UTF-8''%C3%A4.tar.gz`,
  )
  assert.equal(expiresAt.toISOString(), '2026-01-02T04:04:05.000Z')
})
