/** Reads the lines of a docs file around a problem. Reads nothing outside the folder. */
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { PermanentError } from '../base/errors/permanent-error.ts'
import type { SourceLines } from '../features/projects/operations/projects.ts'
import { ForgeError } from './forges/forge.ts'
import { type ForgeKind, findForgeKind, parseForgeAddress } from './forges/forge-location.ts'
import { GitError } from './git-error.ts'
import { openProjectRepository } from './project-repository.ts'
import { COMMAND_LINE_FOLDER_RULES, type ProjectSourceDeps, type ProjectSourceRow } from './project-source.ts'
import { isFolderWithin, openSourceFolder } from './source-folder.ts'

export interface SourceLocation {
  /** Commit or content hash that was rendered; null for the current state. */
  revision: string | null
  /** Path below the docs folder. */
  file: string
  line: number
}

export const CONTEXT_LINES = 12
export const MAX_FILE_BYTES = 4 << 20
export const MAX_LINE_CHARACTERS = 500
const COMMIT = /^[0-9a-f]{40}$|^[0-9a-f]{64}$/
const SHOWN_FILES = /\.(mdx?|json5?|jsonc|ya?ml|jsx?|tsx?|mjs|css|html?|svg|txt|csv|toml)$/i
/** Paths that are never shown, because they are not part of a site. */
const HIDDEN_PATHS = /(^|\/)(\.|node_modules(\/|$))/

/**
 * Reads lines of a file. Returns null if it does not exist or may not be shown. Rejects with GitError if the
 * repository is unavailable.
 */
export async function readSourceLines(
  deps: ProjectSourceDeps,
  row: ProjectSourceRow,
  { revision, file, line }: SourceLocation,
  signal: AbortSignal,
): Promise<SourceLines | null> {
  if (!isShown(file)) return null
  const commit = revision !== null && COMMIT.test(revision) ? revision : null
  const text =
    commit === null
      ? await readFolderFile(deps, row, file)
      : await readCommitFile(deps, row, commit, file, signal)
  if (text === null) return null
  const all = text.split(/\r\n|\n|\r/)
  if (all.at(-1) === '') all.pop()
  const middle = Math.min(line, Math.max(1, all.length))
  const first = Math.max(1, middle - CONTEXT_LINES)
  return {
    file,
    line: middle,
    revision: commit,
    url: commit === null ? null : forgeUrl(row, commit, file, middle),
    lines: all.slice(first - 1, middle + CONTEXT_LINES).map((content, index) => ({
      number: first + index,
      text: content.slice(0, MAX_LINE_CHARACTERS),
      isCut: content.length > MAX_LINE_CHARACTERS,
    })),
    totalLines: all.length,
  }
}

function isShown(file: string): boolean {
  const parts = file.split('/')
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..')
  return isPlain && !/[\\\p{Cc}]/u.test(file) && SHOWN_FILES.test(file) && !HIDDEN_PATHS.test(file)
}

async function readCommitFile(
  deps: ProjectSourceDeps,
  row: ProjectSourceRow,
  commit: string,
  file: string,
  signal: AbortSignal,
): Promise<string | null> {
  const repository = openProjectRepository(deps, row)
  const path = [repository.docsFolder, file].filter(Boolean).join('/')
  try {
    return (await repository.readFiles(commit, [path], MAX_FILE_BYTES, signal)).get(path) ?? null
  } catch (error) {
    if (error instanceof PermanentError) return null // The commit no longer exists, or the source has changed.
    throw error
  }
}

/** Reads the current file of a folder without commits. Follows symlinks to files inside the folder only. */
async function readFolderFile(
  { folders = COMMAND_LINE_FOLDER_RULES }: ProjectSourceDeps,
  row: ProjectSourceRow,
  file: string,
): Promise<string | null> {
  if (row.source_kind !== 'folder') return null
  try {
    const source = await realpath(openSourceFolder(folders, row).path)
    const root = await realpath(join(source, row.docs_folder))
    const realFile = await realpath(join(root, file))
    if (!isFolderWithin(root, source) || !isFolderWithin(realFile, root) || realFile === root) return null
    if (!isShown(realFile.slice(root.length).split(sep).filter(Boolean).join('/'))) return null
    return await readBounded(realFile)
  } catch (error) {
    if (error instanceof GitError) return null // The folder may no longer be an allowed source.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'ELOOP') return null
    throw error
  }
}

/** Reads a regular file. Opens it without blocking, because the path could be a named pipe. */
async function readBounded(realFile: string): Promise<string | null> {
  await using handle = await open(realFile, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  const found = await handle.stat()
  if (!found.isFile() || found.size > MAX_FILE_BYTES) return null
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(found.size), 0, found.size, 0) // The file may have grown since its size was read.
  const bytes = buffer.subarray(0, bytesRead)
  return bytes.includes(0) ? null : bytes.toString('utf8')
}

function forgeUrl(row: ProjectSourceRow, commit: string, file: string, line: number): string | null {
  const path = [row.docs_folder, file].filter(Boolean).join('/')
  return linesUrl(row, { commit, path, first: line, last: line })
}

/** Returns the URL of lines of a file, given its path in the repository; null if the forge is unknown. */
export function linesUrl(
  row: SourceRepository,
  { commit, path, first, last }: { commit: string; path: string; first: number; last: number },
): string | null {
  const at = `${commit}/${path.split('/').map(encodeURIComponent).join('/')}`
  const to = (separator: string) => (first === last ? first : `${first}${separator}${last}`)
  return buildForgeUrl(row, {
    github: `blob/${at}#L${to('-L')}`,
    gitlab: `-/blob/${at}#L${to('-')}`,
    gitea: `src/commit/${at}#L${to('-L')}`,
    bitbucket: `src/${at}#lines-${to(':')}`,
  })
}

/** Returns the URL of a commit; null for a folder, or if the forge is unknown. */
export function commitUrl(row: SourceRepository, revision: string | null): string | null {
  if (revision === null || !COMMIT.test(revision)) return null
  return buildForgeUrl(row, {
    github: `commit/${revision}`,
    gitlab: `-/commit/${revision}`,
    gitea: `commit/${revision}`,
    bitbucket: `commits/${revision}`,
  })
}

type SourceRepository = Pick<ProjectSourceRow, 'source_kind' | 'repository'>

function buildForgeUrl(row: SourceRepository, views: Record<ForgeKind, string>): string | null {
  if (row.source_kind !== 'git') return null
  try {
    const { host, names } = parseForgeAddress(row.repository, { hosts: [], allowHttp: true })
    const kind = findForgeKind(host, {})
    return kind === undefined
      ? null
      : `https://${host}/${names.map(encodeURIComponent).join('/')}/${views[kind]}`
  } catch (error) {
    if (error instanceof ForgeError) return null
    throw error
  }
}
