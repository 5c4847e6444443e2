/**
 * Reads only tar archives written by tar.ts: plain files with unique names, each with exactly the header that tar.ts
 * writes for its name and size. Rejects everything else, such as links, devices, modes, other pax records, and bytes in
 * the padding or after the end, because unpacking programs would process it although no digest covers it.
 */
import { createHash, type Hash } from 'node:crypto'
import { BLOCK_BYTES, TAR_END, tarHeader, tarPadding } from './tar.ts'

interface TarLimits {
  /** Selects the files whose bytes are returned. Other files are only hashed. */
  isStored(path: string): boolean
  /** Maximum size of a file whose bytes are returned. */
  maxStoredBytes: number
  /** Maximum total size of all files' names and digests (64 bytes each). */
  mostNameBytes: number
}

interface TarFile {
  path: string
  sizeBytes: number
  sha256: string
  /** Empty unless selected by `isStored`. */
  body: Buffer
}

/** Maximum size of a pax record; only a long name can reach it. */
const MAX_PAX_BYTES = 64 * 1024
const DIGEST_BYTES = 64

/** Throws an Error whose message is a clause without a final period. */
export async function* readTar(tar: AsyncIterable<Buffer>, limits: TarLimits): AsyncGenerator<TarFile> {
  const bytes = createByteReader(tar)
  const names = new Set<string>()
  let nameBytes = 0
  for (;;) {
    const header = await readHeader(bytes)
    if (header === null) break
    const { path, sizeBytes } = header
    if (names.has(path)) throw new Error(`${path} is included twice`)
    names.add(path)
    nameBytes += Buffer.byteLength(path) + DIGEST_BYTES
    if (nameBytes > limits.mostNameBytes) throw new Error('it has more files than a manifest can list')
    const isStored = limits.isStored(path)
    if (isStored && sizeBytes > limits.maxStoredBytes) throw new Error(`${path} is too large`)
    const hash = createHash('sha256')
    const body = await bytes.pass(sizeBytes, hash, isStored)
    const padding = tarPadding(sizeBytes)
    if (!(await bytes.take(padding.length)).equals(padding)) throw new Error(`there is data after ${path}`)
    yield { path, sizeBytes, sha256: hash.digest('hex'), body }
  }
  if (!(await bytes.isOver())) throw new Error('there is data after its end')
}

interface Header {
  path: string
  sizeBytes: number
}

/** Returns null after consuming the end marker. */
async function readHeader(bytes: ByteReader): Promise<Header | null> {
  const first = await bytes.take(BLOCK_BYTES)
  if (first.every((byte) => byte === 0)) {
    const rest = await bytes.take(TAR_END.length - BLOCK_BYTES)
    if (rest.some((byte) => byte !== 0)) throw new Error('there is data after its end')
    return null
  }
  if (readTypeFlag(first) !== 'x') return checkHeader(first, plainHeader(first))
  const paxBytes = sizeOf(first)
  if (!(paxBytes <= MAX_PAX_BYTES)) throw new Error('one of its headers is too long')
  const records = await bytes.take(paxBytes + tarPadding(paxBytes).length)
  const main = await bytes.take(BLOCK_BYTES)
  const { path, size } = paxRecords(records.subarray(0, paxBytes))
  const plain = plainHeader(main)
  const header = { path: path ?? plain.path, sizeBytes: size === undefined ? plain.sizeBytes : Number(size) }
  return checkHeader(Buffer.concat([first, records, main]), header)
}

function plainHeader(block: Buffer): Header {
  const text = (start: number, length: number) =>
    block.toString('utf8', start, start + length).split('\0', 1)[0] ?? ''
  const prefix = text(345, 155)
  const path = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`
  const type = readTypeFlag(block)
  if (type !== '0')
    throw new Error(`${path} has the type ${JSON.stringify(type)}, but a bundle contains only regular files`)
  return { path, sizeBytes: sizeOf(block) }
}

function readTypeFlag(block: Buffer): string {
  return String.fromCharCode(block[156] ?? 0)
}

function sizeOf(block: Buffer): number {
  return Number.parseInt(block.toString('latin1', 124, 136), 8)
}

/** Requires exactly the header that Octavo writes, whose bytes depend only on the path and size. */
function checkHeader(header: Buffer, { path, sizeBytes }: Header): Header {
  const parts = path.split(/[/\\]/)
  if (path.includes('\0') || /^[a-z]:/i.test(path) || parts.some((part) => ['', '.', '..'].includes(part)))
    throw new Error(`${JSON.stringify(path)} is not a valid file name in a bundle`)
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0 || !header.equals(tarHeader(path, sizeBytes)))
    throw new Error(`the header of ${path} was not written by Octavo`)
  return { path, sizeBytes }
}

/** Parses records of the form `<length> <key>=<value>\n`, where the length is in bytes. */
function paxRecords(body: Buffer): { path?: string; size?: string } {
  const records: { path?: string; size?: string } = {}
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(32, at)
    const length = Number(body.toString('latin1', at, space))
    const [, key = '', value = ''] =
      /^(\w+)=(.*)\n$/s.exec(body.toString('utf8', space + 1, at + length)) ?? []
    if (!(length > 0) || at + length > body.length || (key !== 'path' && key !== 'size'))
      throw new Error(`a header sets ${JSON.stringify(key)}, but only path and size are allowed`)
    records[key] = value
    at += length
  }
  return records
}

type ByteReader = ReturnType<typeof createByteReader>

function createByteReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  let pending: Buffer = Buffer.alloc(0)
  const more = async () => {
    const next = await chunks.next()
    if (next.done) return false
    pending = next.value
    return true
  }
  /** Allocates memory only for bytes that have arrived, regardless of the claimed length. */
  const pass = async (length: number, hash: Hash | null, isStored: boolean): Promise<Buffer> => {
    const buffered: Buffer[] = []
    for (let left = length; left > 0; ) {
      if (pending.length === 0 && !(await more())) throw new Error('it ends too early')
      const part = pending.subarray(0, left)
      hash?.update(part)
      if (isStored) buffered.push(part)
      pending = pending.subarray(part.length)
      left -= part.length
    }
    return Buffer.concat(buffered)
  }
  return {
    pass,
    take: (length: number) => pass(length, null, true),
    /** Returns true if no bytes are left. Can be called only once. */
    async isOver(): Promise<boolean> {
      while (pending.length === 0) if (!(await more())) return true
      return false
    },
  }
}
