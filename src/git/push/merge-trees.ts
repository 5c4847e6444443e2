/** Merges two branches, or three unrelated trees, without a working copy. */

import { type MirrorCall, runGit } from '../git.ts'
import { toGitError } from '../git-error.ts'
import { writeMergeCommit } from './write-commit.ts'

export interface MergeOntoInput {
  base: string
  ours: string
  theirs: string
  parents: readonly string[]
  message: string
  author: { name: string; email: string }
  /** Commit date; milliseconds are dropped. */
  at: Date
}

export interface MergeOntoResult {
  /** Not referenced by a branch. The same arguments result in the same hash. */
  commit: string
  /** Sorted paths in the repository. The files contain git's conflict markers. */
  conflicts: string[]
}

/** Applies the change between `base` and `theirs` to `ours`. The three commits must exist. */
export async function mergeOnto(call: MirrorCall, merge: MergeOntoInput): Promise<MergeOntoResult> {
  const { base, ours, theirs, ...written } = merge
  const { author, at } = merge
  // Temporary commits with a common parent, because git determines the base of a merge from history.
  const createStandIn = (commit: string, parents: readonly string[]) =>
    writeMergeCommit(call, { tree: `${commit}^{tree}`, parents, message: 'stand-in', author, at })
  const root = await createStandIn(base, [])
  const { tree, conflicts } = await mergeTrees(
    call,
    await createStandIn(ours, [root]),
    await createStandIn(theirs, [root]),
  )
  return { commit: await writeMergeCommit(call, { ...written, tree }), conflicts }
}

interface MergedTree {
  /** Conflicting files contain git's conflict markers. */
  tree: string
  conflicts: string[]
}

/** Merges two commits. Their history must exist in the mirror. */
export async function mergeTrees(call: MirrorCall, ours: string, theirs: string): Promise<MergedTree> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs]
  const { code, output, stderr: said } = await runGit(args, call)
  if (code !== 0 && code !== 1) throw toGitError(call.address, said, 'failed')
  const [tree = '', ...files] = output.toString().split('\0')
  const conflicts = code === 0 ? [] : [...new Set(files.filter(Boolean))]
  return { tree, conflicts: conflicts.sort((a, b) => (a < b ? -1 : 1)) }
}
