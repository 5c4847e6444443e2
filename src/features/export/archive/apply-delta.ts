/** Applies a delta to the archive from which it was made; yields exactly the new archive or an error. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { type ArchiveDigest, DeltaError, type OpenDelta, openDelta, readPart } from './delta-format.ts'

const COPY_BYTES = 1 << 20

export interface AppliedDelta {
  from: ArchiveDigest
  to: ArchiveDigest
  /** Bytes of the new archive. Ends with DeltaError if its digest differs from the digest in the delta. */
  bytes: AsyncIterable<Uint8Array>
  [Symbol.asyncDispose](): Promise<void>
}

/** Throws DeltaError if the delta is damaged or belongs to another archive. */
export async function openAppliedDelta(oldArchive: string, delta: string): Promise<AppliedDelta> {
  await using opening = new AsyncDisposableStack()
  const opened = await openDelta(delta)
  opening.use(opened.file)
  await requireBase(oldArchive, opened)
  const base = opening.use(await open(oldArchive))
  const resources = opening.move()
  return {
    from: opened.from,
    to: opened.to,
    bytes: applySteps(opened, base),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function requireBase(oldArchive: string, { from, to }: OpenDelta): Promise<void> {
  const found = await digestFile(oldArchive)
  if (found === from.sha256) return
  if (found === to.sha256)
    throw new DeltaError(`${oldArchive} is already the result of this delta. There is nothing to apply.`)
  throw new DeltaError(
    `${oldArchive} is not the original archive of this delta: its SHA-256 is ${found} instead of ${from.sha256}. Use the matching archive (octavo verify shows whether it is damaged), or download the complete new one.`,
  )
}

async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  } catch (cause) {
    throw new DeltaError(
      (cause as NodeJS.ErrnoException).code === 'EISDIR'
        ? `${path} is a folder. Use the archive itself instead of its unpacked files.`
        : `${path} cannot be read. Use the path of the archive that you have.`,
      { cause },
    )
  }
  return hash.digest('hex')
}

async function* applySteps(delta: OpenDelta, base: FileHandle): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let own = delta.start
  for (const step of delta.steps) {
    const [file, offset, length] =
      typeof step === 'number' ? [delta.file, own, step] : [base, step[0], step[1]]
    for (let done = 0; done < length; done += COPY_BYTES) {
      const part = await readPart(file, offset + done, Math.min(COPY_BYTES, length - done))
      hash.update(part)
      yield part
    }
    if (typeof step === 'number') own += step
  }
  if (hash.digest('hex') !== delta.to.sha256)
    throw new DeltaError(
      'The result does not match the archive of the delta, so nothing was written. Create the delta again, or download the complete new archive.',
    )
}
