/** The changes of a stopped turn, from the commit that they lay on to another one. */
import type { FileTree } from '../base/file-tree.ts'
import type { Changes } from './workspace.ts'

export interface CarriedChanges {
  changes: Map<string, string | null>
  /** Files that others changed meanwhile, otherwise: theirs stays. */
  lost: string[]
}

/** A file that both have made the same is a change no longer: the branch has it. */
export async function carryChanges(from: FileTree, to: FileTree, kept: Changes): Promise<CarriedChanges> {
  const changes = new Map<string, string | null>()
  const lost: string[] = []
  for (const [path, text] of kept) {
    if (from.files.get(path)?.digest === to.files.get(path)?.digest) changes.set(path, text)
    else if (!(await isAt(to, path, text))) lost.push(path)
  }
  return { changes, lost }
}

async function isAt(tree: FileTree, path: string, text: string | null): Promise<boolean> {
  if (text === null || !tree.files.has(path)) return (text === null) === !tree.files.has(path)
  return Buffer.from(await tree.read(path)).equals(Buffer.from(text))
}
