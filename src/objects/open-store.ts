/** Selects the object store. */
import { type DiskStoreOptions, openDiskStore } from './disk-store.ts'
import { type MemoryStoreOptions, openMemoryStore } from './memory-store.ts'
import type { ObjectStore } from './object-store.ts'
import type { S3StoreOptions } from './s3-store.ts'

export type ObjectStoreOptions =
  | ({ kind: 'disk' } & DiskStoreOptions)
  | ({ kind: 's3' } & S3StoreOptions)
  | ({ kind: 'memory' } & MemoryStoreOptions)

/**
 * Opens the store; the caller must dispose it. Links of disk and memory stores are served by our server, those of S3
 * by the bucket.
 */
export async function openObjectStore(options: ObjectStoreOptions): Promise<ObjectStore> {
  switch (options.kind) {
    case 'disk':
      return openDiskStore(options)
    case 's3':
      return (await import('./s3-store.ts')).openS3Store(options)
    case 'memory':
      return openMemoryStore(options)
  }
}
