/**
 * A commit made of objects only, without index or working copy: the folders on the way to each changed file are written
 * anew, everything else keeps its object. What is written depends on the arguments alone, so the same commit comes out
 * anywhere, and again after a crash.
 */
import { isUtf8 } from 'node:buffer'
import { mapBounded } from '../base/bounded.ts'
import { type GitCall, git } from './git.ts'
import { GitError } from './git-error.ts'

export interface NewCommit {
  parent: string
  /** In the place of `parent` alone, whose files the change lies on. */
  parents?: readonly string[]
  /** Text or bytes by path below the docs folder; null deletes. */
  changes: ReadonlyMap<string, string | Buffer | null>
  message: string
  author: { name: string; email: string }
  /** Whole seconds count. */
  at: Date
}

/** The changes inside one folder, by name. */
interface FolderChanges {
  /** Blob to stand there; null deletes. */
  files: Map<string, string | null>
  folders: Map<string, FolderChanges>
}

interface Entry {
  mode: string
  type: string
  id: string
}

const BLOBS_AT_ONCE = 4
const FOLDER_MODE = '040000'
const FILE_MODE = '100644'
const FILE_MODES = new Set([FILE_MODE, '100755', '100664'])

/**
 * Gives the commit's name. A changed file keeps its mode. Rejects with GitError `path_refused` for a path that is, or
 * leads through, a link or a submodule, that is a folder, or whose name starts with `.git`. Nothing refers to the commit
 * yet.
 */
export async function writeCommit(
  call: GitCall,
  docsFolder: string,
  { parent, parents = [parent], changes, message, author, at }: NewCommit,
): Promise<string> {
  for (const path of changes.keys()) requireWritable(path)
  const changed = await writeBlobs(call, docsFolder, changes)
  const root = (await nameOf(call, `${parent}^{tree}`)) ?? ''
  const tree = (await writeFolder(call, root, changed, '')) ?? (await makeTree(call, new Map()))
  const input = message.replaceAll('\0', '')
  const args = ['commit-tree', tree, ...parents.flatMap((one) => ['-p', one]), '-F', '-']
  return text(await git(args, { ...call, input, identity: { ...author, at } }))
}

/** A commit of any parents with a tree that is there already. */
export async function writeMergeCommit(
  call: GitCall,
  commit: {
    tree: string
    parents: readonly string[]
    message: string
    author: NewCommit['author']
    at: Date
  },
): Promise<string> {
  const { tree, parents, message, author, at } = commit
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-']
  return text(await git(args, { ...call, input: message, identity: { ...author, at } }))
}

/** Names that git, a forge or a disk gives a meaning to are not for changes to docs: `.git`, `.github`, `git~1`, … */
function requireWritable(path: string): void {
  const parts = path.split('/')
  const isPlain = parts.every(
    (part) =>
      !/^\.{0,2}$/.test(part) &&
      !/[\p{Cc}\\]/u.test(part) &&
      !/^(\.git|git~\d)/i.test(part.replace(/\p{Cf}/gu, '')) &&
      part.isWellFormed(),
  )
  if (!isPlain) throw refused(path, 'such a name is not for changes to docs')
}

async function writeBlobs(
  call: GitCall,
  docsFolder: string,
  changes: NewCommit['changes'],
): Promise<FolderChanges> {
  const root: FolderChanges = { files: new Map(), folders: new Map() }
  await mapBounded([...changes], BLOBS_AT_ONCE, async ([path, content]) => {
    const names = [...docsFolder.split('/').filter(Boolean), ...path.split('/')]
    const name = names.pop() ?? ''
    const args = ['hash-object', '-w', '--stdin', '--no-filters']
    const blob = content === null ? null : text(await git(args, { ...call, input: content }))
    folderAt(root, names).files.set(name, blob)
  })
  return root
}

function folderAt(root: FolderChanges, names: readonly string[]): FolderChanges {
  let folder = root
  for (const name of names) {
    const next = folder.folders.get(name) ?? { files: new Map(), folders: new Map() }
    folder.folders.set(name, next)
    folder = next
  }
  return folder
}

/** The folder with its changes as a tree; null when nothing is left in it. */
async function writeFolder(
  call: GitCall,
  tree: string | null,
  { files, folders }: FolderChanges,
  path: string,
): Promise<string | null> {
  const entries = tree === null ? new Map<string, Entry>() : await entriesOf(call, tree)
  const deleted = [...files].filter(([, blob]) => blob === null)
  const written = [...files].filter(([, blob]) => blob !== null)
  // Deleted files first: a folder may take the place of a file, and a file that of a folder with nothing left in it.
  for (const [name] of deleted) {
    const entry = entries.get(name)
    if (entry) requireFile(entry, path + name)
    entries.delete(name)
  }
  for (const [name, changes] of folders) {
    const entry = entries.get(name)
    if (entry && entry.type !== 'tree') throw refused(path + name, 'it is no folder of this repository')
    const id = await writeFolder(call, entry?.id ?? null, changes, `${path}${name}/`)
    if (id === null) entries.delete(name)
    else entries.set(name, { mode: FOLDER_MODE, type: 'tree', id })
  }
  for (const [name, blob] of written) {
    const entry = entries.get(name)
    if (entry) requireFile(entry, path + name)
    entries.set(name, { mode: entry?.mode ?? FILE_MODE, type: 'blob', id: blob ?? '' })
  }
  return entries.size === 0 ? null : await makeTree(call, entries)
}

function requireFile({ mode, type }: Entry, path: string): void {
  if (type === 'tree') throw refused(path, 'it is a folder')
  if (!FILE_MODES.has(mode)) throw refused(path, `it is a ${type === 'commit' ? 'submodule' : 'link'}`)
}

/** Names are kept byte for byte (latin1 stands for bytes), whatever they are. */
async function entriesOf(call: GitCall, tree: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  for (const line of (await git(['ls-tree', '-z', tree], call)).toString('latin1').split('\0')) {
    const [, mode, type, id, name] = /^(\d+) (\w+) ([0-9a-f]+)\t([\s\S]+)$/.exec(line) ?? []
    if (mode && type && id && name) entries.set(readName(name), { mode, type, id })
  }
  return entries
}

async function makeTree(call: GitCall, entries: ReadonlyMap<string, Entry>): Promise<string> {
  const lines = [...entries].map(([name, { mode, type, id }]) =>
    Buffer.concat([Buffer.from(`${mode} ${type} ${id}\t`), writeName(name), Buffer.from([0])]),
  )
  return text(await git(['mktree', '-z'], { ...call, input: Buffer.concat(lines) }))
}

const RAW = '\0'

/** A name that is no UTF-8 is kept as its bytes behind a sign that no name has. */
function readName(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : RAW + latin1
}

function writeName(name: string): Buffer {
  return name.startsWith(RAW) ? Buffer.from(name.slice(1), 'latin1') : Buffer.from(name)
}

async function nameOf(call: GitCall, name: string): Promise<string> {
  return text(await git(['rev-parse', '--verify', '--quiet', '--end-of-options', name], call))
}

function refused(path: string, why: string): GitError {
  return new GitError('path_refused', `The file ${path} cannot be changed: ${why}.`)
}

function text(output: Buffer): string {
  return output.toString().trim()
}
