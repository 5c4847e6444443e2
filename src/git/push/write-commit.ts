/**
 * Writes a commit from objects only, without index or working copy: the parent folders of each changed file are
 * rewritten, everything else keeps its object. The result depends only on the arguments, so it is the same commit on
 * any machine and after a crash.
 */
import { mapBounded } from '../../base/bounded.ts'
import { GitError } from '../git-error.ts'
import type { MirrorCall } from '../mirror-objects.ts'
import { FOLDER_MODE, formatTree, readTree, type TreeEntry, treeOf } from '../trees.ts'
import type { CommitSigner } from './sign-commit.ts'
import { writeObject } from './write-object.ts'

export interface NewCommit {
  parent: string
  /** Parents instead of `parent` alone, on whose files the change is based. */
  parents?: readonly string[]
  /** Text or bytes by path below the docs folder; null deletes a file. */
  changes: ReadonlyMap<string, string | Buffer | null>
  message: string
  author: { name: string; email: string }
  /** Only whole seconds are used. */
  at: Date
  sign?: CommitSigner | undefined
}

/** Changes inside one folder, by name. */
interface FolderChanges {
  /** New blob; null deletes the file. */
  files: Map<string, string | null>
  folders: Map<string, FolderChanges>
}

const BLOBS_AT_ONCE = 4
const FILE_MODE = '100644'
const FILE_MODES = new Set([FILE_MODE, '100755', '100664'])

/**
 * Returns the hash of the commit, which is not referenced yet. A changed file keeps its mode. Rejects with GitError
 * `path_refused` for a path that is a folder, that is or leads through a link or submodule, or with a name that
 * starts with `.git`.
 */
export async function writeCommit(
  call: MirrorCall,
  docsFolder: string,
  { parent, parents = [parent], changes, ...written }: NewCommit,
): Promise<string> {
  for (const path of changes.keys()) requireWritable(path)
  const changed = await writeBlobs(call, docsFolder, changes)
  const root = await treeOf(call, parent)
  const tree =
    (await writeFolder(call, root, changed, '')) ??
    (await writeObject(call.gitDir, 'tree', formatTree(new Map())))
  return await writeMergeCommit(call, { tree, parents, ...written })
}

/** Writes a commit with any parents for an existing tree. */
export async function writeMergeCommit(
  { gitDir }: Pick<MirrorCall, 'gitDir'>,
  {
    tree,
    parents,
    message,
    author,
    at,
    sign,
  }: Omit<NewCommit, 'parent' | 'changes'> & { tree: string; parents: readonly string[] },
): Promise<string> {
  const person = `${sanitizeName(author.name)} <${sanitizeName(author.email)}> ${Math.floor(at.getTime() / 1000)} +0000`
  const head = [
    `tree ${tree}`,
    ...[...new Set(parents)].map((parent) => `parent ${parent}`),
    `author ${person}`,
    `committer ${person}`,
  ]
  const body = `\n\n${message.replaceAll('\0', '')}`
  if (sign) head.push(`gpgsig ${sign(Buffer.from(head.join('\n') + body)).replaceAll('\n', '\n ')}`)
  return await writeObject(gitDir, 'commit', Buffer.from(head.join('\n') + body))
}

/** Removes characters from a name as git does: those that would end it, and punctuation at both ends. */
function sanitizeName(name: string): string {
  const isCrud = (sign: string | undefined) =>
    sign !== undefined && (sign <= ' ' || `.,:;"'\\`.includes(sign))
  const text = name.replace(/[<>\n\0]/g, '')
  let [from, to] = [0, text.length]
  while (isCrud(text[from])) from += 1
  while (to > from && isCrud(text[to - 1])) to -= 1
  return text.slice(from, to)
}

/** Rejects names with a meaning for git, a forge or a file system: `.git`, `.github`, `git~1`, … */
function requireWritable(path: string): void {
  const parts = path.split('/')
  const isPlain = parts.every(
    (part) =>
      !/^\.{0,2}$/.test(part) &&
      !/[\p{Cc}\\]/u.test(part) &&
      !/^(\.git|git~\d)/i.test(part.replace(/\p{Cf}/gu, '')) &&
      part.isWellFormed(),
  )
  if (!isPlain) throw pathRefusedError(path, 'such a name is not for changes to docs')
}

async function writeBlobs(
  call: MirrorCall,
  docsFolder: string,
  changes: NewCommit['changes'],
): Promise<FolderChanges> {
  const root: FolderChanges = { files: new Map(), folders: new Map() }
  await mapBounded([...changes], BLOBS_AT_ONCE, async ([path, content]) => {
    const names = [...docsFolder.split('/').filter(Boolean), ...path.split('/')]
    const name = names.pop() ?? ''
    const blob = content === null ? null : await writeObject(call.gitDir, 'blob', Buffer.from(content))
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

/** Writes the changed folder as a tree; null if it becomes empty. */
async function writeFolder(
  call: MirrorCall,
  tree: string | null,
  { files, folders }: FolderChanges,
  path: string,
): Promise<string | null> {
  const entries = tree === null ? new Map<string, TreeEntry>() : await readTree(call, tree)
  const deleted = [...files].filter(([, blob]) => blob === null)
  const written = [...files].filter(([, blob]) => blob !== null)
  // Deletions first, because a folder may replace a file, and a file may replace a folder that becomes empty.
  for (const [name] of deleted) {
    const entry = entries.get(name)
    if (entry) requireFile(entry, path + name)
    entries.delete(name)
  }
  for (const [name, changes] of folders) {
    const entry = entries.get(name)
    if (entry && entry.type !== 'tree')
      throw pathRefusedError(path + name, 'it is no folder of this repository')
    const id = await writeFolder(call, entry?.id ?? null, changes, `${path}${name}/`)
    if (id === null) entries.delete(name)
    else entries.set(name, { mode: FOLDER_MODE, type: 'tree', id })
  }
  for (const [name, blob] of written) {
    const entry = entries.get(name)
    if (entry) requireFile(entry, path + name)
    entries.set(name, { mode: entry?.mode ?? FILE_MODE, type: 'blob', id: blob ?? '' })
  }
  return entries.size === 0 ? null : await writeObject(call.gitDir, 'tree', formatTree(entries))
}

function requireFile({ mode, type }: TreeEntry, path: string): void {
  if (type === 'tree') throw pathRefusedError(path, 'it is a folder')
  if (!FILE_MODES.has(mode))
    throw pathRefusedError(path, `it is a ${type === 'commit' ? 'submodule' : 'link'}`)
}

function pathRefusedError(path: string, reason: string): GitError {
  return new GitError('path_refused', `The file ${path} cannot be changed: ${reason}.`)
}
