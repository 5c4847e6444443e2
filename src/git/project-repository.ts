/** A project's repository for jobs: reads at a commit, writes commits, pushes branches, compares changes. */

import { PermanentError } from '../base/errors/permanent-error.ts'
import type { FileTree } from '../base/files/file-tree.ts'
import type { PullRequestState } from '../features/agent/operations/agent.ts'
import { openInMirror } from './checkout.ts'
import { type ChangedFile, listChangedFiles, readCommitFiles } from './compare-commits.ts'
import { runGit } from './git.ts'
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
import { type MergeOntoInput, type MergeOntoResult, mergeOnto } from './push/merge-trees.ts'
import { findRemoteTips, pushJobBranch } from './push/push-branch.ts'
import { type NewCommit, writeCommit } from './push/write-commit.ts'

/**
 * Access to a project's repository. Rejects with PermanentError and a message about the source if a retry
 * cannot help; otherwise with GitError or the signal's reason. Commits are full hashes.
 */
export interface ProjectRepository {
  /** Folder, or URL without credentials, for display. */
  readonly address: string
  /** True for a local repository without a forge. */
  readonly isLocal: boolean
  /** Path inside the repository; empty for its root. */
  readonly docsFolder: string
  /**
   * Fetches the branch from which the project is published (the row's ref, else the default or checked-out
   * branch) and returns it with its tip. Rejects a ref that is a tag or commit, because changes need a branch.
   */
  fetchTarget(signal: AbortSignal): Promise<Branch>
  /** Fetches a branch and returns its tip, or null if it does not exist. */
  fetchBranch(name: string, signal: AbortSignal): Promise<string | null>
  /** Like `fetchBranch`, but without fetching. */
  findBranch(name: string, signal: AbortSignal): Promise<string | null>
  /** Opens the docs folder at the commit; the caller disposes the tree. */
  openDocs(commit: string, signal: AbortSignal): Promise<FileTree>
  /**
   * Reads text files anywhere in the repository, by path. Omits files that are missing, larger than `maxBytes`,
   * not regular or not UTF-8. Does not follow symlinks.
   */
  readFiles(
    commit: string,
    paths: readonly string[],
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>
  /** Deterministic: equal arguments result in the same commit on any machine; see `writeCommit`. */
  writeCommit(commit: NewCommit, signal: AbortSignal): Promise<string>
  /**
   * Pushes a branch `octavo/…` if it is at `expected` (null: does not exist) or already at `commit`. The commit
   * must exist on this machine; after a restart, the caller must write it again, which results in the same
   * hash. Rejects with GitError `branch_moved`, `push_refused`, `credentials_refused` or a temporary one; with
   * TypeError for other branches.
   */
  pushBranch(
    push: { branch: string; commit: string; expected: string | null },
    signal: AbortSignal,
  ): Promise<void>
  /** Like `pushBranch`; succeeds if the branch no longer exists. */
  deleteBranch(branch: { branch: string; expected: string }, signal: AbortSignal): Promise<void>
  /** Lists files below the docs folder that differ, sorted by path. */
  changedFiles(from: string, to: string, signal: AbortSignal): Promise<ChangedFile[]>
  /**
   * Applies the changes from `base` to `theirs` on top of `ours`. Conflicts are files below the docs folder.
   * Rejects with GitError for other conflicts, because they cannot be resolved here. The commit exists only on this
   * machine, so another machine must write it again.
   */
  mergeOnto(merge: MergeOntoInput, signal: AbortSignal): Promise<MergeOntoResult>
  /** Only for local repositories: merges a branch and updates a working copy of the target. */
  mergeBranch(merge: Merge, signal: AbortSignal): Promise<MergeResult>
  /** Only for local repositories: returns the state of a branch that was pushed at `commit`. */
  stateOf(
    pushed: { branch: string; commit: string; target: string },
    signal: AbortSignal,
  ): Promise<PullRequestState>
}

/** Fetches nothing before the first call. If the folder is not in a repository, every call rejects. */
export function openProjectRepository(deps: ProjectSourceDeps, row: ProjectSourceRow): ProjectRepository {
  const location = locate(deps, row)
  const openAccess = mirrorAccessFor(deps, row, location)
  return {
    address: row.source_kind === 'git' ? withoutCredentials(row.repository) : row.repository,
    isLocal: row.source_kind === 'folder',
    docsFolder: location instanceof GitError ? '' : location.docsFolder,
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
      const { remoteCall } = await openAccess(signal)
      return (await withPermanentErrors(findRemoteTips(remoteCall, [name]))).get(name) ?? null
    },
    async openDocs(commit, signal) {
      const { mirror, docsFolder, call, lfs } = await openAccess(signal)
      const resolveCommit = () => mirror.ensureCommit(commit, signal).then(() => commit)
      return await withPermanentErrors(openInMirror(mirror, resolveCommit, { ...call, docsFolder, lfs }))
    },
    async readFiles(commit, paths, maxBytes, signal) {
      const { call, withCommits } = await openAccess(signal)
      return await withCommits([commit], () => readCommitFiles(call, commit, paths, maxBytes))
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

/** Returns null for the default branch, or the checked-out branch of a working copy. */
function targetBranch({ ref }: ProjectSourceRow): string | null {
  const name = ref?.replace(/^refs\/heads\//, '') ?? ''
  return name === '' || name === 'HEAD' ? null : name
}

export type MirrorAccess = (signal: AbortSignal) => Promise<ReturnType<typeof openMirrorAccess>>

/** Returns the local mirror with the credentials for its host. Rejects with PermanentError or GitError. */
export function mirrorAccessFor(
  deps: ProjectSourceDeps,
  row: ProjectSourceRow,
  location: RepositoryLocation | GitError = locate(deps, row),
): MirrorAccess {
  return async (signal) => {
    if (location instanceof GitError)
      throw new PermanentError(location.code, location.message, { cause: location })
    if (row.source_kind === 'folder') return openMirrorAccess(deps, row, location, signal)
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
      const write = async () => {
        const merged = await mergeOnto(call, merge)
        conflicts = merged.conflicts
        return merged.commit
      }
      const commit = await withCommits([base, ours, theirs], () => mirror.addCommit(write, signal))
      const below = docsFolder === '' ? '' : `${docsFolder}/`
      const outside = conflicts.find((path) => !path.startsWith(below))
      if (outside !== undefined) {
        const sentence = `Both sides have changed ${outside}, which is not documentation. Someone has to merge them in the repository.`
        throw new GitError('push_refused', sentence)
      }
      return { commit, conflicts: conflicts.map((path) => path.slice(below.length)) }
    },
    async mergeBranch(merge, signal) {
      const { withHistory } = await openAccess(signal)
      return await withHistory((location) => mergeBranch(location, merge))
    },
    async stateOf(pushed, signal) {
      const { remoteCall, withHistory } = await openAccess(signal)
      if (await withPermanentErrors(isOpenOnTarget(remoteCall, pushed))) return 'open'
      return await withPermanentErrors(withHistory((location) => readBranchState(location, pushed)))
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
    /** Runs `work` in the mirror with history. Recreates a damaged mirror and tries again. */
    async withHistory<T>(work: (location: LocalMergeContext) => Promise<T>): Promise<T> {
      if (repository.protocol !== 'file')
        throw new TypeError('changes to this repository are accepted on its forge')
      const full = openMirror({ ...options, history: true })
      const location = { mirror: full, call: { ...call, gitDir: full.gitDir }, remote: repository }
      return await retryOnceIfDamaged(full, signal, () => work(location))
    },
    /** Fetches both commits with their history and returns their last common commit, or null if there is none. */
    async findMergeBase(one: string | null, other: string | null): Promise<string | null> {
      const full = openMirror({ ...options, history: 'folders' })
      const commits = [await full.fetchCommit(one, signal), await full.fetchCommit(other, signal)]
      const { code, output } = await runGit(['merge-base', ...commits], { ...call, gitDir: full.gitDir })
      return code === 0 ? output.toString().trim() : null
    },
    /** Runs `work` with the commits in the mirror. Recreates a damaged mirror and tries again. */
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
