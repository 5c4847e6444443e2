/** Opens the configured object store. */
import type { Log } from '../base/log.ts'
import { type CheckedStore, openCheckedStore } from '../objects/checked-store.ts'
import { openObjectStore } from '../objects/open-store.ts'
import type { Config, Secrets } from './config/config.ts'

export interface ObjectStoreLocation {
  /** Folder of the disk store. */
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
  if (config.objects.kind === 's3') return openCheckedStore(await openBucket(config.objects, secrets), log)
  const store = await openObjectStore({
    kind: 'disk',
    folder,
    secret,
    get publicUrl() {
      return publicUrl()
    },
  })
  return openCheckedStore(store, log)
}

function openBucket(bucketConfig: Extract<Config['objects'], { kind: 's3' }>, secrets: Secrets) {
  const { bucket, region, endpoint, prefix, isPathStyle } = bucketConfig
  return openObjectStore({
    kind: 's3',
    bucket,
    region,
    prefix,
    forcePathStyle: isPathStyle,
    ...(endpoint === null ? {} : { endpoint }),
    ...(secrets.s3 === null ? {} : { credentials: secrets.s3 }),
  })
}
