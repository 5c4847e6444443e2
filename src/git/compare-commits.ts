/** Queries about commits of mirrors: the text of files, and the files that differ. */
import { isUtf8 } from 'node:buffer'
import { git, iterateNames, type MirrorCall, runGit } from './git.ts'
import { toGitError } from './git-error.ts'

export interface ChangedFile {
  path: string
  change: 'added' | 'modified' | 'deleted'
}

export interface TreeEntry {
  /** Six octal digits, such as `040000` and `100644`. */
  mode: string
  type: string
  id: string
  /** Null for entries that are not files. */
  sizeBytes: number | null
}

/** Returns a commit's entries at these paths, and possibly adjacent entries. Does not follow symlinks. */
export async function listEntries(
  call: MirrorCall,
  commit: string,
  paths: readonly string[],
  flags: readonly string[] = [],
): Promise<Map<string, TreeEntry>> {
  const args = ['ls-tree', '-z', '-t', '--long', '--full-tree', ...flags, commit, '--', ...paths]
  const entries = new Map<string, TreeEntry>()
  for (const line of iterateNames(await git(args, call))) {
    const [, mode, type, id, size, path] = /^(\d+) (\w+) ([0-9a-f]+) +(\S+)\t([\s\S]+)$/.exec(line) ?? []
    if (mode && type && id && path)
      entries.set(path, { mode, type, id, sizeBytes: size === '-' ? null : Number(size) })
  }
  return entries
}

/**
 * Reads text files. Omits paths that are not regular files, and files that are larger than `maxBytes` or not
 * UTF-8. Does not follow symlinks.
 */
export async function readCommitFiles(
  call: MirrorCall,
  commit: string,
  paths: readonly string[],
  maxBytes: number,
): Promise<Map<string, string>> {
  const plainPaths = paths.filter((path) => !/(^|\/)\.{0,2}(\/|$)|\0/.test(path))
  const texts = new Map<string, string>()
  if (plainPaths.length === 0) return texts
  const entries = await listEntries(call, commit, plainPaths)
  for (const path of plainPaths) {
    const entry = entries.get(path)
    if (!entry?.mode.startsWith('100') || (entry.sizeBytes ?? 0) > maxBytes) continue
    const bytes = await git(['cat-file', 'blob', entry.id], call)
    if (isUtf8(bytes) && !bytes.includes(0)) texts.set(path, new TextDecoder().decode(bytes))
  }
  return texts
}

const CHANGES: Readonly<Record<string, ChangedFile['change']>> = { A: 'added', D: 'deleted' }

/** Lists differing files below `docsFolder`, by path. A moved file counts as deleted and added. */
export async function listChangedFiles(
  call: MirrorCall,
  docsFolder: string,
  from: string,
  to: string,
): Promise<ChangedFile[]> {
  const below = docsFolder === '' ? '' : `${docsFolder}/`
  const selected = below === '' ? [] : ['--', below]
  const args = ['diff-tree', '-r', '-z', '--name-status', '--no-renames', from, to, ...selected]
  const files: ChangedFile[] = []
  let status = ''
  for (const field of iterateNames(await git(args, call))) {
    if (status === '') {
      status = field
      continue
    }
    files.push({ path: field.slice(below.length), change: CHANGES[status] ?? 'modified' })
    status = ''
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

export async function hasCommit(call: MirrorCall, commit: string): Promise<boolean> {
  return (await runGit(['cat-file', '-e', `${commit}^{commit}`], call)).code === 0
}

/** Returns true if `commit` is `tip` or one of its ancestors. Requires a mirror with history. */
export async function isReachableFrom(call: MirrorCall, commit: string, tip: string): Promise<boolean> {
  // A commit missing from the mirror cannot be part of the history.
  if (!(await hasCommit(call, commit))) return false
  const { code, stderr: said } = await runGit(['merge-base', '--is-ancestor', commit, tip], call)
  if (code === 0 || code === 1) return code === 0
  throw toGitError(call.address, said, 'failed')
}
