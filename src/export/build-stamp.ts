/**
 * What the last build to a place was made from and what it left there: while both are as they were, there is nothing to
 * build. A stamp counts only for an output folder whose every file is the very one that was written, so what somebody
 * else put among the files of the cache says nothing.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FileTree } from '../base/file-tree.ts'
import { createFolderMemory, type FolderMemory, type RememberedFile } from '../base/folder-tree.ts'
import { sha256, sha256Of } from '../base/hash.ts'
import type { Problem } from '../contract/problem.ts'
import type { ObjectCache } from '../objects/object-store.ts'
import { compactFile } from '../render/machinery/compact-file.ts'
import { putEntry, readEntry } from '../render/versions/cache-entries.ts'

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
  /** Keeps what a build has made, which does not lie in its place yet. */
  keep(tree: FileTree, made: string, built: BuiltFolder): Promise<void>
}

interface Stamp {
  request: string
  program: string
  output: string
  /** Content of the files of the folder, and what was left out of it. */
  input: string
  built: BuiltFolder
  files: RememberedFile[]
}

export async function openBuildStamp(objects: ObjectCache, { out, request }: BuildWish): Promise<BuildStamp> {
  const key = `stamps/${sha256(out)}.json.gz`
  const asked = { request: sha256(JSON.stringify(request)), program: programDigest() }
  const found = await readEntry<Stamp>(objects, key)
  const last =
    found?.request === asked.request && found.program === asked.program && found.output === outputDigest(out)
      ? found
      : null
  const memory = createFolderMemory(last?.files)
  return {
    memory,
    find: async (tree) => {
      if (last === null || last.input !== inputDigest(tree)) return null
      const files = memory.all()
      // Files that were new then are known by their times from now on.
      if (files.length !== last.files.length) await putEntry(objects, key, { ...last, files })
      return last.built
    },
    keep: (tree, made, built) => {
      const stamp: Stamp = {
        ...asked,
        output: outputDigest(made),
        input: inputDigest(tree),
        built,
        files: memory.all(),
      }
      return putEntry(objects, key, stamp)
    },
  }
}

function inputDigest({ revision, refused }: FileTree): string {
  return sha256Of(revision, JSON.stringify(refused))
}

/** Of the files below a folder as the file system tells them apart. Moving the folder changes nothing of it. */
function outputDigest(folder: string): string {
  const lines: string[] = []
  listFiles(folder, '', lines, () => true)
  return sha256(lines.join('\n'))
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
    lines.push(stampOf(join(root, file)))
  lines.push(stampOf(fileURLToPath(compactFile('versions.json'))))
  program = sha256(lines.join('\n'))
  return program
}

function listFiles(root: string, path: string, lines: string[], counts: (name: string) => boolean): void {
  for (const entry of entriesOf(join(root, path))) {
    if (!counts(entry.name)) continue
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) listFiles(root, below, lines, counts)
    else lines.push(`${below} ${entry.isFile() ? stampOf(join(root, below)) : 'no file'}`)
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

function stampOf(place: string): string {
  const about = statSync(place, { bigint: true, throwIfNoEntry: false })
  return about ? `${about.size} ${about.mtimeNs} ${about.ctimeNs} ${about.ino}` : 'missing'
}
