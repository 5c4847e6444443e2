/** Reads an archive to its end and holds every file against the manifest inside. */
import { createHash, type Hash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { archiveSeal, SEAL_BYTES } from './archive-seal.ts'
import {
  type BundleLook,
  type FoundFile,
  holdAgainstManifest,
  MANIFEST,
  MOST_MANIFEST_BYTES,
  SIGNATURE,
} from './bundle-look.ts'

const BLOCK = 512

interface Entry {
  path: string
  sizeBytes: number
  type: string
}

/** Resolves with the number of files verified. Throws an Error that names every file that is missing, extra or different. */
export async function verifyArchive(archive: Readable): Promise<number> {
  const { files, faults } = await lookAtArchive(archive)
  if (faults.length > 0) throw new Error(`The archive is damaged: ${faults.slice(0, 20).join(', ')}.`)
  return files.size
}

/** Reads the archive to its end. Rejects when the disk fails, never because of what is in it. */
export async function lookAtArchive(archive: Readable): Promise<BundleLook> {
  const seal = createSealCheck()
  const found = new Map<string, FoundFile>()
  let manifest: Buffer | null = null
  let signature: Buffer | null = null
  const faults: string[] = []
  try {
    for await (const { entry, sha256, body } of readEntries(unpacked(archive, seal))) {
      if (entry.path === SIGNATURE) signature = body
      if (entry.path === MANIFEST) manifest = body
      else if (found.has(entry.path)) faults.push(`${entry.path} is there twice`)
      else found.set(entry.path, { sha256, sizeBytes: entry.sizeBytes })
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
    faults.push(`it cannot be unpacked: ${(error as Error).message}`)
  }
  const look = holdAgainstManifest(manifest, { signature, files: found })
  faults.push(...look.faults)
  if (faults.length === 0 && (look.manifest?.format ?? 1) > 1 && !seal.isWhole())
    faults.push('its bytes are not those that its seal names')
  return { ...look, faults }
}

/**
 * The files of an archive that are wanted, unpacked. Rejects when it cannot be unpacked, and with what says so when they
 * have more bytes than that.
 */
export async function unpackFiles(
  archive: Readable,
  isWanted: (path: string) => boolean,
  maxBytes: number,
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  let bytes = 0
  for await (const { entry, body } of readEntries(unpacked(archive, createSealCheck()), isWanted)) {
    if (!isWanted(entry.path)) continue
    bytes += body.byteLength
    if (bytes > maxBytes) throw new Error(`Its texts have more than ${Math.round(maxBytes / 1e6)} MB.`)
    found.set(entry.path, body)
  }
  return found
}

async function* unpacked(archive: Readable, seal: SealCheck): AsyncGenerator<Buffer> {
  async function* tapped() {
    for await (const chunk of archive as AsyncIterable<Buffer>) {
      seal.update(chunk)
      yield chunk
    }
  }
  yield* pipeline(Readable.from(tapped()), createGunzip(), () => {}) as AsyncIterable<Buffer>
}

interface SealCheck {
  update(chunk: Uint8Array): void
  /** When all has come. */
  isWhole(): boolean
}

function createSealCheck(): SealCheck {
  const hash = createHash('sha256')
  let held: Buffer = Buffer.alloc(0)
  return {
    update: (chunk) => {
      const all = Buffer.concat([held, chunk])
      const end = Math.max(0, all.length - SEAL_BYTES)
      hash.update(all.subarray(0, end))
      held = all.subarray(end)
    },
    isWhole: () => held.equals(archiveSeal(hash.digest())),
  }
}

/** Entries of a ustar archive with pax headers (POSIX.1-2001, pax interchange format); bodies of headers and of what is kept. */
async function* readEntries(
  tar: AsyncIterable<Buffer>,
  isKept: (path: string) => boolean = (path) => path === MANIFEST || path === SIGNATURE,
): AsyncGenerator<{ entry: Entry; sha256: string; body: Buffer }> {
  const bytes = createByteReader(tar)
  let paxPath: string | null = null
  for (;;) {
    const header = await bytes.take(BLOCK)
    if (header === null || header.every((byte) => byte === 0)) return bytes.drain()
    const entry = parseHeader(header)
    if (paxPath !== null) entry.path = paxPath
    paxPath = null
    const keep = entry.type === 'x' || isKept(entry.path)
    if (keep && entry.sizeBytes > MOST_MANIFEST_BYTES) throw new Error(`${entry.path} is too large`)
    const hash = createHash('sha256')
    const body = await bytes.pass(entry.sizeBytes, hash, keep)
    await bytes.take((BLOCK - (entry.sizeBytes % BLOCK)) % BLOCK)
    if (entry.type === 'x') paxPath = paxPathOf(body)
    else if (entry.type === '0' || entry.type === '\0') yield { entry, sha256: hash.digest('hex'), body }
  }
}

function parseHeader(header: Buffer): Entry {
  const text = (start: number, length: number) =>
    header.toString('utf8', start, start + length).split('\0', 1)[0] ?? ''
  const prefix = text(345, 155)
  const name = text(0, 100)
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    sizeBytes: Number.parseInt(text(124, 12).trim() || '0', 8),
    type: String.fromCharCode(header[156] ?? 0),
  }
}

/** Records are `<length> <key>=<value>\n`, lengths in bytes. */
function paxPathOf(body: Buffer): string | null {
  for (let at = 0; at < body.length; ) {
    const length = Number.parseInt(body.toString('utf8', at, body.indexOf(32, at)), 10)
    if (!(length > 0)) return null
    const record = body.toString('utf8', body.indexOf(32, at) + 1, at + length - 1)
    if (record.startsWith('path=')) return record.slice(5)
    at += length
  }
  return null
}

function createByteReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const more = async () => {
    const next = await chunks.next()
    if (next.done) return false
    held = next.value
    return true
  }
  const pass = async (length: number, hash: Hash | null, keep: boolean): Promise<Buffer> => {
    const kept: Buffer[] = []
    for (let left = length; left > 0; ) {
      if (held.length === 0 && !(await more())) throw new Error('The archive ends too early.')
      const part = held.subarray(0, left)
      hash?.update(part)
      if (keep) kept.push(part)
      held = held.subarray(part.length)
      left -= part.length
    }
    return Buffer.concat(kept)
  }
  return {
    pass,
    /** Reads what is left, of which nothing is wanted. */
    async drain(): Promise<void> {
      while (await more());
    },
    /** Null at the end of the archive. */
    async take(length: number): Promise<Buffer | null> {
      if (length > 0 && held.length === 0 && !(await more())) return null
      return pass(length, null, true)
    },
  }
}
