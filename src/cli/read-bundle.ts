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

export const MAX_PATH_CHARACTERS = 1000

export async function readBundle(bundlePath: string): Promise<BundleInspection> {
  const stats = await stat(bundlePath).catch(() => null)
  if (stats === null) throw new UsageError(`There is no archive or folder ${bundlePath}.`)
  return stats.isDirectory() ? inspectFolder(bundlePath) : inspectArchive(createReadStream(bundlePath))
}

/** Reads an intact bundle. Throws UsageError for a damaged one, because damage would be reported as changes. */
export async function requireIntactBundle(bundlePath: string): Promise<BundleManifest> {
  const { manifest, faults } = await readBundle(bundlePath)
  if (manifest === null || faults.length > 0)
    throw new UsageError(
      `${bundlePath} is not a complete bundle: ${oneLine(faults[0] ?? '', MAX_PATH_CHARACTERS)}. See octavo verify.`,
    )
  return manifest
}
