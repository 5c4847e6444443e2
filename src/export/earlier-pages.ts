/**
 * Pages that the last build to a place has made of just what this one would make them of. They are not made again: the
 * file gets a second name in the new folder, and loses the first one with the old folder.
 */
import { link, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { ManifestFile } from '../render/versions/manifest.ts'
import type { EarlierFiles } from '../render/versions/site-files.ts'

/** By path. */
export type KeyedFiles = Record<string, { key: string; file: ManifestFile }>

export interface EarlierPages extends EarlierFiles {
  /** Of this build. */
  kept(): KeyedFiles
}

/** What tells a file of a folder from another one that took its place, or from itself with other bytes. */
export type FileStamps = ReadonlyMap<string, string>

export function openEarlierPages(folder: string, last: KeyedFiles, stamps: FileStamps): EarlierPages {
  const kept: KeyedFiles = {}
  return {
    take: async (path, key, place) => {
      const found = Object.hasOwn(last, path) ? last[path] : undefined
      if (found?.key !== key) return null
      try {
        await link(join(folder, path), place)
        if ((await stampOf(place)) === stamps.get(path)) return found.file
        // Another build has put its own there since.
        await unlink(place)
      } catch {
        // Where files have one name only, or the folder has gone, pages are made.
        await unlink(place).catch(() => {})
      }
      return null
    },
    keep: (path, key, file) => {
      kept[path] = { key, file }
    },
    kept: () => kept,
  }
}

/** Another name changes no part of it. */
export function stampText(about: { size: bigint; mtimeNs: bigint; ino: bigint }): string {
  return `${about.size} ${about.mtimeNs} ${about.ino}`
}

async function stampOf(place: string): Promise<string> {
  return stampText(await stat(place, { bigint: true }))
}
