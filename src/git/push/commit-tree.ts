/** The files of a commit as a FileTree, read from git objects without a working copy. */

import type { CommitInfo, FileEntry, FileTree } from '../../base/files/file-tree.ts'
import { FileMissingError } from '../../base/files/file-tree.ts'
import { toStorableText } from '../../base/text/storable.ts'
import { createYielder, type Yielder } from '../../base/text/yielder.ts'
import { type GitCall, git, iterateNames, type MirrorCall } from '../git.ts'
import { GitError } from '../git-error.ts'
import { openObjectReader } from '../object-reader.ts'

const MAX_TITLE_CHARACTERS = 200
const MAX_AUTHOR_CHARACTERS = 100

/** Folders that are never part of a site, at any depth. */
const SKIPPED = new Set(['.git', 'node_modules', '.octavo'])
const MAX_FILES = 200_000
const MAX_FILE_BYTES = 512 << 20
/** Maximum number of visited entries and symlink steps. An entry counts once for each path that leads to it. */
const MAX_VISITED = 500_000
/** Maximum number of followed symlinks to folders, each of which adds the files below its target again. */
const MAX_FOLDER_LINKS = 2000
/** Maximum number of symlinks in a chain; as in operating systems, a longer chain counts as a loop. */
const MAX_LINKS = 40
/** Maximum length of a path in operating systems; a symlink with a longer target is broken. */
const MAX_TARGET_BYTES = 4096
/** Maximum depth of folders, far more than pages need. */
const MAX_DEPTH = 200
/** Maximum number of bytes read from a commit, which begins with its author and title. */
const MAX_COMMIT_HEAD_BYTES = 16_384

type RefusedFile = FileTree['refused'][number]
type TreeNode = Folder | File | Link
interface Folder {
  kind: 'folder'
  parent: Folder | null
  children: Map<string, TreeNode>
}
interface File {
  kind: 'file'
  entry: FileEntry
}
interface Link {
  kind: 'link'
  parent: Folder
  target: string
}

/**
 * Opens the files of `docsFolder` (all files if empty) at `commit`, the full hash of a commit in the
 * repository. Follows symlinks only inside the folder. Rejects with GitError `docs_folder_missing`, `too_large`
 * or `failed`.
 */
export async function openCommitTree(
  options: MirrorCall & { commit: string; docsFolder: string },
): Promise<FileTree> {
  const { commit, docsFolder, address } = options
  const tree = await treeOf(options)
  const listing = await git(['ls-tree', '-r', '-z', '--long', tree], options)
  await using opening = new AsyncDisposableStack()
  const objects = opening.use(openObjectReader(options))
  const refused: RefusedFile[] = []
  const root = await build(listing, refused, objects.read, address)
  const found = new Map<string, FileEntry>()
  const links = new Set<string>()
  const state = { root, found, links, refused, address, visited: 0, folderLinks: 0, breaks: createYielder() }
  await walk(state, root, '', new Set([root]))
  const files = new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
  refused.sort((a, b) => (a.path < b.path ? -1 : 1))
  const commitInfo = readCommit((await objects.read(commit)).subarray(0, MAX_COMMIT_HEAD_BYTES).toString())
  const open = opening.move()
  return {
    revision: commit,
    ...(commitInfo && { commit: commitInfo }),
    files,
    refused,
    links,
    async read(path) {
      const entry = files.get(path)
      if (!entry) throw new FileMissingError(path)
      if (entry.sizeBytes > MAX_FILE_BYTES) {
        const name = docsFolder === '' ? path : `${docsFolder}/${path}`
        throw new GitError('too_large', `The file ${name} is larger than ${MAX_FILE_BYTES >> 20} MiB.`)
      }
      return await objects.read(entry.digest)
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

async function treeOf(options: Parameters<typeof openCommitTree>[0]): Promise<string> {
  const { commit, docsFolder, address, signal } = options
  if (docsFolder === '') return `${commit}^{tree}`
  try {
    // `commit:path` treats everything after the colon as a path, which may also be a file, so a second step
    // checks that it is a folder.
    const parsedName = await revParse(`${commit}:${docsFolder}`, options)
    return await revParse(`${parsedName}^{tree}`, options)
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof GitError) || error.reason !== 'failed') throw error
    const at = `at commit ${commit.slice(0, 10)}`
    throw new GitError('docs_folder_missing', `The repository ${address} has no folder ${docsFolder} ${at}.`)
  }
}

async function revParse(name: string, call: GitCall): Promise<string> {
  return (await git(['rev-parse', '--verify', '--quiet', '--end-of-options', name], call)).toString().trim()
}

/** Builds folders, files and symlinks from the listing. Rejects other entries and unusable names. */
async function build(
  listing: Buffer,
  refused: RefusedFile[],
  read: (id: string) => Promise<Buffer>,
  address: string,
): Promise<Folder> {
  const root: Folder = { kind: 'folder', parent: null, children: new Map() }
  // Reads symlink targets only after the whole listing has been validated.
  const links: { link: Link; id: string }[] = []
  let count = 0
  const breaks = createYielder()
  for (const line of iterateNames(listing)) {
    if (breaks.isDue()) await breaks.yieldNow()
    const [, mode, type, id, size, path] =
      /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-|BAD)\t([\s\S]+)$/.exec(line) ?? []
    if (!mode || !id || !path) continue
    if (size === 'BAD') {
      throw new GitError('failed', `The file ${path} is missing from the copy of the repository ${address}.`)
    }
    if (++count > MAX_FILES) {
      throw new GitError('too_large', `The repository ${address} contains more than ${MAX_FILES} files.`)
    }
    const names = path.split('/', MAX_DEPTH + 2)
    if (names.length > MAX_DEPTH) {
      throw new GitError(
        'too_large',
        `The repository ${address} contains folders nested deeper than ${MAX_DEPTH} levels.`,
      )
    }
    const name = names.pop() ?? ''
    if ([...names, name].some((part) => SKIPPED.has(part))) continue
    // U+FFFD replaces invalid UTF-8. Valid commits contain no names that are empty, `.` or `..`.
    const isUsable = !path.includes('\uFFFD') && ![...names, name].some((part) => /^\.{0,2}$/.test(part))
    const folder = isUsable ? folderAt(root, names) : null
    if (!folder || type !== 'blob') refused.push({ path, reason: 'not_a_file' })
    else if (mode === '120000') {
      const link: Link = { kind: 'link', parent: folder, target: '' }
      folder.children.set(name, link)
      if (Number(size) > MAX_TARGET_BYTES) continue
      links.push({ link, id })
    } else folder.children.set(name, { kind: 'file', entry: { sizeBytes: Number(size), digest: id } })
  }
  await Promise.all(
    links.map(async ({ link, id }) => {
      link.target = (await read(id)).toString('utf8')
    }),
  )
  return root
}

/** Creates the folders of a path. Returns null if a file has the name of one of them. */
function folderAt(root: Folder, names: readonly string[]): Folder | null {
  let folder = root
  for (const name of names) {
    const child = folder.children.get(name)
    if (child && child.kind !== 'folder') return null
    const next: Folder = child ?? { kind: 'folder', parent: folder, children: new Map() }
    folder.children.set(name, next)
    folder = next
  }
  return folder
}

interface Walk {
  root: Folder
  found: Map<string, FileEntry>
  links: Set<string>
  refused: RefusedFile[]
  address: string
  visited: number
  folderLinks: number
  breaks: Yielder
}

/** Visits a folder recursively. Does not follow symlinks to its parents (`above`), which would never end. */
async function walk(state: Walk, folder: Folder, path: string, above: Set<Folder>): Promise<void> {
  for (const [name, child] of folder.children) {
    if (state.breaks.isDue()) await state.breaks.yieldNow()
    visit(state)
    const childPath = path === '' ? name : `${path}/${name}`
    const parsedName = child.kind === 'link' ? follow(state, child) : child
    if (child.kind === 'link') state.links.add(childPath)
    if (typeof parsedName === 'string') state.refused.push({ path: childPath, reason: parsedName })
    else if (parsedName.kind === 'file') state.found.set(childPath, parsedName.entry)
    else if (above.has(parsedName) || above.size > MAX_DEPTH) {
      state.refused.push({ path: childPath, reason: 'symlink_broken' })
    } else {
      if (child.kind === 'link' && ++state.folderLinks > MAX_FOLDER_LINKS) throw tooManyLinks(state.address)
      above.add(parsedName)
      await walk(state, parsedName, childPath, above)
      above.delete(parsedName)
    }
    if (state.found.size > MAX_FILES) {
      throw new GitError(
        'too_large',
        `The repository ${state.address} contains more than ${MAX_FILES} files.`,
      )
    }
  }
}

function visit(state: Walk): void {
  if (++state.visited > MAX_VISITED) throw tooManyLinks(state.address)
}

/** Limits symlinks, because forty folders, each with two symlinks to the next one, contain 10^12 paths. */
function tooManyLinks(address: string): GitError {
  return new GitError(
    'too_large',
    `The repository ${address} contains a cycle of symbolic links. Remove links to folders that contain links to folders.`,
  )
}

/** Resolves a symlink through further symlinks. As on a disk, `..` is relative to the target of the symlink. */
function follow(state: Walk, link: Link): Folder | File | RefusedFile['reason'] {
  const { root } = state
  if (link.target.startsWith('/')) return 'symlink_outside'
  // Reversed, so that the next step is last.
  const steps = link.target.split('/').reverse()
  let at: Folder | File = link.parent
  let links = 1
  while (steps.length > 0) {
    const step = steps.pop() ?? ''
    visit(state)
    if (step === '' || step === '.') continue
    if (at.kind === 'file') return 'symlink_broken'
    if (step === '..') {
      if (at === root || at.parent === null) return 'symlink_outside'
      at = at.parent
      continue
    }
    const next = at.children.get(step)
    if (!next) return SKIPPED.has(step) ? 'symlink_outside' : 'symlink_broken'
    if (next.kind !== 'link') at = next
    else {
      if (++links > MAX_LINKS) return 'symlink_broken'
      if (next.target.startsWith('/')) return 'symlink_outside'
      steps.push(...next.target.split('/').reverse())
    }
  }
  return at
}

/** Returns null for an invalid commit. Omits the author's email address, because lists are widely visible. */
function readCommit(text: string): CommitInfo | null {
  const end = text.indexOf('\n\n')
  const head = (end < 0 ? text : text.slice(0, end)).split('\n')
  const author = readPerson(head, 'author ')
  const committer = readPerson(head, 'committer ') ?? author
  if (author === null || committer === null) return null
  const message = end < 0 ? '' : text.slice(end + 2).trimStart()
  const title = message.split('\n', 1)[0] ?? ''
  return {
    title: truncate(title, MAX_TITLE_CHARACTERS),
    author: truncate(author.name, MAX_AUTHOR_CHARACTERS),
    committedAt: committer.at,
  }
}

/** Parses a line such as `author Ada Lovelace <ada@example.com> 1763888400 +0000`. */
function readPerson(head: readonly string[], key: string): { name: string; at: Date } | null {
  const line = head.find((one) => one.startsWith(key))
  if (line === undefined) return null
  const mail = line.indexOf(' <')
  const seconds = Number(
    line
      .slice(line.lastIndexOf('>') + 1)
      .trim()
      .split(' ', 1)[0],
  )
  // Commits can contain any year, but PostgreSQL and JavaScript support different ranges.
  const isTime = Number.isFinite(seconds) && Math.abs(seconds) < 32_503_680_000
  return {
    name: line.slice(key.length, mail < 0 ? undefined : mail),
    at: new Date(isTime ? seconds * 1000 : 0),
  }
}

function truncate(text: string, maxCharacters: number): string {
  const line = toStorableText(text)
    .replace(/\p{Cc}/gu, ' ')
    .trim()
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1).trimEnd()}…` : line
}
