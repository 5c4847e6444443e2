/**
 * Accepts a change in a local repository: merges its branch into the target with a merge commit.
 *
 *   the branch does not exist             `branch_missing`
 *   the target contains it                merged, by an earlier attempt or by a person
 *   the two conflict                      `conflict`; nothing was changed
 *   otherwise                             a merge commit is written, and pushed if the target has not moved:
 *     the target has moved meanwhile      start again, a few times
 *     the working copy contains           an attempt was interrupted there: only the target moves
 *     exactly the files of the merge
 *     other changes are in the way        `push_refused`; nothing was changed
 *
 * Git updates the working copy before it moves the branch, so two concurrent merges could leave the files of one with
 * the branch of the other. A lock allows one merge at a time.
 */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { acquireFileLock } from '../../base/files/file-lock.ts'
import type { PullRequestState } from '../../features/agent/operations/agent.ts'
import { isReachableFrom } from '../compare-commits.ts'
import { type GitCall, git, runGit } from '../git.ts'
import { GitError, toGitError } from '../git-error.ts'
import { type Mirror, nullIfBranchMissing } from '../mirror.ts'
import type { MirrorCall } from '../mirror-objects.ts'
import type { Repository } from '../repository.ts'
import { parentsOf, treeOf } from '../trees.ts'
import { isWorkingCopyAt } from './local-receiver.ts'
import { mergeTrees } from './merge-trees.ts'
import { updateRemoteBranch } from './push-branch.ts'
import type { CommitSigner } from './sign-commit.ts'
import { writeMergeCommit } from './write-commit.ts'

export interface Merge {
  branch: string
  target: string
  message: string
  /** Only whole seconds are used. */
  at: Date
  /** Required commit of the branch, if known, so that exactly what was reviewed is accepted. */
  expected?: string
  sign?: CommitSigner | undefined
}

export type MergeResult =
  | { kind: 'merged'; commit: string }
  /** Paths in the repository. */
  | { kind: 'conflict'; files: string[] }
  | { kind: 'branch_missing' }

export interface LocalMergeContext {
  /** Mirror with history. */
  mirror: Mirror
  call: MirrorCall & { signal: AbortSignal }
  remote: Repository
}

const AUTHOR = { name: 'Octavo', email: 'octavo@localhost' }
const MAX_ATTEMPTS = 5

/**
 * Merges a branch. Rejects with GitError `branch_moved` (also for the target), `push_refused`, or a temporary one.
 */
export async function mergeBranch(context: LocalMergeContext, merge: Merge): Promise<MergeResult> {
  const { gitDir, signal } = context.call
  await mkdir(dirname(gitDir), { recursive: true })
  await using _lock = await acquireFileLock(`${gitDir}.merge.lock`, signal)
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const result = await mergeOnce(context, merge)
    if (result !== 'target_moved') return result
  }
  throw new GitError(
    'branch_moved',
    `The branch ${merge.target} is being changed by someone else: accept again.`,
  )
}

interface PushedBranch {
  branch: string
  commit: string
  target: string
}

/**
 * Returns whether the branch is still at the commit and the target at one of its parents: then it is open, which can
 * be determined without history. Also returns false if the mirror cannot tell.
 */
export async function isOpenOnTarget(
  { mirror, call }: Pick<LocalMergeContext, 'mirror' | 'call'>,
  { branch, commit, target }: PushedBranch,
): Promise<boolean> {
  const { signal } = call
  if ((await nullIfBranchMissing(mirror.findBranch(branch, signal))) !== commit) return false
  const targetTip = await nullIfBranchMissing(mirror.findBranch(target, signal))
  if (targetTip === null) return false
  const parents = await parentsOf(call, commit).catch((error: unknown): string[] => {
    if (error instanceof GitError && error.reason === 'failed') return []
    throw error
  })
  return parents.includes(targetTip)
}

/**
 * Returns `merged` if the target contains `commit`, even if its branch is gone; `closed` if it does not and the
 * branch is gone; otherwise `open`.
 */
export async function readBranchState(
  { mirror, call }: LocalMergeContext,
  { branch, commit, target }: PushedBranch,
): Promise<PullRequestState> {
  const tip = await nullIfBranchMissing(mirror.findBranch(branch, call.signal))
  const targetTip = await fetchTip(mirror, target, call.signal)
  if (targetTip !== null && (await isReachableFrom(call, commit, targetTip))) return 'merged'
  return tip === null ? 'closed' : 'open'
}

async function mergeOnce(context: LocalMergeContext, merge: Merge): Promise<MergeResult | 'target_moved'> {
  const { mirror, call } = context
  const { branch, target, message, at, expected, sign } = merge
  const tip = await fetchTip(mirror, branch, call.signal)
  if (tip === null) return { kind: 'branch_missing' }
  if (expected !== undefined && tip !== expected) {
    throw new GitError('branch_moved', `The branch ${branch} was changed by someone else meanwhile.`)
  }
  const { commit: targetTip } = await mirror.fetchBranch(target, call.signal)
  if (await isReachableFrom(call, tip, targetTip)) {
    return { kind: 'merged', commit: await findMergeCommit(call, tip, targetTip) }
  }
  await requireCommonCommit(call, target, targetTip, branch, tip)
  const merged = await mirror.addCommit(async () => {
    const result = await mergeTrees(call, targetTip, tip)
    if ('conflicts' in result) return result
    const parents = [targetTip, tip] as const
    return await writeMergeCommit(call, { tree: result.tree, parents, message, author: AUTHOR, at, sign })
  }, call.signal)
  if (typeof merged !== 'string') return { kind: 'conflict', files: merged.conflicts }
  const isMoved = await updateTarget(context, target, targetTip, merged)
  return isMoved ? { kind: 'merged', commit: merged } : 'target_moved'
}

async function fetchTip(mirror: Mirror, branch: string, signal: AbortSignal): Promise<string | null> {
  return (await nullIfBranchMissing(mirror.fetchBranch(branch, signal)))?.commit ?? null
}

/** Returns the merge commit that brought `tip` into the target, or the tip itself after a fast-forward. */
async function findMergeCommit(call: GitCall, tip: string, targetTip: string): Promise<string> {
  const args = ['rev-list', '--merges', '--parents', '--ancestry-path', `${tip}..${targetTip}`]
  for (const line of (await git(args, call)).toString().split('\n')) {
    const [merge, _target, ...merged] = line.split(' ')
    if (merge && merged.includes(tip)) return merge
  }
  return tip
}

async function requireCommonCommit(
  call: LocalMergeContext['call'],
  target: string,
  targetTip: string,
  branch: string,
  tip: string,
): Promise<void> {
  const { code, stderr: said } = await runGit(['merge-base', targetTip, tip], call)
  if (code === 0) return
  if (said !== '') throw toGitError(call.address, said, 'failed')
  const sentence = `The branches ${target} and ${branch} of ${call.address} have no commit in common.`
  throw new GitError('push_refused', sentence)
}

/** Returns false if the target has moved. */
async function updateTarget(
  { call, remote }: LocalMergeContext,
  target: string,
  from: string,
  to: string,
): Promise<boolean> {
  // Not aborted by the signal, because the working copy and the branch are updated one after the other.
  const { signal: _, ...unending } = call
  const pushCall = { ...unending, remote }
  const move = { branch: target, expected: from, commit: to }
  try {
    await updateRemoteBranch(pushCall, move).catch(async (error: unknown) => {
      if (!hasWorkingCopyConflict(error)) throw error
      const tree = await treeOf(call, to)
      if (!(await isWorkingCopyAt(pushCall, target, tree))) throw error
      await updateRemoteBranch(pushCall, { ...move, keepWorkingCopy: true })
    })
    return true
  } catch (error) {
    if (error instanceof GitError && error.reason === 'branch_moved') return false
    if (!hasWorkingCopyConflict(error)) throw error
    const sentence = `The branch ${target} is checked out in ${call.address}, and changes there that are not committed are in the way: commit them or put them aside, then accept again.`
    throw new GitError('push_refused', sentence, error.detail)
  }
}

/** Returns whether git refused to update the working copy. */
function hasWorkingCopyConflict(error: unknown): error is GitError {
  return (
    error instanceof GitError &&
    error.reason === 'push_refused' &&
    /working (directory|tree)/i.test(error.message)
  )
}
