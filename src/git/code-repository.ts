/**
 * A code repository of a project, read by agent jobs: files at a commit, and differences between two commits.
 */

import type { FileTree } from '../base/files/file-tree.ts'
import { createYielder } from '../base/text/yielder.ts'
import { openInMirror } from './checkout.ts'
import { type GitCall, git, iterateNames } from './git.ts'
import { GitError } from './git-error.ts'
import { mirrorAccessFor } from './project-repository.ts'
import { type ProjectSourceDeps, type ProjectSourceRow, withPermanentErrors } from './project-source.ts'

/** Rejects like ProjectRepository. Commits are full hashes. */
export interface CodeRepository {
  checkRef(signal: AbortSignal): Promise<void>
  /** Fetches the current commit of the row's ref, or of `ref`: a branch, a tag or a full commit hash. */
  fetchCommit(ref: string | null, signal: AbortSignal): Promise<string>
  /** Returns the last common commit of the row's ref and `ref`, or null if there is none. */
  findMergeBase(ref: string, signal: AbortSignal): Promise<string | null>
  openFiles(commit: string, signal: AbortSignal): Promise<FileTree>
  /** Returns up to `limit` matching files that differ, sorted by path, and their total number. */
  listDifferences(selection: FileSelection, limit: number, signal: AbortSignal): Promise<Differences>
  readPatch(commits: Commits, paths: readonly string[], signal: AbortSignal): Promise<string>
  /** Returns up to `limit` tag names, newest version first. */
  listTags(limit: number, signal: AbortSignal): Promise<string[]>
}

export interface Commits {
  from: string
  to: string
}

export interface FileSelection extends Commits {
  /** File or folder relative to the row's folder; empty selects all files. */
  path: string
  isIn(path: string): boolean
}

export interface Differences {
  total: number
  files: { path: string; added: number | null; removed: number | null }[]
}

/** Maximum size of a patch; larger diffs must be requested in parts. */
const MAX_PATCH_BYTES = 4 << 20
const MAX_LIST_BYTES = 32 << 20
const DIFF_TIMEOUT_MS = 30_000
const TAGS_TIMEOUT_MS = 20_000
const DIFF_ARGUMENTS = ['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color']

export function openCodeRepository(given: ProjectSourceDeps, row: ProjectSourceRow): CodeRepository {
  // Only the default branch of the docs repository is recorded.
  const { onDefaultBranch: _, ...deps } = given
  const openAccess = mirrorAccessFor(deps, row)
  const diff = async (args: readonly string[], { from, to }: Commits, paths: string[], call: GitCall) => {
    const below = paths.length === 0 ? [] : ['--', ...paths]
    return await git([...DIFF_ARGUMENTS, ...args, from, to, ...below], {
      ...call,
      timeoutMs: DIFF_TIMEOUT_MS,
    })
  }
  return {
    async checkRef(signal) {
      const { mirror } = await openAccess(signal)
      await withPermanentErrors(mirror.checkRef(row.ref, signal))
    },
    async fetchCommit(ref, signal) {
      const { mirror } = await openAccess(signal)
      return await withPermanentErrors(mirror.fetchCommit(ref ?? row.ref, signal))
    },
    async findMergeBase(ref, signal) {
      const { findMergeBase } = await openAccess(signal)
      return await withPermanentErrors(findMergeBase(row.ref, ref))
    },
    async openFiles(commit, signal) {
      const { mirror, docsFolder, call } = await openAccess(signal)
      const resolveCommit = () => mirror.ensureCommit(commit, signal).then(() => commit)
      return await withPermanentErrors(openInMirror(mirror, resolveCommit, { ...call, docsFolder }))
    },
    async listDifferences(selection, limit, signal) {
      const { docsFolder, call, withCommits } = await openAccess(signal)
      const selectedPath = [docsFolder, selection.path].filter(Boolean).join('/')
      const bounded = { ...call, maxOutputBytes: MAX_LIST_BYTES }
      const output = await withCommits([selection.from, selection.to], () =>
        diff(['--numstat', '-z'], selection, selectedPath === '' ? [] : [selectedPath], bounded),
      )
      return await differencesIn(output, docsFolder, selection, limit)
    },
    async readPatch(commits, paths, signal) {
      if (paths.length === 0) return ''
      const { docsFolder, call, withCommits } = await openAccess(signal)
      const fullPaths = paths.map((path) => [docsFolder, path].filter(Boolean).join('/'))
      const relative = docsFolder === '' ? [] : [`--relative=${docsFolder}/`]
      const bounded = { ...call, maxOutputBytes: MAX_PATCH_BYTES }
      const patch = await withCommits([commits.from, commits.to], () =>
        diff(['--patch', ...relative], commits, fullPaths, bounded),
      )
      return patch.toString('utf8')
    },
    async listTags(limit, signal) {
      const { gitDir: _, ...remoteCall } = (await openAccess(signal)).remoteCall // A local copy may not exist yet.
      const { address } = remoteCall
      const args = ['ls-remote', '--quiet', '--tags', '--refs', '--sort=-version:refname', '--', address]
      const output = await git(args, { ...remoteCall, timeoutMs: TAGS_TIMEOUT_MS })
      return [...output.toString('utf8').matchAll(/\trefs\/tags\/(.+)/g)]
        .slice(0, limit)
        .map(([, name = '']) => name)
    },
  }
}

/** Parses `12\t3\tpath` entries terminated by NUL; `-` marks binary files. */
async function differencesIn(
  output: Buffer,
  folder: string,
  { isIn }: FileSelection,
  limit: number,
): Promise<Differences> {
  const skipped = folder === '' ? 0 : folder.length + 1
  const files: Differences['files'] = []
  const yielder = createYielder()
  let total = 0
  for (const line of iterateNames(output)) {
    if (yielder.isDue()) await yielder.yieldNow()
    const [, added, removed, whole] = /^(\d+|-)\t(\d+|-)\t([\s\S]+)$/.exec(line) ?? []
    const path = whole?.slice(skipped)
    if (path === undefined || !isIn(path)) continue
    total += 1
    if (files.length < limit) files.push({ path, added: parseCount(added), removed: parseCount(removed) })
  }
  return { total, files }
}

function parseCount(text = '-'): number | null {
  return text === '-' ? null : Number(text)
}

export function isTooLarge(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof GitError && cause.reason === 'too_large'
}
