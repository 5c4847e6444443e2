/** Verifies an archive by reading all of it and comparing every file with the manifest inside. */
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

/** Returns the number of verified files. Throws an Error that lists missing, extra and different files. */
export async function verifyArchive(archive: Readable): Promise<number> {
  const { files, faults } = await inspectArchive(archive)
  requireNoFaults(faults)
  return files.size
}

/** Rejects only for disk errors, never because of the archive's contents. */
export async function inspectArchive(archive: Readable): Promise<BundleInspection> {
  return (await look(archive, null)).look
}

/** Unpacks the selected files. Rejects if the archive is damaged or the files together exceed `maxBytes`. */
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
  const isStoredFile = (path: string) =>
    path === MANIFEST_FILE || path === SIGNATURE_FILE || selection?.isWanted(path) === true
  const faults: string[] = []
  try {
    for await (const { path, sizeBytes, sha256, body } of readTar(unpacked(archive, seal), {
      isStored: isStoredFile,
      maxStoredBytes: MAX_MANIFEST_BYTES,
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
    faults.push('its content does not match its seal')
  return { look: { ...held, faults }, bodies }
}

/** Throws if bytes follow the last gzip member, because some programs ignore them and others process them. */
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
  if (!isRead || gunzip.bytesWritten !== givenBytes) throw new Error('there is data after its end')
}

interface SealCheck {
  update(chunk: Uint8Array): void
  /** Must be called after the last update. */
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
