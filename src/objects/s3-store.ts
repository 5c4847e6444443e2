/** Stores objects in S3 or a compatible service. Load with `import()`, because the client is large. */
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { checkKey, checkPrefix } from './object-key.ts'
import {
  clampRange,
  DEFAULT_CONTENT_TYPE,
  type FoundObject,
  type ListedObject,
  ObjectMissingError,
  type ObjectStore,
  type PutOptions,
  type StoredObject,
} from './object-store.ts'
import { checkLifetime } from './presigned-link.ts'
import { contentDisposition } from './serve-object.ts'

/** S3 allows 10,000 parts, which limits objects to about 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024
const MAX_CONCURRENT_PARTS = 3

export interface S3StoreOptions {
  bucket: string
  region: string
  /** Left out for AWS. */
  endpoint?: string
  /** Public endpoint of the bucket, used in links. Defaults to `endpoint`. */
  publicEndpoint?: string
  /** Uses `endpoint/bucket/key`, which most servers other than AWS require, instead of `bucket.endpoint/key`. */
  forcePathStyle?: boolean
  /** Prefix of all keys, for example `octavo/`. */
  prefix?: string
  /** If left out, the AWS client reads credentials from the environment, a profile or the role of the machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
  /** Milliseconds. Determines the expiry of links. */
  now?: () => number
}

interface BucketLocation {
  client: S3Client
  bucket: string
  prefix: string
  locate(key: string): { Bucket: string; Key: string }
}

export function openS3Store(options: S3StoreOptions): ObjectStore {
  const { client, linkClient } = openClients(options)
  const { bucket, prefix = '' } = options
  const locate = (key: string) => ({ Bucket: bucket, Key: prefix + checkKey(key) })
  const bucketLocation: BucketLocation = { client, bucket, prefix, locate }

  return {
    head: (key) => headObject(bucketLocation, key),
    put: (key, body, put) => putObject(bucketLocation, key, body, put),
    async get(key, range) {
      if (range === undefined) return (await fetchBody(bucketLocation, key)) as Readable
      const found = await headObject(bucketLocation, key)
      if (found === null) throw new ObjectMissingError(key)
      const { start, end } = clampRange(found.sizeBytes, range)
      return (await fetchBody(bucketLocation, key, `bytes=${start}-${end}`)) as Readable
    },
    async read(key) {
      return (await fetchBody(bucketLocation, key)).transformToByteArray()
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(locate(key)))
    },
    async *list(listed) {
      yield* listObjects(bucketLocation, checkPrefix(listed))
    },
    async presign(key, presign) {
      checkLifetime(presign.lifetimeSeconds)
      // Truncated to seconds, the resolution of signatures, so that `expiresAt` is exact.
      const signedAt = Math.floor((options.now ?? Date.now)() / 1000) * 1000
      const command = new GetObjectCommand({
        ...locate(key),
        ResponseContentDisposition: contentDisposition(presign.filename),
      })
      const signing = { expiresIn: presign.lifetimeSeconds, signingDate: new Date(signedAt) }
      const url = await getSignedUrl(linkClient, command, signing)
      return { url, expiresAt: new Date(signedAt + presign.lifetimeSeconds * 1000) }
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
      linkClient.destroy()
    },
  }
}

/** `linkClient` signs links, because the bucket may have a different public endpoint for links. */
function openClients(options: S3StoreOptions) {
  const config: S3ClientConfig = {
    region: options.region,
    forcePathStyle: options.forcePathStyle ?? false,
    // Many compatible servers do not support the newer default checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(options.credentials && { credentials: options.credentials }),
  }
  const client = new S3Client({ ...config, ...endpoint(options.endpoint) })
  const linkClient = options.publicEndpoint
    ? new S3Client({ ...config, ...endpoint(options.publicEndpoint) })
    : client
  return { client, linkClient }
}

async function headObject({ client, locate }: BucketLocation, key: string): Promise<FoundObject | null> {
  try {
    const found = await client.send(new HeadObjectCommand(locate(key)))
    return {
      key,
      sizeBytes: found.ContentLength ?? 0,
      etag: found.ETag ?? '""',
      contentType: found.ContentType ?? DEFAULT_CONTENT_TYPE,
      sha256: null,
      modifiedAt: found.LastModified ?? new Date(0),
    }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

async function fetchBody({ client, locate }: BucketLocation, key: string, range?: string) {
  try {
    const answer = await client.send(new GetObjectCommand({ ...locate(key), Range: range }))
    if (answer.Body === undefined) throw new Error(`the object store sent no body for ${key}`)
    return answer.Body
  } catch (error) {
    if (isMissing(error)) throw new ObjectMissingError(key)
    throw error
  }
}

async function putObject(
  { client, locate }: BucketLocation,
  key: string,
  body: Uint8Array | Readable,
  put: PutOptions = {},
): Promise<StoredObject> {
  const contentType = put.contentType ?? DEFAULT_CONTENT_TYPE
  const target = { ...locate(key), ContentType: contentType }
  if (!(body instanceof Uint8Array)) {
    const uploaded = await uploadStream(client, target, body)
    return { key, ...uploaded, contentType }
  }
  const answer = await client.send(new PutObjectCommand({ ...target, Body: body }))
  return { key, sizeBytes: body.byteLength, etag: answer.ETag ?? '""', contentType }
}

/**
 * Uploads a stream of unknown length, in a single request if it is small, otherwise in parts. If the upload
 * fails, deletes the parts.
 */
async function uploadStream(
  client: S3Client,
  target: { Bucket: string; Key: string; ContentType: string },
  body: Readable,
): Promise<{ sizeBytes: number; etag: string }> {
  let sizeBytes = 0
  const measured = body.map((chunk: string | Uint8Array) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    sizeBytes += bytes.byteLength
    return bytes
  })
  const params = { ...target, Body: measured }
  const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: MAX_CONCURRENT_PARTS })
  // Reports the error of the stream, even if deleting the parts fails as well.
  const { ETag } = await upload.done().catch((error: unknown) => Promise.reject(body.errored ?? error))
  return { sizeBytes, etag: ETag ?? '""' }
}

async function* listObjects(
  { client, bucket, prefix }: BucketLocation,
  listed: string,
): AsyncGenerator<ListedObject> {
  for (let ContinuationToken: string | undefined; ; ) {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix + listed,
        ...(ContinuationToken && { ContinuationToken }),
      }),
    )
    for (const { Key, Size, LastModified } of page.Contents ?? []) {
      if (Key === undefined) continue
      yield { key: Key.slice(prefix.length), sizeBytes: Size ?? 0, modifiedAt: LastModified ?? new Date(0) }
    }
    ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
    if (ContinuationToken === undefined) return
  }
}

function endpoint(address: string | undefined): { endpoint?: string } {
  return address === undefined ? {} : { endpoint: address }
}

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return (
    name === 'NoSuchKey' ||
    name === 'NotFound' ||
    (name !== 'NoSuchBucket' && $metadata?.httpStatusCode === 404)
  )
}
