/**
 * Writes commits without an index or working copy. The hash depends only on the arguments, so that repeating
 * a job on another machine or after a crash results in the same commit.
 */
import { listEntries, type TreeEntry } from '../compare-commits.ts'
import { git, type MirrorCall } from '../git.ts'
import { GitError } from '../git-error.ts'
import type { CommitSigner } from './sign-commit.ts'

export interface NewCommit {
  parent: string
  /** Parents of the commit instead of `parent`. In this case, `parent` only supplies the unchanged files. */
  parents?: readonly string[]
  /** Text or bytes by path below the docs folder; null deletes a file. */
  changes: Changes
  message: string
  author: { name: string; email: string }
  /** Commit date; milliseconds are dropped. */
  at: Date
  sign?: CommitSigner | undefined
}

type Changes = ReadonlyMap<string, string | Buffer | null>

/** Temporary ref to the last imported commit. The lock of the mirror must be held. */
const IMPORT_REF = 'refs/octavo/imported'
const FILE_MODE = '100644'
const FILE_MODES = new Set([FILE_MODE, '100755', '100664'])

/**
 * Writes a commit to which no ref points, and returns its hash. A changed file keeps its mode. Rejects with
 * GitError `path_refused` if a path is a folder, is or traverses a symlink or submodule, or has a segment that
 * starts with `.git`.
 */
export async function writeCommit(
  call: MirrorCall,
  docsFolder: string,
  { parent, parents = [parent], changes: changesBelow, ...written }: NewCommit,
): Promise<string> {
  for (const path of changesBelow.keys()) requireWritable(path)
  const below = docsFolder === '' ? '' : `${docsFolder}/`
  const changes: Changes = new Map([...changesBelow].map(([path, content]) => [below + path, content]))
  const entries = await listEntries(call, parent, [...new Set([...changes.keys()].flatMap(listPathPrefixes))])
  for (const path of changes.keys()) await requireReplaceable(call, parent, path, { changes, entries })
  const input = formatImport(parent, changes, (path) => modeOf(entries.get(path)))
  await git(['fast-import', '--quiet', '--force', '--done'], { ...call, input })
  return await writeMergeCommit(call, { tree: `${IMPORT_REF}^{tree}`, parents, ...written })
}

/** Writes a commit with any parents. `tree` is a git revision, such as `<commit>^{tree}`. */
export async function writeMergeCommit(
  call: MirrorCall,
  {
    tree,
    parents,
    message,
    author,
    at,
    sign,
  }: Omit<NewCommit, 'parent' | 'changes'> & { tree: string; parents: readonly string[] },
): Promise<string> {
  const args = ['commit-tree', tree, ...[...new Set(parents)].flatMap((parent) => ['-p', parent])]
  const input = message.replaceAll('\0', '')
  const commit = parseHash(await git(args, { ...call, input, identity: { ...author, at } }))
  return sign === undefined ? commit : await signCommit(call, commit, sign)
}

async function signCommit(call: MirrorCall, commit: string, sign: CommitSigner): Promise<string> {
  const bytes = await git(['cat-file', 'commit', commit], call)
  const end = bytes.indexOf('\n\n')
  const signature = `\ngpgsig ${sign(bytes).replaceAll('\n', '\n ')}`
  const input = Buffer.concat([bytes.subarray(0, end), Buffer.from(signature), bytes.subarray(end)])
  return parseHash(await git(['hash-object', '-t', 'commit', '-w', '--stdin'], { ...call, input }))
}

function parseHash(output: Buffer): string {
  return output.toString().trim()
}

/** Formats a commit with the changed files for `git fast-import`; only its tree is used. */
function formatImport(parent: string, changes: Changes, modeOf: (path: string) => string): Buffer {
  const parts = [
    `commit ${IMPORT_REF}\ncommitter octavo <octavo@localhost> 0 +0000\ndata 0\nfrom ${parent}\n`,
  ]
  const name = (path: string) => `"${path.replace(/["\\]/g, '\\$&')}"`
  // Deletions come first, because a file may replace a folder or the reverse.
  for (const [path, content] of changes) if (content === null) parts.push(`D ${name(path)}\n`)
  const files = [...changes].flatMap(([path, content]) => {
    if (content === null) return []
    const bytes = Buffer.from(content)
    const head = `M ${modeOf(path)} inline ${name(path)}\ndata ${bytes.length}\n`
    return [Buffer.from(head), bytes, Buffer.from('\n')]
  })
  return Buffer.concat([Buffer.from(parts.join('')), ...files, Buffer.from('done\n')])
}

function listPathPrefixes(path: string): string[] {
  const names = path.split('/')
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

function modeOf(entry: TreeEntry | undefined): string {
  return entry !== undefined && FILE_MODES.has(entry.mode) ? entry.mode : FILE_MODE
}

async function requireReplaceable(
  call: MirrorCall,
  parent: string,
  path: string,
  { changes, entries }: { changes: Changes; entries: ReadonlyMap<string, TreeEntry> },
): Promise<void> {
  for (const above of listPathPrefixes(path).slice(0, -1)) {
    const entry = entries.get(above)
    if (entry !== undefined && entry.type !== 'tree' && changes.get(above) !== null)
      throw pathRefusedError(above, 'it is not a folder of this repository')
  }
  const entry = entries.get(path)
  if (entry === undefined || FILE_MODES.has(entry.mode)) return
  if (entry.type !== 'tree')
    throw pathRefusedError(path, `it is a ${entry.type === 'commit' ? 'submodule' : 'link'}`)
  const inside = await listEntries(call, parent, [`${path}/`], ['-r'])
  const isEmptied = [...inside].every(([name, { type }]) => type === 'tree' || changes.get(name) === null)
  if (changes.get(path) === null || !isEmptied) throw pathRefusedError(path, 'it is a folder')
}

/** Rejects names that are special to git, forges or file systems: `.git`, `.github`, `git~1`, … */
function requireWritable(path: string): void {
  const parts = path.split('/')
  const isPlain = parts.every(
    (part) =>
      !/^\.{0,2}$/.test(part) &&
      !/[\p{Cc}\\]/u.test(part) &&
      !/^(\.git|git~\d)/i.test(part.replace(/\p{Cf}/gu, '')) &&
      part.isWellFormed(),
  )
  if (!isPlain) throw pathRefusedError(path, 'changes to docs cannot use this name')
}

function pathRefusedError(path: string, reason: string): GitError {
  return new GitError('path_refused', `The file ${path} cannot be changed: ${reason}.`)
}
