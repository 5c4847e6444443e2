/** Single questions about commits of a repository of our own: one file's text, the files that differ. */
import { createBreaks } from '../base/breaks.ts'
import { type GitCall, git, namesIn, runGit } from './git.ts'
import { explain } from './git-error.ts'

export interface ChangedFile {
  /** Below the docs folder. */
  path: string
  change: 'added' | 'modified' | 'deleted'
}

const CHANGES: Readonly<Record<string, ChangedFile['change']>> = { A: 'added', D: 'deleted' }

/** Null when there is no plain file at `path`, or it is larger than `maxBytes`, or not UTF-8 text. Follows no links. */
export async function readCommitFile(
  call: GitCall,
  commit: string,
  path: string,
  maxBytes: number,
): Promise<string | null> {
  if (/(^|\/)\.{0,2}(\/|$)|\0/.test(path)) return null
  const listing = await git(['ls-tree', '-z', '--long', commit, '--', path], call)
  const [, id, size] = /^100\d+ blob ([0-9a-f]+) +(\d+)\t/.exec(listing.toString()) ?? []
  if (!id || Number(size) > maxBytes) return null
  const bytes = await git(['cat-file', 'blob', id], call)
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Files below `docsFolder` that differ between two commits, sorted by path; a moved file is one deleted, one added. */
export async function listChangedFiles(
  call: GitCall,
  docsFolder: string,
  from: string,
  to: string,
): Promise<ChangedFile[]> {
  const below = docsFolder === '' ? [] : [`${docsFolder}/`]
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to, '--', ...below]
  const breaks = createBreaks()
  const files: ChangedFile[] = []
  const skipped = docsFolder === '' ? 0 : docsFolder.length + 1
  let status: string | null = null
  for (const said of namesIn(await git(args, call))) {
    if (status === null) status = said
    else {
      files.push({ path: said.slice(skipped), change: CHANGES[status] ?? 'modified' })
      status = null
    }
    if (breaks.areDue()) await breaks.take()
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Whether `commit` is `tip` or one of its ancestors. Only a mirror with history can tell. */
export async function isContained(
  call: GitCall & { address: string },
  commit: string,
  tip: string,
): Promise<boolean> {
  // A commit that is not here is in no history that is.
  const known = await runGit(['cat-file', '-e', `${commit}^{commit}`], call)
  if (known.code !== 0) return false
  const { code, said } = await runGit(['merge-base', '--is-ancestor', commit, tip], call)
  if (code === 0 || code === 1) return code === 0
  throw explain(call.address, said, 'failed')
}
