/** Inspects the contents of a bundle, packed or unpacked, and compares them with its manifest. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { mapBounded } from '../../../base/bounded.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'

export const MANIFEST_FILE = 'manifest.json'
export const SIGNATURE_FILE = 'manifest.json.sig'
/** A manifest with 200,000 files has a fifth of this size. */
export const MAX_MANIFEST_BYTES = 256 * 1024 * 1024
/** A signature has 64 bytes; a larger file is reported as damaged. */
const MAX_SIGNATURE_BYTES = 1024
const READ_CONCURRENCY = 8

export interface FoundFile {
  sha256: string
  sizeBytes: number
}

export type BundleManifest = Omit<SiteManifest, 'files' | 'redirects' | 'start'> & {
  signer?: string
  files: Record<string, FoundFile>
}

export interface BundleInspection {
  manifest: BundleManifest | null
  manifestBytes: Uint8Array | null
  signature: Uint8Array | null
  /** Files by path, except the manifest and its signature. */
  files: ReadonlyMap<string, FoundFile>
  /** Clauses without a final period, such as `a.html differs`. */
  faults: string[]
}

/** Rejects only for disk errors, never because of the folder's contents. */
export async function inspectFolder(folder: string): Promise<BundleInspection> {
  const found = new Map<string, FoundFile>()
  const faults: string[] = []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  await mapBounded(entries, READ_CONCURRENCY, async (entry) => {
    if (entry.isDirectory()) return
    const filePath = join(entry.parentPath, entry.name)
    const path = filePath.slice(join(folder, '/').length).replaceAll('\\', '/')
    if (!entry.isFile()) faults.push(`${path} is not a regular file`)
    else if (path !== MANIFEST_FILE) found.set(path, await hashFile(filePath))
  })
  const signature = await readSmallFile(join(folder, SIGNATURE_FILE), MAX_SIGNATURE_BYTES)
  const inspection = compareWithManifest(
    await readSmallFile(join(folder, MANIFEST_FILE), MAX_MANIFEST_BYTES),
    {
      signature,
      files: found,
    },
  )
  return { ...inspection, faults: [...faults.sort(), ...inspection.faults] }
}

async function readSmallFile(filePath: string, maxBytes: number): Promise<Uint8Array | null> {
  const about = await stat(filePath).catch(() => null)
  return about === null || !about.isFile() || about.size > maxBytes ? null : readFile(filePath)
}

async function hashFile(filePath: string): Promise<FoundFile> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of createReadStream(filePath) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    sizeBytes += chunk.byteLength
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}

export function compareWithManifest(
  manifestBytes: Uint8Array | null,
  { files: all, signature }: { files: ReadonlyMap<string, FoundFile>; signature: Uint8Array | null },
): BundleInspection {
  const manifest = manifestBytes === null ? null : parseManifest(Buffer.from(manifestBytes).toString('utf8'))
  const found = { manifest, manifestBytes, signature }
  if (manifest === null) {
    const fault = `${MANIFEST_FILE} ${manifestBytes === null ? 'is missing' : 'cannot be read'}`
    return { ...found, files: all, faults: [fault] }
  }
  // An unsigned bundle must not contain a signature file, so such a file counts as extra.
  const files = new Map(
    [...all].filter(([path]) => path !== SIGNATURE_FILE || typeof manifest.signer !== 'string'),
  )
  const listed = new Map(Object.entries(manifest.files))
  return {
    ...found,
    files,
    faults: [
      ...[...listed.keys()].filter((path) => !files.has(path)).map((path) => `${path} is missing`),
      ...[...files.keys()]
        .filter((path) => !listed.has(path))
        .map((path) => `${path} is not in the manifest`),
      ...[...files]
        .filter(([path, file]) => differs(listed.get(path), file))
        .map(([path]) => `${path} differs`),
    ],
  }
}

function parseManifest(text: string): BundleManifest | null {
  try {
    const manifest = JSON.parse(text) as Partial<BundleManifest> | null
    const isManifest =
      typeof manifest?.octavo === 'string' &&
      typeof manifest.files === 'object' &&
      Object.values(manifest.files ?? {}).every((file) => typeof file?.sha256 === 'string')
    return isManifest ? (manifest as BundleManifest) : null
  } catch {
    return null
  }
}

function differs(listed: FoundFile | undefined, { sha256, sizeBytes }: FoundFile): boolean {
  return listed !== undefined && (listed.sha256 !== sha256 || listed.sizeBytes !== sizeBytes)
}
