/** Reads the bundle named by a command: an archive, or the folder to which it was unpacked. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import {
  type BundleInspection,
  type BundleManifest,
  inspectFolder,
} from '../features/export/archive/bundle-inspection.ts'
import { inspectArchive } from '../features/export/archive/verify-archive.ts'
import { UsageError } from './command.ts'
import { oneLine } from './one-line.ts'

/** Maximum number of characters shown of a path. */
export const MAX_PATH_CHARACTERS = 1000

/** Reads a bundle. Throws UsageError if there is nothing to read. */
export async function readBundle(bundlePath: string): Promise<BundleInspection> {
  const stats = await stat(bundlePath).catch(() => null)
  if (stats === null) throw new UsageError(`There is no archive and no folder ${bundlePath}.`)
  return stats.isDirectory() ? inspectFolder(bundlePath) : inspectArchive(createReadStream(bundlePath))
}

/**
 * Reads an intact bundle. Throws UsageError for a damaged one, as damage would be reported as changes and carried
 * over.
 */
export async function requireIntactBundle(bundlePath: string): Promise<BundleManifest> {
  const { manifest, faults } = await readBundle(bundlePath)
  if (manifest === null || faults.length > 0)
    throw new UsageError(
      `${bundlePath} is no whole bundle: ${oneLine(faults[0] ?? '', MAX_PATH_CHARACTERS)}. See octavo verify.`,
    )
  return manifest
}
