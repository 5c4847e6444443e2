/**
 * What the last build to a place was made from and what it left there: while both are as they were, there is nothing to
 * build. A stamp counts only for an output folder whose every file is the very one that was written, so what somebody
 * else put among the files of the cache says nothing.
 */
import { type BigIntStats, type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FileTree } from '../base/file-tree.ts'
import { createFolderMemory, type FolderMemory, type RememberedFile } from '../base/folder-tree.ts'
import { sha256, sha256Of } from '../base/hash.ts'
import type { Problem } from '../contract/problem.ts'
import type { ObjectCache } from '../objects/object-store.ts'
import { compactFile } from '../render/machinery/compact-file.ts'
import { putEntry, readEntry } from '../render/versions/cache-entries.ts'
import {
  type EarlierPages,
  type FileStamps,
  type KeyedFiles,
  openEarlierPages,
  stampText,
} from './earlier-pages.ts'

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

export interface BuildStamp {
  /** To open the folder with: it knows files that are as they were at the last build. */
  memory: FolderMemory
  /** What the last build answered, when another would do the same. */
  find(tree: FileTree): Promise<BuiltFolder | null>
  /** Keeps what a build has made. `replace` puts it from `made` into its place. */
  keep(tree: FileTree, made: string, replace: () => Promise<void>, result: BuildResult): Promise<void>
  /** Pages of the last build, as long as all that it wrote is there. */
  readonly earlier: EarlierPages
}

export interface BuildResult {
  built: BuiltFolder
  pages: KeyedFiles
}

interface Stamp extends BuildResult {
  request: string
  program: string
  output: string
  /** Content of the files of the folder, and what was left out of it. */
  input: string
  files: RememberedFile[]
}

export async function openBuildStamp(objects: ObjectCache, { out, request }: BuildWish): Promise<BuildStamp> {
  const key = `stamps/${sha256(out)}.json.gz`
  const asked = { request: sha256(JSON.stringify(request)), program: programDigest() }
  const found = await readEntry<Stamp>(objects, key)
  const isSame = found?.request === asked.request && found.program === asked.program
  const output = isSame ? outputOf(out) : null
  const last = found?.output === output?.digest ? found : null
  const memory = createFolderMemory(last?.files)
  const earlier = openEarlierPages(out, pagesOf(last), output?.stamps ?? new Map())
  return {
    memory,
    earlier,
    find: async (tree) => {
      if (last === null || last.input !== inputDigest(tree)) return null
      const files = memory.all()
      // Files that were new then are known by their times from now on.
      if (files.length !== last.files.length) await putEntry(objects, key, { ...last, files })
      return last.built
    },
    keep: async (tree, made, replace, result) => {
      const written = outputOf(made).stamps
      await replace()
      const { digest, stamps } = outputOf(out)
      // Somebody else was at it: nothing is known of what is there.
      if (earlier.hasChanged(stamps)) return
      if (stamps.size !== written.size || [...written].some(([path, one]) => stamps.get(path) !== one)) return
      const input = inputDigest(tree)
      await putEntry(objects, key, { ...asked, ...result, output: digest, input, files: memory.all() })
    },
  }
}

function inputDigest({ revision, refused }: FileTree): string {
  return sha256Of(revision, JSON.stringify(refused))
}

/** The files below a folder as the file system tells them apart. Moving the folder changes nothing of it. */
function outputOf(folder: string): { digest: string; stamps: FileStamps } {
  const lines: string[] = []
  const stamps = new Map<string, string>()
  listFiles(folder, '', lines, () => true, stamps)
  return { digest: sha256(lines.join('\n')), stamps }
}

/** None where an icon was missing: that is told while pages are made. */
function pagesOf(last: Stamp | null): KeyedFiles {
  const isMissing = last?.built.problems.some(({ code }) => code === 'icon.unknown')
  return last === null || isMissing ? {} : last.pages
}

let program: string | null = null

/** Of Octavo's own files and the packages that it runs on. */
function programDigest(): string {
  if (program !== null) return program
  const lines = [process.version]
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const isOwn = (name: string) => !/\.test\.[jt]sx?$/.test(name) && name !== 'node_modules'
  listFiles(fileURLToPath(new URL('..', import.meta.url)), '', lines, isOwn)
  listFiles(join(root, 'web'), '', lines, isOwn)
  for (const file of ['package.json', 'node_modules/.package-lock.json'])
    lines.push(stampAt(join(root, file)))
  lines.push(stampAt(fileURLToPath(compactFile('versions.json'))))
  program = sha256(lines.join('\n'))
  return program
}

function listFiles(
  root: string,
  path: string,
  lines: string[],
  counts: (name: string) => boolean,
  stamps: Map<string, string> | null = null,
): void {
  for (const entry of entriesOf(join(root, path))) {
    if (!counts(entry.name)) continue
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) listFiles(root, below, lines, counts, stamps)
    else {
      const about = entry.isFile()
        ? statSync(join(root, below), { bigint: true, throwIfNoEntry: false })
        : undefined
      lines.push(`${below} ${about ? stampOf(about) : 'no file'}`)
      if (about) stamps?.set(below, stampText(about))
    }
  }
}

/** Sorted; none where there is no folder. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

function stampAt(place: string): string {
  const about = statSync(place, { bigint: true, throwIfNoEntry: false })
  return about ? stampOf(about) : 'missing'
}

function stampOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs} ${ino}`
}
