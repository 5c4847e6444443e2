/** Verifies an archive by reading it to its end and comparing every file with the manifest inside. */
import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { archiveSeal, SEAL_BYTES } from './archive-seal.ts'
import {
  type BundleInspection,
  compareWithManifest,
  type FoundFile,
  MANIFEST_FILE,
  MAX_MANIFEST_BYTES,
  SIGNATURE_FILE,
} from './bundle-inspection.ts'
import { readTar } from './read-tar.ts'

/** Resolves with the number of verified files. Throws an Error that names every missing, extra or different file. */
export async function verifyArchive(archive: Readable): Promise<number> {
  const { files, faults } = await inspectArchive(archive)
  requireNoFaults(faults)
  return files.size
}

/** Reads the archive to its end. Rejects only for disk errors, never because of its contents. */
export async function inspectArchive(archive: Readable): Promise<BundleInspection> {
  return (await look(archive, null)).look
}

/** Unpacks the selected files. Rejects when the archive is damaged, and when the files exceed `maxBytes` together. */
export async function extractFiles(
  archive: Readable,
  isWanted: (path: string) => boolean,
  maxBytes: number,
): Promise<Map<string, Buffer>> {
  const { look: found, bodies } = await look(archive, { isWanted, maxBytes })
  requireNoFaults(found.faults)
  return bodies
}

function requireNoFaults(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`The archive is damaged: ${faults.slice(0, 20).join(', ')}.`)
}

interface FileSelection {
  isWanted(path: string): boolean
  maxBytes: number
}

async function look(
  archive: Readable,
  selection: FileSelection | null,
): Promise<{ look: BundleInspection; bodies: Map<string, Buffer> }> {
  const seal = createSealCheck()
  const found = new Map<string, FoundFile>()
  const bodies = new Map<string, Buffer>()
  let manifest: Buffer | null = null
  let signature: Buffer | null = null
  let bodyBytes = 0
  const isKept = (path: string) =>
    path === MANIFEST_FILE || path === SIGNATURE_FILE || selection?.isWanted(path) === true
  const faults: string[] = []
  try {
    for await (const { path, sizeBytes, sha256, body } of readTar(unpacked(archive, seal), {
      isKept,
      mostKeptBytes: MAX_MANIFEST_BYTES,
      mostNameBytes: MAX_MANIFEST_BYTES,
    })) {
      if (path === SIGNATURE_FILE) signature = body
      if (path === MANIFEST_FILE) manifest = body
      else found.set(path, { sha256, sizeBytes })
      if (selection?.isWanted(path) !== true) continue
      bodyBytes += body.byteLength
      if (bodyBytes > selection.maxBytes)
        throw new Error(`its texts have more than ${Math.round(selection.maxBytes / 1e6)} MB`)
      bodies.set(path, body)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
    faults.push(`it cannot be unpacked: ${(error as Error).message}`)
  }
  const held = compareWithManifest(manifest, { signature, files: found })
  faults.push(...held.faults)
  if (faults.length === 0 && (held.manifest?.format ?? 1) > 1 && !seal.isWhole())
    faults.push('its bytes are not those that its seal names')
  return { look: { ...held, faults }, bodies }
}

/** Throws when bytes follow the last gzip member, because some programs ignore them and others process them. */
async function* unpacked(archive: Readable, seal: SealCheck): AsyncGenerator<Buffer> {
  let givenBytes = 0
  let isRead = false
  async function* tapped() {
    for await (const chunk of archive as AsyncIterable<Buffer>) {
      seal.update(chunk)
      givenBytes += chunk.byteLength
      yield chunk
    }
    isRead = true
  }
  const gunzip = createGunzip()
  yield* pipeline(Readable.from(tapped()), gunzip, () => {}) as AsyncIterable<Buffer>
  if (!isRead || gunzip.bytesWritten !== givenBytes) throw new Error('bytes stand behind its end')
}

interface SealCheck {
  update(chunk: Uint8Array): void
  /** Call after the last update. */
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
