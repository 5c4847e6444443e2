/** A bundle that a command is given: the archive, or the folder that it was unpacked to. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type BundleLook, lookAtFolder } from '../export/bundle-look.ts'
import { lookAtArchive } from '../export/verify-archive.ts'
import { UsageError } from './command.ts'

/** Characters of a path that are shown. */
export const LONGEST_PATH = 1000

/** Throws UsageError when there is nothing that can be read. */
export async function readBundle(place: string): Promise<BundleLook> {
  const about = await stat(place).catch(() => null)
  if (about === null) throw new UsageError(`There is no archive and no folder ${place}.`)
  return about.isDirectory() ? lookAtFolder(place) : lookAtArchive(createReadStream(place))
}
