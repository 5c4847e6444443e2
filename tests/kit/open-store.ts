import { type DiskStoreOptions, openDiskStore } from '../../src/objects/disk-store.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import type { S3StoreOptions } from '../../src/objects/s3-store.ts'
import { type MemoryStoreOptions, openMemoryStore } from './memory-store.ts'

export type ObjectStoreOptions =
  | ({ kind: 'disk' } & DiskStoreOptions)
  | ({ kind: 's3' } & S3StoreOptions)
  | ({ kind: 'memory' } & MemoryStoreOptions)

/**
 * Opens an object store of any kind; the caller must dispose it. Links to objects of disk and memory stores are served
 * by our server, those of S3 by the bucket.
 */
export async function openObjectStore(options: ObjectStoreOptions): Promise<ObjectStore> {
  switch (options.kind) {
    case 'disk':
      return openDiskStore(options)
    case 's3':
      return (await import('../../src/objects/s3-store.ts')).openS3Store(options)
    case 'memory':
      return openMemoryStore(options)
  }
}
