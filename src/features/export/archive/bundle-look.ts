/** Inspects the contents of a bundle, packed or as a folder, and compares them with its manifest. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { mapBounded } from '../../../base/bounded.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'

export const MANIFEST = 'manifest.json'
/** Signature of the manifest, in bundles of operators who sign them. */
export const SIGNATURE = 'manifest.json.sig'
/** A list of 200,000 files takes a fifth of this. */
export const MOST_MANIFEST_BYTES = 256 * 1024 * 1024
/** A signature has 64 bytes. A larger file is damaged and reported as such. */
const MOST_SIGNATURE_BYTES = 1024
const READ_CONCURRENCY = 8

export interface FoundFile {
  sha256: string
  sizeBytes: number
}

/** The manifest as stored in the bundle. */
export type BundleManifest = Omit<SiteManifest, 'files' | 'redirects' | 'start'> & {
  /** SHA-256 of the public key for the bundle's signature. */
  signer?: string
  files: Record<string, FoundFile>
}

export interface BundleLook {
  /** Null when missing or unreadable. */
  manifest: BundleManifest | null
  manifestBytes: Uint8Array | null
  /** Null when missing. */
  signature: Uint8Array | null
  /** By path, without the manifest and its signature. */
  files: ReadonlyMap<string, FoundFile>
  /** Clauses such as `a.html differs`. */
  faults: string[]
}

/** Rejects only for disk errors, never because of the folder's contents. */
export async function lookAtFolder(folder: string): Promise<BundleLook> {
  const found = new Map<string, FoundFile>()
  const faults: string[] = []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  await mapBounded(entries, READ_CONCURRENCY, async (entry) => {
    if (entry.isDirectory()) return
    const place = join(entry.parentPath, entry.name)
    const path = place.slice(join(folder, '/').length).replaceAll('\\', '/')
    if (!entry.isFile()) faults.push(`${path} is no plain file`)
    else if (path !== MANIFEST) found.set(path, await hashFile(place))
  })
  const signature = await smallFile(join(folder, SIGNATURE), MOST_SIGNATURE_BYTES)
  const look = holdAgainstManifest(await smallFile(join(folder, MANIFEST), MOST_MANIFEST_BYTES), {
    signature,
    files: found,
  })
  return { ...look, faults: [...faults.sort(), ...look.faults] }
}

async function smallFile(place: string, mostBytes: number): Promise<Uint8Array | null> {
  const about = await stat(place).catch(() => null)
  return about === null || !about.isFile() || about.size > mostBytes ? null : readFile(place)
}

async function hashFile(place: string): Promise<FoundFile> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of createReadStream(place) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    sizeBytes += chunk.byteLength
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}

/** Compares files with the manifest. `manifestBytes` is null when there is no manifest. */
export function holdAgainstManifest(
  manifestBytes: Uint8Array | null,
  { files: all, signature }: { files: ReadonlyMap<string, FoundFile>; signature: Uint8Array | null },
): BundleLook {
  const manifest = manifestBytes === null ? null : parseManifest(Buffer.from(manifestBytes).toString('utf8'))
  const found = { manifest, manifestBytes, signature }
  if (manifest === null) {
    const fault = `${MANIFEST} ${manifestBytes === null ? 'is missing' : 'cannot be read'}`
    return { ...found, files: all, faults: [fault] }
  }
  // A bundle without a signer has no signature, so a file with that name is an extra file.
  const files = new Map(
    [...all].filter(([path]) => path !== SIGNATURE || typeof manifest.signer !== 'string'),
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

/** Returns null if the text is not a bundle manifest. */
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
