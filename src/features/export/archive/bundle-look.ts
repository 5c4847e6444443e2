/** What a bundle holds, as an archive or unpacked in a folder, held against the manifest inside. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { mapBounded } from '../../../base/bounded.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'

export const MANIFEST = 'manifest.json'
/** Over the manifest; in bundles of operators who sign. */
export const SIGNATURE = 'manifest.json.sig'
/** A list of 200,000 files takes a fifth of it. */
export const MOST_MANIFEST_BYTES = 256 * 1024 * 1024
/** It has 64; more is damage, which is told. */
const MOST_SIGNATURE_BYTES = 1024
const READ_CONCURRENCY = 8

export interface FoundFile {
  sha256: string
  sizeBytes: number
}

/** As it lies in the bundle. */
export type BundleManifest = Omit<SiteManifest, 'files' | 'redirects' | 'start'> & {
  /** SHA-256 of the public key that the bundle is signed with. */
  signer?: string
  files: Record<string, FoundFile>
}

export interface BundleLook {
  /** Null when there is none that can be read. */
  manifest: BundleManifest | null
  manifestBytes: Uint8Array | null
  /** Null when there is none. */
  signature: Uint8Array | null
  /** By path, without the manifest and its signature. */
  files: ReadonlyMap<string, FoundFile>
  /** Clauses such as `a.html differs`. */
  faults: string[]
}

/** Rejects when the disk fails, never because of what is in the folder. */
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

/** `manifestBytes` are null when there is no manifest. */
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
  // A bundle without a signer has no signature: a file of that name is one too many.
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

/** Null for what is no manifest of a bundle. */
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
