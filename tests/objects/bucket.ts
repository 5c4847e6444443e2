/**
 * Fake servers that speak S3, on this machine. Two of them, since neither can do all of it: `@20minutes/s3rver` checks
 * the signatures of links but refuses signed listings, `s3rver` lists but does not check links.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { type ObjectStoreOptions, openObjectStore } from '../kit/open-store.ts'

interface FakeServer {
  run(): Promise<AddressInfo>
  close(): Promise<void>
  httpServer: { closeAllConnections(): void }
}
type FakeServerClass = new (options: object) => FakeServer

// Through require: the class inherits a static `default`, which an import would take for the export.
const require = createRequire(import.meta.url)
const SERVERS = {
  checksLinks: (): FakeServerClass => require('@20minutes/s3rver'),
  lists: (): FakeServerClass => require('s3rver'),
}

export type BucketOptions = Extract<ObjectStoreOptions, { kind: 's3' }>

/** An empty bucket, and how to open it. */
export async function startBucket(t: TestContext, server: keyof typeof SERVERS): Promise<BucketOptions> {
  const directory = await mkdtemp(join(tmpdir(), 'octavo-s3-'))
  const Server = SERVERS[server]()
  const running = new Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    vhostBuckets: false,
    directory,
    configureBuckets: [{ name: 'octavo', configs: [] }],
  })
  const { port } = await running.run()
  t.after(async () => {
    running.httpServer.closeAllConnections()
    await running.close()
    await rm(directory, { recursive: true, force: true })
  })
  return {
    kind: 's3',
    bucket: 'octavo',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    prefix: 'tenant/',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  }
}

/** An empty store in a bucket that can be listed. */
export async function openBucket(t: TestContext): Promise<ObjectStore> {
  const store = await openObjectStore(await startBucket(t, 'lists'))
  t.after(() => store[Symbol.asyncDispose]())
  return store
}
