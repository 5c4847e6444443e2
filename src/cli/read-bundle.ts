/** Reads the bundle named by a command: an archive, or the folder to which it was unpacked. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type BundleLook, type BundleManifest, lookAtFolder } from '../features/export/archive/bundle-look.ts'
import { lookAtArchive } from '../features/export/archive/verify-archive.ts'
import { UsageError } from './command.ts'
import { oneLine } from './one-line.ts'

/** Maximum number of characters shown of a path. */
export const LONGEST_PATH = 1000

/** Reads a bundle. Throws UsageError if there is nothing to read. */
export async function readBundle(place: string): Promise<BundleLook> {
  const about = await stat(place).catch(() => null)
  if (about === null) throw new UsageError(`There is no archive and no folder ${place}.`)
  return about.isDirectory() ? lookAtFolder(place) : lookAtArchive(createReadStream(place))
}

/**
 * Reads an intact bundle. Throws UsageError for a damaged one, as damage would be reported as changes and carried
 * over.
 */
export async function requireWholeBundle(place: string): Promise<BundleManifest> {
  const { manifest, faults } = await readBundle(place)
  if (manifest === null || faults.length > 0)
    throw new UsageError(
      `${place} is no whole bundle: ${oneLine(faults[0] ?? '', LONGEST_PATH)}. See octavo verify.`,
    )
  return manifest
}
