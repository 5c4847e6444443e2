/**
 * Local fake S3 servers. There are two because neither does everything: `@20minutes/s3rver` verifies the signatures of
 * links but rejects signed listings, `s3rver` lists but does not verify links.
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

// Uses require, since the class inherits a static `default` that an import would take for the export.
const require = createRequire(import.meta.url)
const SERVERS = {
  checksLinks: (): FakeServerClass => require('@20minutes/s3rver'),
  lists: (): FakeServerClass => require('s3rver'),
}

export type BucketOptions = Extract<ObjectStoreOptions, { kind: 's3' }>

/** Creates an empty bucket and returns the options to open it. */
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

/** Opens a store in an empty bucket that supports listing. */
export async function openBucket(t: TestContext): Promise<ObjectStore> {
  const store = await openObjectStore(await startBucket(t, 'lists'))
  t.after(() => store[Symbol.asyncDispose]())
  return store
}
