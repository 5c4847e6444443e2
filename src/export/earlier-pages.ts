/**
 * Files that the last build to a place has made of just what this one would make them of. They are not made again: they
 * stay where they are, or get a second name where most others change.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FileStamps, stampAt } from '../base/file-stamps.ts'
import { contentTypeOf } from '../render/versions/content-types.ts'
import type { TextPiece } from '../render/versions/full-text.ts'
import type { EarlierFiles } from '../render/versions/site-files.ts'

export type KeyedFile = readonly [path: string, key: string, sha256: string, sizeBytes: number]

/** What large texts were put together from, by path. */
export type KeptTexts = Record<string, readonly TextPiece[]>

export interface EarlierPages extends EarlierFiles {
  /** Of this build. */
  kept(): { pages: KeyedFile[]; texts: KeptTexts }
  /** Paths of files that are as they were. */
  taken(): ReadonlySet<string>
  /** Whether the files whose content went into others were what the last build has left, to the end. */
  isAsLeft(): boolean
  /** All that lay in the folder when the build began; empty when that is not what the last build has left. */
  readonly stamps: FileStamps
}

export function openEarlierPages(
  folder: string,
  last: { pages: readonly KeyedFile[]; texts: KeptTexts },
  stamps: FileStamps,
): EarlierPages {
  const known = new Map(last.pages.map((file) => [file[0], file]))
  const kept: { pages: KeyedFile[]; texts: KeptTexts } = { pages: [], texts: {} }
  const taken = new Set<string>()
  const read = new Set<string>()
  return {
    take: (path, key) => {
      const [, made, sha256 = '', sizeBytes = 0] = known.get(path) ?? []
      if (made !== key || !stamps.has(path)) return null
      taken.add(path)
      return { sha256, sizeBytes, contentType: contentTypeOf(path) }
    },
    keep: (path, key, { sha256, sizeBytes }) => {
      kept.pages.push([path, key, sha256, sizeBytes])
    },
    textOf: (path) => {
      if (!taken.has(path)) return null
      read.add(path)
      try {
        return readFileSync(join(folder, path), 'utf8')
      } catch {
        return null // another build puts its own there just now
      }
    },
    piecesOf: (path) => {
      const pieces = Object.hasOwn(last.texts, path) ? last.texts[path] : undefined
      if (!pieces || !stamps.has(path)) return null
      read.add(path)
      return { place: join(folder, path), pieces }
    },
    keepPieces: (path, pieces) => {
      kept.texts[path] = pieces
    },
    kept: () => kept,
    taken: () => taken,
    isAsLeft: () => [...read].every((path) => stampAt(join(folder, path)) === stamps.get(path)),
    stamps,
  }
}
