/** Applies the changes of one commit to another by comparing three trees, without regard to their history. */

import type { MirrorCall } from '../mirror-objects.ts'
import { treeOf } from '../trees.ts'
import { mergeTrees } from './merge-trees.ts'
import { writeMergeCommit } from './write-commit.ts'

export interface MergeOnto {
  /** Common base of both sides. */
  base: string
  /** Commit to apply the change to. */
  ours: string
  /** Commit with the change. */
  theirs: string
  /** Parents of the resulting commit. */
  parents: readonly string[]
  message: string
  author: { name: string; email: string }
  /** Only whole seconds are used. */
  at: Date
}

export interface MergedOnto {
  /** Unreferenced commit; the same arguments result in the same hash. */
  commit: string
  /** Sorted paths in the repository. Conflicting lines are surrounded by git's conflict markers. */
  conflicts: string[]
  /** False if this version of git cannot write such markers; the commit then has the files of `ours`. */
  hasMarks: boolean
}

/** Applies the change. The three commits must exist. */
export async function mergeOnto(call: MirrorCall, merge: MergeOnto): Promise<MergedOnto> {
  const { base, ours, theirs, ...written } = merge
  const { author, at } = merge
  // Temporary commits represent the three sides, because git determines the common base from history.
  const createStandIn = async (commit: string, parents: readonly string[]) => {
    const tree = await treeOf(call, commit)
    return await writeMergeCommit(call, { tree, parents, message: 'stand-in', author, at })
  }
  const root = await createStandIn(base, [])
  const result = await mergeTrees(
    call,
    await createStandIn(ours, [root]),
    await createStandIn(theirs, [root]),
  )
  const tree = result.tree ?? (await treeOf(call, ours))
  const commit = await writeMergeCommit(call, { ...written, tree })
  return { commit, conflicts: 'conflicts' in result ? result.conflicts : [], hasMarks: result.tree !== null }
}
