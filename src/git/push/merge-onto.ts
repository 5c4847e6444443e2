/**
 * What one commit changed, brought onto another: three folders of files are compared, whatever history the commits have,
 * so that a mirror without history can do it.
 */

import type { MirrorCall } from '../mirror-objects.ts'
import { treeOf } from '../trees.ts'
import { mergeTrees } from './merge-trees.ts'
import { writeMergeCommit } from './write-commit.ts'

export interface MergeOnto {
  /** What both sides come from. */
  base: string
  /** Where the change is brought to. */
  ours: string
  /** The change. */
  theirs: string
  /** Of the commit that comes out. */
  parents: readonly string[]
  message: string
  author: { name: string; email: string }
  /** Whole seconds count. */
  at: Date
}

export interface MergedOnto {
  /** Nothing refers to it. The same arguments give the same one. */
  commit: string
  /** Paths in the repository, sorted. Where both sides changed the same lines, the text has the marks of git around them. */
  conflicts: string[]
  /** False where this git cannot write such marks: the commit then has the files of `ours`. */
  hasMarks: boolean
}

/** The three commits must be there. */
export async function mergeOnto(call: MirrorCall, merge: MergeOnto): Promise<MergedOnto> {
  const { base, ours, theirs, ...written } = merge
  const { author, at } = merge
  // Commits of our own stand for the three, since git takes what both sides come from out of their history.
  const stand = async (commit: string, parents: readonly string[]) => {
    const tree = await treeOf(call, commit)
    return await writeMergeCommit(call, { tree, parents, message: 'stand-in', author, at })
  }
  const root = await stand(base, [])
  const result = await mergeTrees(call, await stand(ours, [root]), await stand(theirs, [root]))
  const tree = result.tree ?? (await treeOf(call, ours))
  const commit = await writeMergeCommit(call, { ...written, tree })
  return { commit, conflicts: 'conflicts' in result ? result.conflicts : [], hasMarks: result.tree !== null }
}
