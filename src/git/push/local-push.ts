/**
 * Makes a branch in a repository of this machine as a push would, without its nine processes: the objects that the commit
 * brings are laid into it, and then its ref. Only for a new branch, one commit ahead of a branch that stands there, in a
 * repository that is plainly set up; whatever is otherwise, git is asked.
 */
import { randomUUID } from 'node:crypto'
import { link, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type MirrorCall, readObject } from '../mirror-objects.ts'
import type { Repository } from '../repository.ts'
import { parentsOf, readTree, type TreeEntry, treeOf } from '../trees.ts'
import { plainGitDir, readLocalBranch } from './local-refs.ts'
import { writeObject } from './write-object.ts'

export interface NewBranch {
  /** Without `refs/heads/`. */
  branch: string
  commit: string
  /** The branch that the commit lies on; null for the one that is checked out. */
  onto: string | null
}

/** Settings that say how a push is taken, or how files are to lie there. */
const UNUSUAL = /extensions|include|hiderefs|shared|\[\s*(?:receive|transfer)\b/i
/** More are better sent as a pack. */
const MOST_OBJECTS = 1000

/** False when git is to push; nothing refers then to what may have been laid there. */
export async function pushPlainly(
  call: MirrorCall & { remote: Repository },
  { branch, commit, onto }: NewBranch,
): Promise<boolean> {
  const { remote, signal } = call
  if (remote.protocol !== 'file') return false
  try {
    const base = await readLocalBranch(remote.address, onto)
    const gitDir = await plainGitDir(remote.address, UNUSUAL)
    if (base === null || gitDir === null) return false
    const ref = `refs/heads/${branch}`
    const isOneAhead = (await parentsOf(call, commit)).join() === base.commit
    if (!isOneAhead || !(await isFree(gitDir, ref))) return false
    const objects = await newObjects(call, base.commit, commit)
    if (objects.size > MOST_OBJECTS || !(await hasPlainFolders(gitDir, ref, objects.keys()))) return false
    // The repository is not ours to make anew: what its ref will name lies on the disk before it.
    for (const [id, type] of objects)
      await writeObject(gitDir, type, await readObject(call, id, type), { isFlushed: true })
    await makeRef(gitDir, ref, commit)
    return true
  } catch {
    signal?.throwIfAborted()
    return false // git finds the same, and says it
  }
}

type Objects = Map<string, 'blob' | 'tree' | 'commit'>

/** What the commit has and its parent has not, at the same places. */
async function newObjects(call: MirrorCall, parent: string, commit: string): Promise<Objects> {
  const objects: Objects = new Map()
  await addFolder(call, objects, await treeOf(call, parent), await treeOf(call, commit))
  return objects.set(commit, 'commit')
}

async function addFolder(
  call: MirrorCall,
  objects: Objects,
  before: string | null,
  folder: string,
): Promise<void> {
  if (before === folder || objects.size > MOST_OBJECTS) return
  objects.set(folder, 'tree')
  const known: ReadonlyMap<string, TreeEntry> = before === null ? new Map() : await readTree(call, before)
  for (const [name, { id, type }] of await readTree(call, folder)) {
    const old = known.get(name)
    if (old?.id === id || type === 'commit') continue
    if (type === 'tree') await addFolder(call, objects, old?.type === 'tree' ? old.id : null, id)
    else objects.set(id, 'blob')
  }
}

/** Neither the branch is there, nor one that would be its folder, or whose folder it would be. */
async function isFree(gitDir: string, ref: string): Promise<boolean> {
  if ((await isThere(join(gitDir, ref))) || (await isThere(join(gitDir, `${ref}.lock`)))) return false
  const packed = await readFile(join(gitDir, 'packed-refs'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return ![`${ref}\n`, `${ref}/`, `${dirname(ref)}\n`].some((name) => packed.includes(` ${name}`))
}

/** Links could lead out of the repository. */
async function hasPlainFolders(gitDir: string, ref: string, ids: Iterable<string>): Promise<boolean> {
  const folders = new Set(['objects', 'refs', 'refs/heads', dirname(ref)])
  for (const id of ids) folders.add(`objects/${id.slice(0, 2)}`)
  for (const folder of folders) {
    const found = await lstat(join(gitDir, folder)).catch(() => null)
    if (found !== null && !found.isDirectory()) return false
  }
  return true
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null
}

/** At once, and only where there is none: an end in between leaves no lock behind. */
async function makeRef(gitDir: string, ref: string, commit: string): Promise<void> {
  const fresh = join(gitDir, `octavo-ref.${randomUUID()}`)
  const path = join(gitDir, ref)
  try {
    await writeFile(fresh, `${commit}\n`, { flag: 'wx', flush: true })
    await mkdir(dirname(path), { recursive: true })
    await link(fresh, path)
  } finally {
    await rm(fresh, { force: true })
  }
}
