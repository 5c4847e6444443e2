/**
 * Accepts a change in a local repository: merges its branch into the target with a merge commit.
 *
 *   the branch does not exist             `branch_missing`
 *   the target contains it                merged, by an earlier attempt or by a user
 *   the two conflict                      `conflict`; nothing was changed
 *   otherwise                             a merge commit is written, and pushed if the target has not moved:
 *     the target has moved meanwhile      start again, a few times
 *     the working copy contains           an attempt was interrupted there: only the target moves
 *     exactly the files of the merge
 *     other changes are in the way        `push_refused`; nothing was changed
 *
 * Git updates the working copy before it moves the branch, so two concurrent merges could result in the files
 * of one and the branch of the other. A lock therefore allows only one merge at a time.
 */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { acquireFileLock } from '../../base/files/file-lock.ts'
import type { PullRequestState } from '../../features/agent/operations/agent.ts'
import { isReachableFrom } from '../compare-commits.ts'
import { type GitCall, git, type MirrorCall, runGit } from '../git.ts'
import { GitError, toGitError } from '../git-error.ts'
import { type Mirror, nullIfBranchMissing } from '../mirror.ts'
import type { Repository } from '../repository.ts'
import { isWorkingCopyAt } from './local-receiver.ts'
import { mergeTrees } from './merge-trees.ts'
import { findRemoteTips, type RemoteCall, updateRemoteBranch } from './push-branch.ts'
import type { CommitSigner } from './sign-commit.ts'
import { writeMergeCommit } from './write-commit.ts'

export interface Merge {
  branch: string
  target: string
  message: string
  /** Commit date; milliseconds are dropped. */
  at: Date
  /** Expected commit of the branch, so that a change pushed after the review is not merged. */
  expected?: string
  sign?: CommitSigner | undefined
}

export type MergeResult =
  | { kind: 'merged'; commit: string }
  /** Conflicting paths, relative to the root of the repository. */
  | { kind: 'conflict'; files: string[] }
  | { kind: 'branch_missing' }

export interface LocalMergeContext {
  /** Mirror with the full history. */
  mirror: Mirror
  call: MirrorCall & { signal: AbortSignal }
  remote: Repository
}

const AUTHOR = { name: 'Octavo', email: 'octavo@localhost' }
const MAX_ATTEMPTS = 5

/**
 * Merges a branch. Rejects with GitError `branch_moved` (for the branch or the target), `push_refused`, or a
 * temporary error.
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
    `The branch ${merge.target} is being changed by someone else. Accept again.`,
  )
}

interface PushedBranch {
  branch: string
  commit: string
  target: string
}

/**
 * Returns true if the branch is still at the commit and the target is at one of the commit's parents. This proves that
 * the branch is open, without reading the history. Returns false if it may not be open, or if there is no mirror.
 */
export async function isOpenOnTarget(
  call: RemoteCall & MirrorCall,
  { branch, commit, target }: PushedBranch,
): Promise<boolean> {
  const tips = await findRemoteTips(call, [branch, target])
  const targetTip = tips.get(target)
  if (tips.get(branch) !== commit || targetTip === undefined) return false
  if ((await stat(call.gitDir).catch(() => null)) === null) return false
  const { output } = await runGit(['cat-file', 'commit', commit], call)
  const [head = ''] = output.toString('latin1').split('\n\n', 1)
  return head.split('\n').includes(`parent ${targetTip}`)
}

/**
 * Returns `merged` if the target contains `commit`, even if the branch was deleted; `closed` if the branch
 * was deleted without a merge; otherwise `open`.
 */
export async function readBranchState(
  { mirror, call, remote }: LocalMergeContext,
  { branch, commit, target }: PushedBranch,
): Promise<PullRequestState> {
  const isThere = (await findRemoteTips({ ...call, remote }, [branch])).has(branch)
  const targetTip = await fetchTip(mirror, target, call.signal)
  if (targetTip !== null && (await isReachableFrom(call, commit, targetTip))) return 'merged'
  return isThere ? 'open' : 'closed'
}

async function mergeOnce(context: LocalMergeContext, merge: Merge): Promise<MergeResult | 'target_moved'> {
  const { mirror, call } = context
  const { branch, target, message, at, expected, sign } = merge
  const tip = await fetchTip(mirror, branch, call.signal)
  if (tip === null) return { kind: 'branch_missing' }
  if (expected !== undefined && tip !== expected) {
    throw new GitError('branch_moved', `The branch ${branch} was changed by someone else in the meantime.`)
  }
  const { commit: targetTip } = await mirror.fetchBranch(target, call.signal)
  if (await isReachableFrom(call, tip, targetTip)) {
    return { kind: 'merged', commit: await findMergeCommit(call, tip, targetTip) }
  }
  await requireCommonCommit(call, target, targetTip, branch, tip)
  const merged = await mirror.addCommit(async () => {
    const result = await mergeTrees(call, targetTip, tip)
    if (result.conflicts.length > 0) return result
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

/** Returns the merge commit that merged `tip` into the target, or the tip itself after a fast-forward. */
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

/** Returns false if the target has moved meanwhile. */
async function updateTarget(
  { call, remote }: LocalMergeContext,
  target: string,
  from: string,
  to: string,
): Promise<boolean> {
  // The signal is left out, because an abort between the two updates would leave the working copy behind the
  // branch.
  const { signal: _, ...unending } = call
  const pushCall = { ...unending, remote }
  const move = { branch: target, expected: from, commit: to }
  try {
    await updateRemoteBranch(pushCall, move).catch(async (error: unknown) => {
      if (!hasWorkingCopyConflict(error)) throw error
      const tree = await git(['rev-parse', `${to}^{tree}`], call)
      if (!(await isWorkingCopyAt(pushCall, target, tree.toString().trim()))) throw error
      await updateRemoteBranch(pushCall, { ...move, keepWorkingCopy: true })
    })
    return true
  } catch (error) {
    if (error instanceof GitError && error.reason === 'branch_moved') return false
    if (!hasWorkingCopyConflict(error)) throw error
    const sentence = `The branch ${target} is checked out in ${call.address}, and uncommitted changes there prevent the merge. Commit or stash them, then accept again.`
    throw new GitError('push_refused', sentence, error.detail)
  }
}

function hasWorkingCopyConflict(error: unknown): error is GitError {
  return (
    error instanceof GitError &&
    error.reason === 'push_refused' &&
    /working (directory|tree)/i.test(error.message)
  )
}
