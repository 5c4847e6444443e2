/** Reads a bundle to its end and holds every file against the manifest inside. */
import { createHash, type Hash } from 'node:crypto'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

const BLOCK = 512
const MANIFEST = 'manifest.json'

interface Entry {
  path: string
  sizeBytes: number
  type: string
}

/** Resolves with the number of files verified. Throws an Error that names every file that is missing, extra or different. */
export async function verifyArchive(archive: Readable): Promise<number> {
  const seen = new Map<string, { sha256: string; sizeBytes: number }>()
  let manifest: { files: Record<string, { sha256: string; sizeBytes: number }> } | null = null
  for await (const { entry, sha256, body } of readEntries(pipeline(archive, createGunzip(), () => {}))) {
    if (entry.path === MANIFEST) manifest = JSON.parse(body.toString('utf8'))
    else seen.set(entry.path, { sha256, sizeBytes: entry.sizeBytes })
  }
  if (manifest === null) throw new Error('The archive has no manifest.json.')
  const faults = [
    ...Object.keys(manifest.files)
      .filter((path) => !seen.has(path))
      .map((path) => `${path} is missing`),
    ...[...seen.keys()]
      .filter((path) => !Object.hasOwn(manifest.files, path))
      .map((path) => `${path} is not in the manifest`),
    ...[...seen]
      .filter(([path, file]) => differs(manifest.files[path], file))
      .map(([path]) => `${path} differs`),
  ]
  if (faults.length > 0) throw new Error(`The archive is damaged: ${faults.slice(0, 20).join(', ')}.`)
  return seen.size
}

function differs(
  expected: { sha256: string; sizeBytes: number } | undefined,
  found: { sha256: string; sizeBytes: number },
) {
  return (
    expected !== undefined && (expected.sha256 !== found.sha256 || expected.sizeBytes !== found.sizeBytes)
  )
}

/** Entries of a ustar archive with pax headers (POSIX.1-2001, pax interchange format); bodies of the manifest and of headers only. */
async function* readEntries(tar: Readable): AsyncGenerator<{ entry: Entry; sha256: string; body: Buffer }> {
  const bytes = createByteReader(tar)
  let paxPath: string | null = null
  for (;;) {
    const header = await bytes.take(BLOCK)
    if (header === null || header.every((byte) => byte === 0)) return
    const entry = parseHeader(header)
    if (paxPath !== null) entry.path = paxPath
    paxPath = null
    const keep = entry.type === 'x' || entry.path === MANIFEST
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

function createByteReader(source: Readable) {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const more = async () => {
    const next = await chunks.next()
    if (next.done) return false
    held = next.value as Buffer
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
    /** Null at the end of the archive. */
    async take(length: number): Promise<Buffer | null> {
      if (length > 0 && held.length === 0 && !(await more())) return null
      return pass(length, null, true)
    },
  }
}
