/** The repository of a project as jobs see it: read at a commit, a commit written, a branch pushed, changes compared. */

import { PermanentError } from '../base/errors/permanent-error.ts'
import type { FileTree } from '../base/files/file-tree.ts'
import type { PullRequestState } from '../features/agent/operations/agent.ts'
import { openInMirror } from './checkout.ts'
import { type ChangedFile, listChangedFiles, readCommitFile } from './compare-commits.ts'
import { GitError, withoutCredentials } from './git-error.ts'
import { type Branch, type Mirror, openMirror, unlessMissing } from './mirror.ts'
import {
  findCredentials,
  type ProjectSourceDeps,
  type ProjectSourceRow,
  repositoryPlace,
  sayingWhatIsFinal,
} from './project-source.ts'
import {
  type LocalPlace,
  liesOnTarget,
  type Merge,
  type MergeResult,
  mergeBranch,
  stateOfBranch,
} from './push/merge-branch.ts'
import { type MergedOnto, type MergeOnto, mergeOnto } from './push/merge-onto.ts'
import { moveOwnBranch } from './push/push-branch.ts'
import { type NewCommit, writeCommit } from './push/write-commit.ts'

/**
 * Rejects with PermanentError, a sentence about the source, where trying again cannot help; otherwise with GitError, or
 * the signal's reason. Commits are named by their full names.
 */
export interface ProjectRepository {
  /** Shown to people: address without credentials, or the folder. */
  readonly address: string
  /** A repository of this machine, without a forge. */
  readonly isLocal: boolean
  /** Inside the repository; '' for its root. */
  readonly docsFolder: string
  /**
   * The branch that the project is published from (the row's ref, else the default or checked-out branch) and its tip,
   * fetched. A ref that is a tag or a commit is refused: changes need a branch.
   */
  fetchTarget(signal: AbortSignal): Promise<Branch>
  /** Tip of a branch, fetched; null when there is none. */
  fetchBranch(name: string, signal: AbortSignal): Promise<string | null>
  /** As fetchBranch, without fetching anything. */
  findBranch(name: string, signal: AbortSignal): Promise<string | null>
  /** The docs folder at the commit; the caller disposes it. */
  openDocs(commit: string, signal: AbortSignal): Promise<FileTree>
  /**
   * A text file anywhere in the repository, at most `maxBytes`; null when absent, not a plain file, not UTF-8 text, or
   * larger. Links are not followed.
   */
  readFile(commit: string, path: string, maxBytes: number, signal: AbortSignal): Promise<string | null>
  /** Same arguments, same commit, wherever it is written; see `writeCommit`. */
  writeCommit(commit: NewCommit, signal: AbortSignal): Promise<string>
  /**
   * Pushes a branch `octavo/…` if it stands at `expected` (null: does not exist), or at `commit` already. The commit must
   * be on this machine: after a restart it is written again first, which gives the same one. Rejects with GitError
   * `branch_moved`, `push_refused`, `credentials_refused` or a temporary one; TypeError for any other branch.
   */
  pushBranch(
    push: { branch: string; commit: string; expected: string | null },
    signal: AbortSignal,
  ): Promise<void>
  /** As pushBranch; a branch that is gone is fine. */
  deleteBranch(branch: { branch: string; expected: string }, signal: AbortSignal): Promise<void>
  /** Files below the docs folder that differ, sorted by path. */
  changedFiles(from: string, to: string, signal: AbortSignal): Promise<ChangedFile[]>
  /**
   * What `theirs` changed since `base`, on top of `ours`. Conflicts are files below the docs folder; one outside of it
   * is refused with a GitError, for nobody here may put it right. The commit must be made anew on another machine.
   */
  mergeOnto(merge: MergeOnto, signal: AbortSignal): Promise<MergedOnto>
  /** Local only: accepts a branch; see `mergeBranch`. A working copy of the target goes along. */
  mergeBranch(merge: Merge, signal: AbortSignal): Promise<MergeResult>
  /** Local only: what became of a branch that was pushed at `commit`. */
  stateOf(
    pushed: { branch: string; commit: string; target: string },
    signal: AbortSignal,
  ): Promise<PullRequestState>
}

/** Nothing is fetched before the first call; a folder that lies in no repository is refused by each of them. */
export function openProjectRepository(deps: ProjectSourceDeps, row: ProjectSourceRow): ProjectRepository {
  const place = locate(deps, row)
  const use = useOf(deps, row, place)
  return {
    address: row.source_kind === 'git' ? withoutCredentials(row.repository) : row.repository,
    isLocal: row.source_kind === 'folder',
    docsFolder: place instanceof GitError ? '' : place.docsFolder,
    async fetchTarget(signal) {
      const { mirror } = await use(signal)
      return await sayingWhatIsFinal(mirror.fetchBranch(targetOf(row), signal))
    },
    async fetchBranch(name, signal) {
      const { mirror } = await use(signal)
      const found = await sayingWhatIsFinal(unlessMissing(mirror.fetchBranch(name, signal)))
      return found?.commit ?? null
    },
    async findBranch(name, signal) {
      const { mirror } = await use(signal)
      return await sayingWhatIsFinal(unlessMissing(mirror.findBranch(name, signal)))
    },
    async openDocs(commit, signal) {
      const { mirror, docsFolder, call, lfs } = await use(signal)
      const bring = () => mirror.ensureCommit(commit, signal).then(() => commit)
      return await sayingWhatIsFinal(openInMirror(mirror, bring, { ...call, docsFolder, lfs }))
    },
    async readFile(commit, path, maxBytes, signal) {
      const { call, withCommits } = await use(signal)
      return await withCommits([commit], () => readCommitFile(call, commit, path, maxBytes))
    },
    async writeCommit(commit, signal) {
      const { mirror, docsFolder, call, withCommits } = await use(signal)
      return await withCommits([commit.parent], () =>
        mirror.addCommit(() => writeCommit(call, docsFolder, commit), signal),
      )
    },
    async pushBranch(push, signal) {
      const { remoteCall } = await use(signal)
      await moveOwnBranch(remoteCall, push)
    },
    async deleteBranch(branch, signal) {
      const { remoteCall } = await use(signal)
      await moveOwnBranch(remoteCall, { ...branch, commit: null })
    },
    async changedFiles(from, to, signal) {
      const { docsFolder, call, withCommits } = await use(signal)
      return await withCommits([from, to], () => listChangedFiles(call, docsFolder, from, to))
    },
    ...mergesOf(use),
  }
}

/** Null for the default branch, or the one that is checked out. */
function targetOf({ ref }: ProjectSourceRow): string | null {
  const name = ref?.replace(/^refs\/heads\//, '') ?? ''
  return name === '' || name === 'HEAD' ? null : name
}

export type Use = (signal: AbortSignal) => Promise<ReturnType<typeof openPlace>>

/** The copy of the repository that is kept here, with what is shown at its host. Rejects with PermanentError or GitError. */
export function useOf(
  deps: ProjectSourceDeps,
  row: ProjectSourceRow,
  place: Place | GitError = locate(deps, row),
): Use {
  return async (signal) => {
    if (place instanceof GitError) throw new PermanentError(place.code, place.message, { cause: place })
    if (row.source_kind === 'folder') return openPlace(deps, row, place, signal)
    const credentials = await sayingWhatIsFinal(findCredentials(deps, row, signal))
    return openPlace(deps, row, repositoryPlace(deps, row, credentials), signal)
  }
}

function mergesOf(use: Use): Pick<ProjectRepository, 'mergeOnto' | 'mergeBranch' | 'stateOf'> {
  return {
    async mergeOnto(merge, signal) {
      const { mirror, docsFolder, call, withCommits } = await use(signal)
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
      const { withHistory } = await use(signal)
      return await withHistory((place) => mergeBranch(place, merge))
    },
    async stateOf(pushed, signal) {
      const { mirror, call, withHistory } = await use(signal)
      if (await sayingWhatIsFinal(liesOnTarget({ mirror, call }, pushed))) return 'open'
      return await sayingWhatIsFinal(withHistory((place) => stateOfBranch(place, pushed)))
    },
  }
}

type Place = ReturnType<typeof repositoryPlace>

function locate(deps: ProjectSourceDeps, row: ProjectSourceRow): Place | GitError {
  try {
    return repositoryPlace(deps, row)
  } catch (error) {
    if (error instanceof GitError) return error
    throw error
  }
}

function openPlace(
  { mirrorsFolder, settings, onDefaultBranch }: ProjectSourceDeps,
  row: ProjectSourceRow,
  { repository, docsFolder }: Place,
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
    /** In the mirror with history; when that turns out to be damaged, once more after it was made anew. */
    async withHistory<T>(work: (place: LocalPlace) => Promise<T>): Promise<T> {
      if (repository.protocol !== 'file') throw new TypeError('changes to it are accepted at its forge')
      const full = openMirror({ ...options, history: true })
      const place = { mirror: full, call: { ...call, gitDir: full.gitDir }, remote: repository }
      return await twice(full, signal, () => work(place))
    },
    /** With the commits in the mirror; when that turns out to be damaged, once more after it was made anew. */
    async withCommits<T>(commits: readonly string[], work: () => Promise<T>): Promise<T> {
      const attempt = async () => {
        await Promise.all(commits.map((commit) => mirror.ensureCommit(commit, signal)))
        return await work()
      }
      return await sayingWhatIsFinal(twice(mirror, signal, attempt))
    },
  }
}

async function twice<T>(mirror: Mirror, signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof GitError && error.reason === 'failed') || signal.aborted) throw error
    await mirror.distrust()
    return await attempt()
  }
}
