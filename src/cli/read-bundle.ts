/** A bundle that a command is given: the archive, or the folder that it was unpacked to. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type BundleLook, type BundleManifest, lookAtFolder } from '../features/export/archive/bundle-look.ts'
import { lookAtArchive } from '../features/export/archive/verify-archive.ts'
import { UsageError } from './command.ts'
import { oneLine } from './one-line.ts'

/** Characters of a path that are shown. */
export const LONGEST_PATH = 1000

/** Throws UsageError when there is nothing that can be read. */
export async function readBundle(place: string): Promise<BundleLook> {
  const about = await stat(place).catch(() => null)
  if (about === null) throw new UsageError(`There is no archive and no folder ${place}.`)
  return about.isDirectory() ? lookAtFolder(place) : lookAtArchive(createReadStream(place))
}

/** What is damaged would be told as changed, and handed on. Throws UsageError. */
export async function requireWholeBundle(place: string): Promise<BundleManifest> {
  const { manifest, faults } = await readBundle(place)
  if (manifest === null || faults.length > 0)
    throw new UsageError(
      `${place} is no whole bundle: ${oneLine(faults[0] ?? '', LONGEST_PATH)}. See octavo verify.`,
    )
  return manifest
}
