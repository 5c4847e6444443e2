/** A project's repository for jobs: reads at a commit, writes commits, pushes branches, compares changes. */

import { PermanentError } from '../base/errors/permanent-error.ts'
import type { FileTree } from '../base/files/file-tree.ts'
import type { PullRequestState } from '../features/agent/operations/agent.ts'
import { openInMirror } from './checkout.ts'
import { type ChangedFile, listChangedFiles, readCommitFile } from './compare-commits.ts'
import { GitError, withoutCredentials } from './git-error.ts'
import { type Branch, type Mirror, nullIfBranchMissing, openMirror } from './mirror.ts'
import {
  findCredentials,
  locateRepository,
  type ProjectSourceDeps,
  type ProjectSourceRow,
  withPermanentErrors,
} from './project-source.ts'
import {
  isOpenOnTarget,
  type LocalMergeContext,
  type Merge,
  type MergeResult,
  mergeBranch,
  readBranchState,
} from './push/merge-branch.ts'
import { type MergedOnto, type MergeOnto, mergeOnto } from './push/merge-onto.ts'
import { pushJobBranch } from './push/push-branch.ts'
import { type NewCommit, writeCommit } from './push/write-commit.ts'

/**
 * Access to a project's repository. Rejects with PermanentError, with a sentence about the source, if a retry cannot
 * help; otherwise with GitError or the signal's reason. Commits are given by their full hashes.
 */
export interface ProjectRepository {
  /** URL without credentials, or the folder, for display. */
  readonly address: string
  /** A local repository without a forge. */
  readonly isLocal: boolean
  /** Path inside the repository; '' for its root. */
  readonly docsFolder: string
  /**
   * Fetches the branch from which the project is published (the row's ref, else the default or checked-out branch)
   * and returns it with its tip. Rejects a ref that is a tag or a commit, because changes need a branch.
   */
  fetchTarget(signal: AbortSignal): Promise<Branch>
  /** Fetches a branch and returns its tip, or null if it does not exist. */
  fetchBranch(name: string, signal: AbortSignal): Promise<string | null>
  /** Like fetchBranch, without fetching. */
  findBranch(name: string, signal: AbortSignal): Promise<string | null>
  /** Opens the docs folder at the commit; the caller disposes it. */
  openDocs(commit: string, signal: AbortSignal): Promise<FileTree>
  /**
   * Reads a text file anywhere in the repository. Returns null if it is missing, larger than `maxBytes`, not a
   * regular file or not UTF-8 text. Does not follow symlinks.
   */
  readFile(commit: string, path: string, maxBytes: number, signal: AbortSignal): Promise<string | null>
  /** Deterministic: the same arguments result in the same commit on any machine; see `writeCommit`. */
  writeCommit(commit: NewCommit, signal: AbortSignal): Promise<string>
  /**
   * Pushes a branch `octavo/…` if it is at `expected` (null: does not exist), or already at `commit`. The commit must
   * exist on this machine; after a restart, write it again first, which results in the same hash. Rejects with
   * GitError `branch_moved`, `push_refused`, `credentials_refused` or a temporary one; with TypeError for other
   * branches.
   */
  pushBranch(
    push: { branch: string; commit: string; expected: string | null },
    signal: AbortSignal,
  ): Promise<void>
  /** Like pushBranch; succeeds if the branch no longer exists. */
  deleteBranch(branch: { branch: string; expected: string }, signal: AbortSignal): Promise<void>
  /** Lists files below the docs folder that differ, sorted by path. */
  changedFiles(from: string, to: string, signal: AbortSignal): Promise<ChangedFile[]>
  /**
   * Applies the changes from `base` to `theirs` on top of `ours`. Conflicts are files below the docs folder;
   * conflicts outside of it reject with GitError, because they cannot be resolved here. On another machine, the
   * commit must be written again.
   */
  mergeOnto(merge: MergeOnto, signal: AbortSignal): Promise<MergedOnto>
  /** Local only: accepts a branch; see `mergeBranch`. Also updates a working copy of the target. */
  mergeBranch(merge: Merge, signal: AbortSignal): Promise<MergeResult>
  /** Local only: returns the state of a branch that was pushed at `commit`. */
  stateOf(
    pushed: { branch: string; commit: string; target: string },
    signal: AbortSignal,
  ): Promise<PullRequestState>
}

/** Nothing is fetched before the first call. If the folder is not in a repository, every call rejects. */
export function openProjectRepository(deps: ProjectSourceDeps, row: ProjectSourceRow): ProjectRepository {
  const place = locate(deps, row)
  const openAccess = mirrorAccessFor(deps, row, place)
  return {
    address: row.source_kind === 'git' ? withoutCredentials(row.repository) : row.repository,
    isLocal: row.source_kind === 'folder',
    docsFolder: place instanceof GitError ? '' : place.docsFolder,
    async fetchTarget(signal) {
      const { mirror } = await openAccess(signal)
      return await withPermanentErrors(mirror.fetchBranch(targetBranch(row), signal))
    },
    async fetchBranch(name, signal) {
      const { mirror } = await openAccess(signal)
      const found = await withPermanentErrors(nullIfBranchMissing(mirror.fetchBranch(name, signal)))
      return found?.commit ?? null
    },
    async findBranch(name, signal) {
      const { mirror } = await openAccess(signal)
      return await withPermanentErrors(nullIfBranchMissing(mirror.findBranch(name, signal)))
    },
    async openDocs(commit, signal) {
      const { mirror, docsFolder, call, lfs } = await openAccess(signal)
      const resolveCommit = () => mirror.ensureCommit(commit, signal).then(() => commit)
      return await withPermanentErrors(openInMirror(mirror, resolveCommit, { ...call, docsFolder, lfs }))
    },
    async readFile(commit, path, maxBytes, signal) {
      const { call, withCommits } = await openAccess(signal)
      return await withCommits([commit], () => readCommitFile(call, commit, path, maxBytes))
    },
    async writeCommit(commit, signal) {
      const { mirror, docsFolder, call, withCommits } = await openAccess(signal)
      return await withCommits([commit.parent], () =>
        mirror.addCommit(() => writeCommit(call, docsFolder, commit), signal),
      )
    },
    async pushBranch(push, signal) {
      const { remoteCall } = await openAccess(signal)
      await pushJobBranch(remoteCall, push)
    },
    async deleteBranch(branch, signal) {
      const { remoteCall } = await openAccess(signal)
      await pushJobBranch(remoteCall, { ...branch, commit: null })
    },
    async changedFiles(from, to, signal) {
      const { docsFolder, call, withCommits } = await openAccess(signal)
      return await withCommits([from, to], () => listChangedFiles(call, docsFolder, from, to))
    },
    ...createMergeOperations(openAccess),
  }
}

/** Returns the name of the target branch; null for the default branch, or the one that is checked out. */
function targetBranch({ ref }: ProjectSourceRow): string | null {
  const name = ref?.replace(/^refs\/heads\//, '') ?? ''
  return name === '' || name === 'HEAD' ? null : name
}

export type MirrorAccess = (signal: AbortSignal) => Promise<ReturnType<typeof openMirrorAccess>>

/** Returns the local mirror with the credentials for its host. Rejects with PermanentError or GitError. */
export function mirrorAccessFor(
  deps: ProjectSourceDeps,
  row: ProjectSourceRow,
  place: RepositoryLocation | GitError = locate(deps, row),
): MirrorAccess {
  return async (signal) => {
    if (place instanceof GitError) throw new PermanentError(place.code, place.message, { cause: place })
    if (row.source_kind === 'folder') return openMirrorAccess(deps, row, place, signal)
    const credentials = await withPermanentErrors(findCredentials(deps, row, signal))
    return openMirrorAccess(deps, row, locateRepository(deps, row, credentials), signal)
  }
}

function createMergeOperations(
  openAccess: MirrorAccess,
): Pick<ProjectRepository, 'mergeOnto' | 'mergeBranch' | 'stateOf'> {
  return {
    async mergeOnto(merge, signal) {
      const { mirror, docsFolder, call, withCommits } = await openAccess(signal)
      const { base, ours, theirs } = merge
      let conflicts: string[] = []
      let hasMarks = true
      const write = async () => {
        const merged = await mergeOnto(call, merge)
        conflicts = merged.conflicts
        hasMarks = merged.hasMarks
        return merged.commit
      }
      const commit = await withCommits([base, ours, theirs], () => mirror.addCommit(write, signal))
      const below = docsFolder === '' ? '' : `${docsFolder}/`
      const outside = conflicts.find((path) => !path.startsWith(below))
      if (outside !== undefined) {
        const sentence = `Both sides have changed ${outside}, which is not documentation: somebody must bring the two together in the repository.`
        throw new GitError('push_refused', sentence)
      }
      return { commit, hasMarks, conflicts: conflicts.map((path) => path.slice(below.length)) }
    },
    async mergeBranch(merge, signal) {
      const { withHistory } = await openAccess(signal)
      return await withHistory((place) => mergeBranch(place, merge))
    },
    async stateOf(pushed, signal) {
      const { mirror, call, withHistory } = await openAccess(signal)
      if (await withPermanentErrors(isOpenOnTarget({ mirror, call }, pushed))) return 'open'
      return await withPermanentErrors(withHistory((place) => readBranchState(place, pushed)))
    },
  }
}

type RepositoryLocation = ReturnType<typeof locateRepository>

function locate(deps: ProjectSourceDeps, row: ProjectSourceRow): RepositoryLocation | GitError {
  try {
    return locateRepository(deps, row)
  } catch (error) {
    if (error instanceof GitError) return error
    throw error
  }
}

function openMirrorAccess(
  { mirrorsFolder, settings, onDefaultBranch }: ProjectSourceDeps,
  row: ProjectSourceRow,
  { repository, docsFolder }: RepositoryLocation,
  signal: AbortSignal,
) {
  const options = {
    folder: mirrorsFolder,
    projectId: row.id,
    repository,
    settings,
    onDefaultBranch: (branch: string) => onDefaultBranch?.(row, branch),
  }
  const mirror = openMirror(options)
  const call = { gitDir: mirror.gitDir, address: repository.address, settings, signal }
  return {
    mirror,
    docsFolder,
    call,
    remoteCall: { ...call, remote: repository },
    lfs: row.fetches_lfs ? repository : null,
    /** Runs `work` in the mirror with history. If that is damaged, recreates it and tries once more. */
    async withHistory<T>(work: (place: LocalMergeContext) => Promise<T>): Promise<T> {
      if (repository.protocol !== 'file') throw new TypeError('changes to it are accepted at its forge')
      const full = openMirror({ ...options, history: true })
      const place = { mirror: full, call: { ...call, gitDir: full.gitDir }, remote: repository }
      return await retryOnceIfDamaged(full, signal, () => work(place))
    },
    /** Runs `work` with the commits in the mirror. If that is damaged, recreates it and tries once more. */
    async withCommits<T>(commits: readonly string[], work: () => Promise<T>): Promise<T> {
      const attempt = async () => {
        await Promise.all(commits.map((commit) => mirror.ensureCommit(commit, signal)))
        return await work()
      }
      return await withPermanentErrors(retryOnceIfDamaged(mirror, signal, attempt))
    },
  }
}

async function retryOnceIfDamaged<T>(
  mirror: Mirror,
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof GitError && error.reason === 'failed') || signal.aborted) throw error
    await mirror.markDamaged()
    return await attempt()
  }
}
