/** Opens the configured object store. */
import type { Log } from '../base/log.ts'
import { type CheckedStore, openCheckedStore } from '../objects/checked-store.ts'
import { openDiskStore } from '../objects/disk-store.ts'
import type { Config, Secrets } from './config/config.ts'

export interface ObjectStoreLocation {
  folder: string
  secret: string
  /** Evaluated when a link is created: with port 0 the URL is known only once the server listens. */
  publicUrl: () => string
}

export async function openObjects(
  config: Config,
  secrets: Secrets,
  { folder, secret, publicUrl }: ObjectStoreLocation,
  log: Log,
): Promise<CheckedStore> {
  if (config.objects.kind === 's3')
    return openCheckedStore(await openBucket(config, secrets, config.objects), log)
  const store = await openDiskStore({
    folder,
    secret,
    get publicUrl() {
      return publicUrl()
    },
  })
  return openCheckedStore(store, log)
}

/**
 * Opens a bucket with the settings shared by all buckets. The client is large, so it is loaded only if a bucket is
 * configured.
 */
export async function openBucket(
  { s3: { endpoint, isPathStyle, region } }: Config,
  { s3: credentials }: Secrets,
  { bucket, prefix }: { bucket: string; prefix: string },
) {
  const { openS3Store } = await import('../objects/s3-store.ts')
  return openS3Store({
    bucket,
    region,
    prefix,
    forcePathStyle: isPathStyle,
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
  })
}
