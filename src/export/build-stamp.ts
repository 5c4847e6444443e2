/**
 * What the last build to a place was made from and what it left there: while both are as they were, there is nothing to
 * build. A stamp counts only for an output folder whose every file is the very one that was written, so what somebody
 * else put among the files of the cache says nothing.
 */

import { digestOfStamps, type FileStamps, isSameFile, stampsBelow } from '../base/file-stamps.ts'
import type { FileTree } from '../base/file-tree.ts'
import { createFolderMemory, type FolderMemory, type RememberedFile } from '../base/folder-tree.ts'
import { sha256, sha256Of } from '../base/hash.ts'
import type { Problem } from '../contract/problem.ts'
import type { ObjectCache } from '../objects/object-store.ts'
import { programContent, programDigest } from '../render/machinery/program-digest.ts'
import { knowRendererVersion, rendererVersion } from '../render/machinery/renderer-version.ts'
import { putBytes, putPlain, readBytes, readPlain } from '../render/versions/cache-entries.ts'
import { type EarlierPages, type KeptTexts, type KeyedFile, openEarlierPages } from './earlier-pages.ts'

/** What a build answers. */
export interface BuiltFolder {
  pages: number
  files: number
  bytes: number
  problems: Problem[]
}

/** What is asked of a build. */
export interface BuildWish {
  /** Absolute. */
  out: string
  /** Everything that a result depends on beside the files and the program; plain data. */
  request: unknown
}

/** What a stamp says, before anybody has looked whether it counts. */
export interface ReadStamp {
  /** To open the folder with: it knows files that are as they were at the last build. */
  memory: FolderMemory
  /** Whether a text of this digest would be none that the last build had; null when there is nothing to build, or to ask. */
  isNewIn(tree: FileTree): ((digest: string) => boolean) | null
  /** Looks at the output. */
  open(): BuildStamp
}

export interface BuildStamp {
  /** Another one than that of what was read where that does not count: the folder is to be opened with this one. */
  memory: FolderMemory
  /** What the last build answered, when another would do the same. */
  find(tree: FileTree): Promise<BuiltFolder | null>
  /** The site as a build had it, an earlier one than the last it may be; null when none is known. */
  image(): Promise<Uint8Array | null>
  /** Keeps what a build has made, which is in its place now. Without an image the last one stays. */
  keep(tree: FileTree, written: WrittenFiles, result: BuildResult, image: Uint8Array | null): Promise<void>
  /** Pages of the last build, as long as all that it wrote is there. */
  readonly earlier: EarlierPages
}

export interface WrittenFiles {
  /** Before they were put in their place. */
  made: FileStamps
  /** Paths of those of the last build that were left. */
  taken: ReadonlySet<string>
  /** All that is there. */
  now: FileStamps
}

export interface BuildResult {
  built: BuiltFolder
  pages: readonly KeyedFile[]
  texts: KeptTexts
  /** Of the history of the folder. */
  showsDates: boolean
}

interface Stamp extends Omit<BuildResult, 'showsDates'> {
  request: string
  program: string
  content: string
  renderer: string
  output: string
  /** Content of the files of the folder, and what was left out of it. */
  input: string
  /** Digest of the dates of its pages; null where none are shown. */
  dates: string | null
  /** SHA-256 of the image of the site; null where there is none. */
  image: string | null
  files: RememberedFile[]
}

interface Place extends BuildWish {
  objects: ObjectCache
  keys: { stamp: string; image: string }
  asked: Pick<Stamp, 'request' | 'program'>
}

export async function readBuildStamp(objects: ObjectCache, wish: BuildWish): Promise<ReadStamp> {
  const name = `stamps/${sha256(wish.out)}`
  const keys = { stamp: `${name}.json`, image: `${name}.bin` }
  const asked = { request: sha256(JSON.stringify(wish.request)), program: programDigest() }
  const found = await readPlain<Stamp>(objects, keys.stamp)
  const known = found?.request === asked.request && isOfThisProgram(found) ? found : null
  if (known) knowRendererVersion(known.renderer)
  const memory = createFolderMemory(known?.files)
  return {
    memory,
    isNewIn: (tree) => {
      if (known === null || known.input === inputDigest(tree)) return null
      const digests = new Set(known.files.map(([, , , digest]) => digest))
      return (digest) => !digests.has(digest)
    },
    open: () => openStamp({ ...wish, objects, keys, asked }, known, memory),
  }
}

function openStamp(
  { out, objects, keys, asked }: Place,
  known: Stamp | null,
  read: FolderMemory,
): BuildStamp {
  const stamps = known ? stampsBelow(out) : new Map<string, string>()
  const last = known?.output === digestOfStamps(stamps) ? known : null
  const memory = last === known ? read : createFolderMemory()
  const put = (stamp: Stamp) => putPlain(objects, keys.stamp, JSON.stringify(stamp))
  return {
    memory,
    earlier: openEarlierPages(out, leftBy(last), last === null ? new Map() : stamps),
    find: async (tree) => {
      if (last === null || last.input !== inputDigest(tree)) return null
      if (last.dates !== null && last.dates !== (await datesDigest(tree))) return null
      const files = memory.all()
      // Files that were new then are known by their times from now on.
      if (files.length !== last.files.length || last.program !== asked.program)
        await put({ ...last, ...asked, files })
      return last.built
    },
    image: async () => {
      if (!last?.image) return null
      const bytes = await readBytes(objects, keys.image)
      // The stamp counts on this machine alone, and so does what it names.
      return bytes && sha256(bytes) === last.image ? bytes : null
    },
    keep: async (tree, { made, taken, now }, result, image) => {
      // Somebody else was at it: nothing is known of what is there.
      const isSame = (path: string) => isSameFile(now.get(path), (taken.has(path) ? stamps : made).get(path))
      if (now.size !== new Set([...made.keys(), ...taken]).size || ![...now.keys()].every(isSame)) return
      const input = inputDigest(tree)
      const dates = result.showsDates ? await datesDigest(tree) : null
      const output = digestOfStamps(now)
      const program = { content: known?.content ?? programContent(), renderer: rendererVersion() }
      if (image) await putBytes(objects, keys.image, image)
      const named = { image: image ? sha256(image) : (last?.image ?? null) }
      const { built, pages, texts } = result
      await put({
        ...{ ...asked, ...program, built, pages, texts, ...named },
        ...{ output, input, dates, files: memory.all() },
      })
    },
  }
}

/** Installed anew, it has other files with the same bytes. */
function isOfThisProgram({ program, content }: Stamp): boolean {
  return program === programDigest() || content === programContent()
}

function inputDigest({ revision, refused }: FileTree): string {
  return sha256Of(revision, JSON.stringify(refused))
}

async function datesDigest(tree: FileTree): Promise<string> {
  const found = await tree.dates?.()
  return sha256(JSON.stringify(found ? [found.isWhole, ...found.dates] : null))
}

/** None where an icon was missing: that is told while pages are made. */
function leftBy(last: Stamp | null): Pick<Stamp, 'pages' | 'texts'> {
  const isMissing = last?.built.problems.some(({ code }) => code === 'icon.unknown')
  return last === null || isMissing ? { pages: [], texts: {} } : last
}
