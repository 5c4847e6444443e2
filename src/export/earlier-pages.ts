/**
 * Pages that the last build to a place has made of just what this one would make them of. They are not made again: the
 * file gets a second name in the new folder, and loses the first one with the old folder.
 */
import { linkSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ManifestFile } from '../render/versions/manifest.ts'
import type { EarlierFiles } from '../render/versions/site-files.ts'

/** By path. */
export type KeyedFiles = Record<string, { key: string; file: ManifestFile }>

export interface EarlierPages extends EarlierFiles {
  /** Of this build. */
  kept(): KeyedFiles
  /** Somebody has written to a file since it was taken: both its names lead to what was written. */
  hasChanged(now: FileStamps): boolean
}

/** What tells a file of a folder from another one that took its place, or from itself with other bytes. */
export type FileStamps = ReadonlyMap<string, string>

export function openEarlierPages(folder: string, last: KeyedFiles, stamps: FileStamps): EarlierPages {
  const kept: KeyedFiles = {}
  const taken: string[] = []
  return {
    take: (path, key, place) => {
      const found = Object.hasOwn(last, path) ? last[path] : undefined
      if (found?.key !== key) return null
      try {
        // Without waiting: a thread that does one of them costs ten times what it does.
        linkSync(join(folder, path), place)
        if (stampOf(place) === stamps.get(path)) {
          taken.push(path)
          return found.file
        }
      } catch {
        // Where files have one name only, or the folder has gone, pages are made.
      }
      // Another build has put its own there since.
      rmSync(place, { force: true })
      return null
    },
    keep: (path, key, file) => {
      kept[path] = { key, file }
    },
    kept: () => kept,
    hasChanged: (now) => taken.some((path) => now.get(path) !== stamps.get(path)),
  }
}

/** Another name changes no part of it. */
export function stampText(about: { size: bigint; mtimeNs: bigint; ino: bigint }): string {
  return `${about.size} ${about.mtimeNs} ${about.ino}`
}

function stampOf(place: string): string {
  return stampText(statSync(place, { bigint: true }))
}
