/** The files of a site version as they come to be: content goes to where it is kept, the list stays here. */
import {
  constants,
  copyFileSync,
  createWriteStream,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import { sha256 } from '../../base/hash.ts'
import { type ObjectCache, ObjectMissingError } from '../../objects/object-store.ts'
import { putBlob, putMember, unpackMember } from './blobs.ts'
import { contentTypeOf } from './content-types.ts'
import {
  createFileText,
  createFullText,
  type EarlierBytes,
  type EarlierText,
  type FullText,
  type TextPiece,
  type WholeText,
} from './full-text.ts'
import type { PiecedText } from './kept-files.ts'
import type { LaidOutPages } from './laid-out-pages.ts'
import { blobKey, type ManifestFile } from './manifest.ts'
import { byCodeUnit } from './output-names.ts'
import { isSegmented } from './segmented-member.ts'

const decompress = promisify(gunzip)

/** Of compression, for what is kept for long. */
const MOST_PACKED = 6

export interface SiteFiles {
  /** What is added is kept as one gzip member each. */
  readonly isPacked: boolean
  /** A path that is there already keeps its content. */
  add(path: string, content: string | Uint8Array): Promise<void>
  /** Content that is in one piece already. `isLast`: nobody asks for it again. */
  addWhole(path: string, made: WholeText, isLast?: boolean): Promise<void>
  /** For a text of many pieces. In a store its name may be any; elsewhere it is a path that it goes to. */
  openText(name: string): Promise<FullText>
  /** An earlier build's files can be taken: `addMade` looks at keys. */
  readonly takesEarlier: boolean
  /** `key` names all that the content is made of; null: it is made anew. */
  addMade(path: string, key: string | null, make: () => Promise<string>): Promise<void>
  /** Of a file that is there; null where it is quicker to make it once more. */
  textOf(path: string): Promise<string | null>
  has(path: string): boolean
  /** Null for what is not there yet. */
  fileOf(path: string): ManifestFile | null
  /** Sorted by path. */
  list(): Record<string, ManifestFile>
}

/** Files of an earlier build that are in the store. */
export interface EarlierBlobs extends Pick<EarlierFiles, 'take' | 'keep'> {
  /** Names of texts that were put together. */
  texts(): string[]
  /** What the text of this name was put together from; null when there is none. */
  piecesOf(name: string): PiecedText | null
  /** `isKnown`: what the last build has left of it is of use, even if some of it has changed. */
  keepPieces(name: string, text: PiecedText, isKnown: boolean): void
}

/** Into a store, packed. What `earlier` has is there already; its texts are read at once, while the site is loaded. */
export function createSiteFiles(objects: ObjectCache, earlier: EarlierBlobs | null = null): SiteFiles {
  const taken = new Map<string, ManifestFile>()
  const texts = new Map<string, Promise<EarlierBytes | null>>()
  for (const name of earlier?.texts() ?? []) {
    const reading = readPieces(objects, earlier as EarlierBlobs, name)
    reading.catch(() => {}) // told to who asks for it
    texts.set(name, reading)
  }
  const kept = async (path: string, key: string, make: () => Promise<ManifestFile>) => {
    const found = earlier?.take(path, key) ?? null
    if (found !== null) taken.set(path, found)
    const file = found ?? (await make())
    earlier?.keep(path, key, file)
    return file
  }
  const add = async (path: string, content: string | Uint8Array) => {
    if (earlier === null) return putBlob(objects, path, content)
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    return kept(path, contentKey(sha256(bytes)), () => putBlob(objects, path, bytes))
  }
  return listing({
    isPacked: true,
    takesEarlier: earlier !== null,
    textOf: async (path) => {
      const file = taken.get(path)
      const member = file ? await readOrNull(objects, file.sha256) : null
      return member && Buffer.from(await unpackMember(member)).toString()
    },
    add,
    addMade: async (path, key, make) =>
      key === null
        ? add(path, await make())
        : kept(path, key, async () => putBlob(objects, path, await make())),
    addWhole: (path, { content, ...about }) => {
      if (!('member' in content)) throw new Error(`${path} is a file, and none for a store`)
      const { member } = content
      return kept(path, contentKey(about.sha256), () => putMember(objects, path, { ...about, member }))
    },
    openText: async (name) => {
      const last = (await texts.get(name)) ?? null
      texts.delete(name)
      const text = createFullText(MOST_PACKED, last)
      const finish = async () => {
        const made = await text.finish()
        if ('member' in made.content) {
          const { pieces, segments } = made.content
          earlier?.keepPieces(name, { sha256: made.sha256, pieces, segments }, isOfUse(last))
        }
        return made
      }
      return { ...text, finish }
    },
  })
}

/** A larger text is made anew: it would be in memory as a whole. */
const MOST_TEXT_BYTES = 64 << 20

/** Null when there is none, or it is not what it was put together from. */
async function readPieces(
  objects: ObjectCache,
  earlier: EarlierBlobs,
  name: string,
): Promise<EarlierBytes | null> {
  const last = earlier.piecesOf(name)
  const sizeBytes = last?.pieces.reduce((sum, [, size]) => sum + size, 0) ?? 0
  if (last === null || sizeBytes > MOST_TEXT_BYTES) return null
  const member = await readOrNull(objects, last.sha256)
  if (member === null) return null
  const bytes = await unpackMember(member)
  if (bytes.byteLength !== sizeBytes) return null
  const found = { bytes, member, pieces: last.pieces, segments: last.segments }
  const isPackedSo = isSegmented({ ...found, names: last.pieces.map(nameOf) })
  return isPackedSo ? found : { ...found, segments: [] }
}

/** Whatever is put together from it need not be packed anew as a whole. */
function isOfUse(last: EarlierBytes | null): boolean {
  return last !== null && last.segments.length > 0
}

const nameOf = ([name]: TextPiece) => name

/** As it is packed; null when it was lost meanwhile. */
async function readOrNull(objects: ObjectCache, digest: string): Promise<Uint8Array | null> {
  try {
    return await objects.read(blobKey(digest))
  } catch (error) {
    if (error instanceof ObjectMissingError) return null
    throw error
  }
}

/** Files of an earlier build by what they were made of. */
export interface EarlierFiles {
  /** The file stays what it is; null when there is none of this key. */
  take(path: string, key: string): ManifestFile | null
  /** Is told what is there now. */
  keep(path: string, key: string, file: ManifestFile): void
  /** Of a file that was taken; null when it is gone. */
  textOf(path: string): string | null
  /** What a text was put together from; null when there is none. */
  piecesOf(path: string): EarlierText | null
  keepPieces(path: string, pieces: readonly TextPiece[]): void
}

/** Up to here a thread that writes costs several times what the writing does. */
const SMALL_BYTES = 256 * 1024

/** Into a folder that is there and empty, as they are. */
export function createFolderFiles(folder: string, earlier: EarlierFiles | null = null): SiteFiles {
  const made = new Set<string>()
  const placeOf = (path: string) => {
    const place = join(folder, path)
    if (!place.startsWith(folder + sep)) throw new Error(`the path ${path} leaves the output folder`)
    const parent = dirname(place)
    if (!made.has(parent)) mkdirSync(parent, { recursive: true })
    made.add(parent)
    return place
  }
  const write = async (path: string, bytes: Uint8Array) => {
    const place = placeOf(path)
    if (bytes.byteLength > SMALL_BYTES) await writeFile(place, bytes)
    else writeFileSync(place, bytes)
  }
  const make = async (path: string, content: string | Uint8Array) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    await write(path, bytes)
    return { sha256: sha256(bytes), sizeBytes: bytes.byteLength, contentType: contentTypeOf(path) }
  }
  const kept = async (path: string, key: string, fill: () => Promise<ManifestFile>) => {
    const file = earlier?.take(path, key) ?? (await fill())
    earlier?.keep(path, key, file)
    return file
  }
  const add = async (path: string, content: string | Uint8Array) => {
    if (earlier === null) return make(path, content)
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    // To hash it is quicker than to have the file system make a file.
    return kept(path, contentKey(sha256(bytes)), () => make(path, bytes))
  }
  const put = async (path: string, { content, sha256, sizeBytes }: WholeText, isLast: boolean) => {
    const about = { sha256, sizeBytes, contentType: contentTypeOf(path) }
    if ('place' in content && isLast) renameSync(content.place, placeOf(path))
    else if ('place' in content) copyFileSync(content.place, placeOf(path), constants.COPYFILE_FICLONE)
    else if (sizeBytes <= SMALL_BYTES) await write(path, await decompress(content.member))
    // What answers come from is more than there should be in memory.
    else await pipeline(Readable.from([content.member]), createGunzip(), createWriteStream(placeOf(path)))
    return about
  }
  return listing({
    isPacked: false,
    takesEarlier: earlier !== null,
    textOf: async (path) => earlier?.textOf(path) ?? readWritten(placeOf(path)),
    add,
    addMade: async (path, key, content) =>
      key === null ? add(path, await content()) : kept(path, key, async () => make(path, await content())),
    addWhole: (path, made, isLast) => kept(path, contentKey(made.sha256), () => put(path, made, isLast)),
    openText: async (path) => {
      const text = createFileText(`${folder}.text`, earlier?.piecesOf(path) ?? null)
      const finish = async () => {
        const made = await text.finish()
        earlier?.keepPieces(path, made.content.pieces)
        return made
      }
      return { ...text, finish }
    },
  })
}

function readWritten(place: string): string | null {
  try {
    return readFileSync(place, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Of a file that is known by what it is, and not by what it was made of. */
function contentKey(digest: string): string {
  return `content ${digest}`
}

/** How a file is kept. */
interface Keeping {
  isPacked: boolean
  textOf(path: string): Promise<string | null>
  takesEarlier: boolean
  add(path: string, content: string | Uint8Array): Promise<ManifestFile>
  addWhole(path: string, made: WholeText, isLast: boolean): Promise<ManifestFile>
  openText(path: string): Promise<FullText>
  addMade(path: string, key: string | null, make: () => Promise<string>): Promise<ManifestFile>
}

function listing(keeping: Keeping): SiteFiles {
  const files = new Map<string, ManifestFile | null>()
  const once = async (path: string, keep: () => Promise<ManifestFile>) => {
    if (files.has(path)) return
    files.set(path, null)
    files.set(path, await keep())
  }
  return {
    isPacked: keeping.isPacked,
    takesEarlier: keeping.takesEarlier,
    add: (path, content) => once(path, () => keeping.add(path, content)),
    addWhole: (path, made, isLast = false) => once(path, () => keeping.addWhole(path, made, isLast)),
    openText: (path) => keeping.openText(path),
    fileOf: (path) => files.get(path) ?? null,
    addMade: (path, key, make) => once(path, () => keeping.addMade(path, key, make)),
    textOf: async (path) => (files.get(path) ? keeping.textOf(path) : null),
    has: (path) => files.has(path),
    list: () => {
      const list: Record<string, ManifestFile> = {}
      for (const path of [...files.keys()].sort(byCodeUnit)) {
        const file = files.get(path)
        if (file) list[path] = file
      }
      return list
    },
  }
}

/**
 * For a render of which only the problems are wanted: keeps names, so that every path is taken once. What was `laidOut`
 * before is not made.
 */
export function dropFiles(laidOut: LaidOutPages | null = null): SiteFiles {
  const paths = new Set<string>()
  const add = async (path: string) => void paths.add(path)
  const addMade = async (path: string, key: string | null, make: () => Promise<string>) => {
    paths.add(path)
    if (key === null || !laidOut?.has(path, key)) await make()
    if (key !== null) laidOut?.keep(path, key)
  }
  const has = (path: string) => paths.has(path)
  const textOf = async () => null
  const openText = async () => createFullText(1)
  const fileOf = () => null
  const list = () => ({})
  return {
    isPacked: false,
    takesEarlier: laidOut !== null,
    add,
    addWhole: add,
    addMade,
    textOf,
    openText,
    has,
    fileOf,
    list,
  }
}
