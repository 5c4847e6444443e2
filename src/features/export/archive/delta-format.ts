/**
 * The delta format: bytes to copy from an old archive and bytes to insert, which together give the exact new
 * archive. The file consists of a first line, the length of the plan in four bytes, the plan as gzipped JSON,
 * the new bytes in order, and the SHA-256 of all preceding bytes.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzipSync } from 'node:zlib'

/** Thrown if a delta cannot be made or applied. The message explains what to do. */
export class DeltaError extends Error {
  override name = 'DeltaError'
}

export interface ArchiveDigest {
  sha256: string
  sizeBytes: number
}

/** `[offset, length]` in the old archive, or a number of bytes to insert from the delta. */
export type DeltaStep = readonly [offset: number, length: number] | number

export interface DeltaPlan {
  from: ArchiveDigest
  to: ArchiveDigest
  steps: DeltaStep[]
}

export interface OpenDelta extends DeltaPlan {
  file: FileHandle
  start: number
}

const FIRST_LINE = Buffer.from('octavo delta 1\n')
const LENGTH_BYTES = 4
const DIGEST_BYTES = 32
/**
 * Maximum size of an unpacked plan. A step takes twenty bytes, and an archive of 200,000 files has half a million
 * steps.
 */
const MAX_PLAN_BYTES = 32 << 20

const unpack = promisify(gunzip)

export function encodeDeltaHeader(plan: DeltaPlan): Uint8Array {
  const packed = gzipSync(JSON.stringify(plan))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(packed.length)
  return Buffer.concat([FIRST_LINE, length, packed])
}

/** Throws DeltaError if the file is not a complete delta. The caller closes `file`. */
export async function openDelta(path: string): Promise<OpenDelta> {
  const file = await open(path).catch((cause) => {
    throw new DeltaError(`${path} cannot be read. Use the path of the delta for the new bundle.`, { cause })
  })
  try {
    const { size } = await file.stat()
    await checkDigest(path, size)
    const start = FIRST_LINE.length + LENGTH_BYTES
    const length = (await readPart(file, FIRST_LINE.length, LENGTH_BYTES)).readUInt32BE()
    const ownBytes = size - start - length - DIGEST_BYTES
    if (ownBytes < 0) throw new Error('the plan is longer than the file')
    const plan = parsePlan(await unpackPlan(await readPart(file, start, length)))
    requireOwnBytes(plan, ownBytes)
    return { ...plan, file, start: start + length }
  } catch (error) {
    await file.close()
    throw error instanceof DeltaError ? error : damagedDeltaError(path, error)
  }
}

/** Rejects if the file has fewer bytes. */
export async function readPart(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
  if (bytesRead < length) throw new Error('the file ends too early')
  return buffer
}

async function checkDigest(path: string, size: number): Promise<void> {
  const shortest = FIRST_LINE.length + LENGTH_BYTES + DIGEST_BYTES
  let head: Buffer = Buffer.alloc(0)
  let buffered: Buffer = Buffer.alloc(0)
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (head.length < FIRST_LINE.length) head = Buffer.concat([head, chunk]).subarray(0, FIRST_LINE.length)
    if (head.length === FIRST_LINE.length && !head.equals(FIRST_LINE)) break
    const all = Buffer.concat([buffered, chunk])
    const end = Math.max(0, all.length - DIGEST_BYTES)
    hash.update(all.subarray(0, end))
    buffered = all.subarray(end)
  }
  if (!head.equals(FIRST_LINE))
    throw new DeltaError(`${path} is not a delta. Use a file written by octavo delta.`)
  if (size < shortest || !hash.digest().equals(buffered)) throw damagedDeltaError(path)
}

function damagedDeltaError(path: string, cause?: unknown): DeltaError {
  return new DeltaError(
    `${path} is damaged. Copy or download it again, or create it again with octavo delta.`,
    cause === undefined ? {} : { cause },
  )
}

async function unpackPlan(packed: Buffer): Promise<string> {
  return (await unpack(packed, { maxOutputLength: MAX_PLAN_BYTES })).toString('utf8')
}

/** Throws if the text is not a plan. An intact checksum does not prove that Octavo created the file. */
function parsePlan(text: string): DeltaPlan {
  const plan = JSON.parse(text) as Partial<DeltaPlan> | null
  if (!isDigest(plan?.from) || !isDigest(plan?.to) || !Array.isArray(plan?.steps))
    throw new Error('the plan names no archives')
  const { from, to } = plan
  let made = 0
  for (const step of plan.steps as unknown[]) {
    const [offset, length, ...further] = Array.isArray(step) ? step : [0, step]
    if (!isCount(offset) || !isCount(length) || length === 0 || further.length > 0)
      throw new Error('a step of the plan is invalid')
    if (Array.isArray(step) && offset + length > from.sizeBytes)
      throw new Error('a step is outside the archive')
    made += length
  }
  if (made !== to.sizeBytes) throw new Error('the steps do not produce the new archive')
  return { from, to, steps: plan.steps as DeltaStep[] }
}

function requireOwnBytes({ steps }: DeltaPlan, ownBytes: number): void {
  const expectedBytes = steps.reduce<number>((sum, step) => (typeof step === 'number' ? sum + step : sum), 0)
  if (expectedBytes !== ownBytes) throw new Error('the plan uses bytes that do not exist')
}

function isDigest(value: unknown): value is ArchiveDigest {
  const { sha256, sizeBytes } = (value ?? {}) as Partial<ArchiveDigest>
  return typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256) && isCount(sizeBytes)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
