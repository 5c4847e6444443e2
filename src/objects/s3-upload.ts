/**
 * Uploads a stream of unknown length to a bucket: one request if it is small, else multiple parts, a few of them in
 * parallel.
 */

import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'

// There may be at most 10,000 parts, so the maximum is about 78 GiB.
export const PART_BYTES = 8 * 1024 * 1024
const PARTS_IN_FLIGHT = 3

export interface UploadTarget {
  Bucket: string
  Key: string
  ContentType: string
}

/** Leaves nothing behind in the bucket when the stream or a request fails. */
export async function uploadStream(
  client: S3Client,
  target: UploadTarget,
  body: Readable,
): Promise<{ sizeBytes: number; etag: string }> {
  const parts = splitParts(body)
  const first = (await parts.next()).value ?? Buffer.alloc(0)
  if (first.byteLength < PART_BYTES) {
    const answer = await client.send(new PutObjectCommand({ ...target, Body: first }))
    return { sizeBytes: first.byteLength, etag: answer.ETag ?? '""' }
  }

  const { Bucket, Key } = target
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target))
  const inFlight = new Set<Promise<void>>()
  const done: CompletedPart[] = []
  let sizeBytes = 0
  const send = (PartNumber: number, Body: Buffer) => {
    const sending = client
      .send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }))
      .then((answer) => {
        done[PartNumber - 1] = { PartNumber, ETag: answer.ETag }
        inFlight.delete(sending)
      })
    inFlight.add(sending)
    // A failure is handled below. This only prevents an unhandled rejection until then.
    sending.catch(() => undefined)
  }

  try {
    let number = 1
    for (let part: Buffer | undefined = first; part !== undefined; part = (await parts.next()).value) {
      send(number++, part)
      sizeBytes += part.byteLength
      if (inFlight.size >= PARTS_IN_FLIGHT) await Promise.race(inFlight)
    }
    await Promise.all(inFlight)
    const answer = await client.send(
      new CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId,
        MultipartUpload: { Parts: done },
      }),
    )
    return { sizeBytes, etag: answer.ETag ?? '""' }
  } catch (error) {
    await Promise.allSettled(inFlight)
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined)
    throw error
  }
}

/** Yields buffers of exactly PART_BYTES, the last one shorter; nothing for an empty stream. */
async function* splitParts(body: Readable): AsyncGenerator<Buffer, undefined> {
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  for await (const chunk of body) {
    let rest: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    while (pendingBytes + rest.byteLength >= PART_BYTES) {
      const needed = PART_BYTES - pendingBytes
      yield Buffer.concat([...pending, rest.subarray(0, needed)])
      pending = []
      pendingBytes = 0
      rest = rest.subarray(needed)
    }
    if (rest.byteLength === 0) continue
    pending.push(rest)
    pendingBytes += rest.byteLength
  }
  if (pendingBytes > 0) yield Buffer.concat(pending)
}
