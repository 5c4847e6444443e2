/** Parses commits and trees of a mirror from their objects. Does not follow links. */
import { isUtf8 } from 'node:buffer'
import { GitError } from './git-error.ts'
import { type MirrorCall, readObject } from './mirror-objects.ts'

export interface TreeEntry {
  /** Octal, as in git's trees: `40000`, `100644`. */
  mode: string
  type: 'tree' | 'blob' | 'commit'
  id: string
}

export type Tree = ReadonlyMap<string, TreeEntry>

export const FOLDER_MODE = '40000'
const SUBMODULE_MODE = '160000'

/** Returns the root tree of a commit. */
export async function treeOf(call: MirrorCall, commit: string): Promise<string> {
  const text = (await readObject(call, commit, 'commit')).toString('latin1', 0, 80)
  const [, tree] = /^tree ([0-9a-f]+)\n/.exec(text) ?? []
  if (tree === undefined) throw new GitError('failed', `${commit} is no commit that could be read.`)
  return tree
}

/** Returns the parents in order. */
export async function parentsOf(call: MirrorCall, commit: string): Promise<string[]> {
  const [head = ''] = (await readObject(call, commit, 'commit')).toString('latin1').split('\n\n', 1)
  return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent)
}

/** Maps names to entries. A name that is not valid UTF-8 is encoded with a prefix that no valid name has. */
export async function readTree(call: MirrorCall, tree: string): Promise<Map<string, TreeEntry>> {
  const bytes = await readObject(call, tree, 'tree')
  const idBytes = tree.length / 2
  const entries = new Map<string, TreeEntry>()
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at)
    const end = bytes.indexOf(0, space)
    const next = end + 1 + idBytes
    const mode = Number.parseInt(bytes.toString('latin1', at, space), 8)
    if (space < 0 || end < 0 || next > bytes.length || Number.isNaN(mode))
      throw new GitError('failed', `The folder ${tree} of the repository ${call.address} cannot be read.`)
    const id = bytes.toString('hex', end + 1, next)
    entries.set(readName(bytes.subarray(space + 1, end)), { ...kindOf(mode.toString(8)), id })
    at = next
  }
  return entries
}

function kindOf(mode: string): Pick<TreeEntry, 'mode' | 'type'> {
  return { mode, type: mode === FOLDER_MODE ? 'tree' : mode === SUBMODULE_MODE ? 'commit' : 'blob' }
}

/** Returns the entry at a path in a tree, or null. */
export async function findEntry(call: MirrorCall, tree: string, path: string): Promise<TreeEntry | null> {
  let entry: TreeEntry = { mode: FOLDER_MODE, type: 'tree', id: tree }
  for (const name of path.split('/').filter(Boolean)) {
    const child = entry.type === 'tree' ? (await readTree(call, entry.id)).get(name) : undefined
    if (child === undefined) return null
    entry = child
  }
  return entry
}

/** Serializes a tree with entries in git's order, in which a folder sorts as if its name ended with `/`. */
export function formatTree(entries: Tree): Buffer {
  const lines = [...entries].map(([name, { mode, type, id }]) => {
    const bytes = writeName(name)
    const key = type === 'tree' ? Buffer.concat([bytes, Buffer.from('/')]) : bytes
    return { key, line: Buffer.concat([Buffer.from(`${mode} `), bytes, NUL, Buffer.from(id, 'hex')]) }
  })
  return Buffer.concat(lines.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ line }) => line))
}

const RAW = '\0'
const NUL = Buffer.from([0])

function readName(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : RAW + bytes.toString('latin1')
}

function writeName(name: string): Buffer {
  return name.startsWith(RAW) ? Buffer.from(name.slice(1), 'latin1') : Buffer.from(name)
}

/** Returns the name for display. */
export function shownName(name: string): string {
  return writeName(name).toString()
}
