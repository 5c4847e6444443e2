/** The changes of a stopped turn, from the commit that they lay on to another one. */
import type { FileTree } from '../../../base/files/file-tree.ts'
import type { ProjectRepository } from '../../../git/project-repository.ts'
import { contentIn } from '../edit/change-files.ts'
import { bytesOf, type Changes, type Content } from '../review/change-content.ts'

export interface CarriedChanges {
  changes: Map<string, Content | null>
  /** Files that others changed meanwhile, otherwise: theirs stays. */
  lost: string[]
  /** Files that both sides changed: in a text both versions stand, with marks around them; of a picture theirs stays. */
  conflicts: string[]
}

/** A file that both have made the same is a change no longer: the branch has it. */
export async function carryChanges(
  from: FileTree,
  to: FileTree,
  kept: Changes,
): Promise<Omit<CarriedChanges, 'conflicts'>> {
  const changes = new Map<string, Content | null>()
  const lost: string[] = []
  for (const [path, content] of kept) {
    if (from.files.get(path)?.digest === to.files.get(path)?.digest) changes.set(path, content)
    else if (!(await isAt(to, path, content))) lost.push(path)
  }
  return { changes, lost }
}

async function isAt(tree: FileTree, path: string, content: Content | null): Promise<boolean> {
  if (content === null || !tree.files.has(path)) return (content === null) === !tree.files.has(path)
  return Buffer.from(await tree.read(path)).equals(bytesOf(content))
}

/** What differs between two commits, as a turn's changes: texts, pictures, and null for what is gone. */
export async function readChanges(
  repository: Pick<ProjectRepository, 'changedFiles' | 'openDocs'>,
  { from, to }: { from: string; to: string },
  signal: AbortSignal,
): Promise<Map<string, Content | null>> {
  const files = await repository.changedFiles(from, to, signal)
  await using tree = await repository.openDocs(to, signal)
  const changes = new Map<string, Content | null>()
  for (const { path, change } of files) {
    if (change === 'deleted') changes.set(path, null)
    else {
      const content = await contentIn(tree, path)
      if (content !== null) changes.set(path, content)
    }
  }
  return changes
}
