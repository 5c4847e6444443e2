/**
 * Which files the last build of a hosted site has made, and of what: the next one takes them from the store as they are.
 * It comes from a store of one site, and may still be anything: what has not the form is as good as missing, and so is a
 * file whose content is not in the store any more.
 */
import type { ObjectStore } from '../../objects/object-store.ts'
import { putPlain, readPlain } from './cache-entries.ts'
import { contentTypeOf } from './content-types.ts'
import type { TextPiece } from './full-text.ts'
import { blobKey, type ManifestFile } from './manifest.ts'
import type { Segment } from './segmented-member.ts'

export interface KeptFiles {
  /** Null when the last build has made no file of this key, or its content is gone. */
  take(path: string, key: string): ManifestFile | null
  /** Is told what is there now. */
  keep(path: string, key: string, file: ManifestFile): void
  /** Names of texts that were put together. */
  texts(): string[]
  /** What the text of this name was put together from, and its file; null when that is gone. */
  piecesOf(name: string): PiecedText | null
  /** `isKnown`: what the last build has left of it is of use, even if some of it has changed. */
  keepPieces(name: string, text: PiecedText, isKnown: boolean): void
  save(): Promise<void>
}

export interface PiecedText {
  sha256: string
  pieces: readonly TextPiece[]
  /** How it is packed. */
  segments: readonly Segment[]
}

type KeptText = readonly [
  name: string,
  sha256: string,
  pieces: readonly TextPiece[],
  segments: readonly Segment[],
]

type KeptFile = [path: string, key: string, sha256: string, sizeBytes: number]

/** To make so many files once more costs less than to write down all anew. */
const FEW_FILES = 32
const DIGEST = /^[0-9a-f]{64}$/

/** `place`: a key ending in `/`. */
export async function openKeptFiles(
  objects: Pick<ObjectStore, 'head' | 'read' | 'put' | 'missing'>,
  place: string,
): Promise<KeptFiles> {
  const key = `${place}files.json`
  const stored = await readPlain<unknown>(objects, key)
  const last = listIn(stored, 'files').filter(isKeptFile)
  const texts = new Map(
    listIn(stored, 'texts')
      .filter(isKeptText)
      .map(([name, sha256, pieces, segments]) => [name, { sha256, pieces, segments }]),
  )
  // By this question they are in use too, so that no sweep removes them while this build is under way.
  const digests = [...last.map(([, , sha256]) => sha256), ...[...texts.values()].map(({ sha256 }) => sha256)]
  const gone = new Set(await objects.missing([...new Set(digests.map(blobKey))]))
  const known = new Map(last.map(([path, ...file]) => [path, file] as const))
  const now = new Map<string, KeptFile>()
  const textsNow: KeptText[] = []
  let areTextsKnown = true
  const changes = () => {
    let same = 0
    for (const [path, key, sha256] of now.values()) {
      const before = known.get(path)
      if (before?.[0] === key && before[1] === sha256) same += 1
    }
    return now.size - same + (known.size - same)
  }
  return {
    take: (path, key) => {
      const [made, sha256 = '', sizeBytes = 0] = known.get(path) ?? []
      if (made !== key || gone.has(blobKey(sha256))) return null
      return { sha256, sizeBytes, contentType: contentTypeOf(path) }
    },
    keep: (path, key, { sha256, sizeBytes }) => {
      now.set(path, [path, key, sha256, sizeBytes])
    },
    texts: () => [...texts.keys()],
    piecesOf: (name) => {
      const text = texts.get(name)
      return text === undefined || gone.has(blobKey(text.sha256)) ? null : text
    },
    keepPieces: (name, { sha256, pieces, segments }, isKnown) => {
      areTextsKnown &&= isKnown
      textsNow.push([name, sha256, pieces, segments])
    },
    save: async () => {
      if (known.size === 0 || !areTextsKnown || changes() > FEW_FILES)
        await putPlain(objects, key, JSON.stringify({ files: [...now.values()], texts: textsNow }))
    },
  }
}

function listIn(stored: unknown, name: 'files' | 'texts'): unknown[] {
  const list: unknown = stored === null ? null : (stored as Record<string, unknown>)[name]
  return Array.isArray(list) ? list : []
}

function isKeptText(value: unknown): value is KeptText {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || !DIGEST.test(String(value[1]))) return false
  const [, , pieces, segments] = value as unknown[]
  return (
    areAll(pieces, ([name, sizeBytes]) => typeof name === 'string' && isCount(sizeBytes)) &&
    areAll(segments, ([count, packedBytes]) => isCount(count) && isCount(packedBytes))
  )
}

function areAll(value: unknown, isOne: (entry: readonly unknown[]) => boolean): boolean {
  return Array.isArray(value) && value.every((entry) => Array.isArray(entry) && isOne(entry))
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isKeptFile(value: unknown): value is KeptFile {
  if (!Array.isArray(value) || value.length !== 4) return false
  const [path, key, sha256, sizeBytes] = value as unknown[]
  const areTexts = typeof path === 'string' && typeof key === 'string'
  return areTexts && DIGEST.test(String(sha256)) && isCount(sizeBytes)
}
