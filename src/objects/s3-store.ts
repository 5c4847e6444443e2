/**
 * Stores objects in a bucket of S3 or a compatible service. Load this module with `import()`, because the client is
 * large.
 */

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
import { uploadStream } from './s3-upload.ts'
import { contentDisposition } from './serve-object.ts'

export interface S3StoreOptions {
  bucket: string
  region: string
  /** Left out for AWS. */
  endpoint?: string
  /** Public endpoint of the bucket, if it differs from `endpoint`. Only used in links. */
  publicEndpoint?: string
  /** Uses `endpoint/bucket/key` instead of `bucket.endpoint/key`, as most servers other than AWS require. */
  forcePathStyle?: boolean
  /** Prefix of every key, for example `octavo/`. */
  prefix?: string
  /** If left out, the AWS client takes them from the environment, a profile or the machine's role. */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
  /** Current time in milliseconds, for the expiry of links. */
  now?: () => number
}

/** A bucket, or the part of it below a prefix. */
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
      // Signatures have a resolution of one second, so the reported expiry does too.
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

/** `linkClient` creates links for readers, who may reach the bucket at a different endpoint. */
function openClients(options: S3StoreOptions) {
  const config: S3ClientConfig = {
    region: options.region,
    forcePathStyle: options.forcePathStyle ?? false,
    // Many S3-compatible servers do not support the newer default checksums.
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
