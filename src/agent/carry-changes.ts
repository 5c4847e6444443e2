/** The changes of a stopped turn, from the commit that they lay on to another one. */
import type { FileTree } from '../base/file-tree.ts'
import type { ProjectRepository } from '../git/project-repository.ts'
import { MAX_FILE_BYTES, textOf } from './change-files.ts'
import type { Changes } from './workspace.ts'

export interface CarriedChanges {
  changes: Map<string, string | null>
  /** Files that others changed meanwhile, otherwise: theirs stays. */
  lost: string[]
  /** Files in whose text both versions stand, with marks around them. */
  conflicts: string[]
}

/** A file that both have made the same is a change no longer: the branch has it. */
export async function carryChanges(
  from: FileTree,
  to: FileTree,
  kept: Changes,
): Promise<Omit<CarriedChanges, 'conflicts'>> {
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

/** What differs between two commits, as a turn's changes: texts, and null for what is gone. */
export async function readChanges(
  repository: Pick<ProjectRepository, 'changedFiles' | 'openDocs'>,
  { from, to }: { from: string; to: string },
  signal: AbortSignal,
): Promise<Map<string, string | null>> {
  const files = await repository.changedFiles(from, to, signal)
  await using tree = await repository.openDocs(to, signal)
  const changes = new Map<string, string | null>()
  for (const { path, change } of files) {
    if (change === 'deleted') changes.set(path, null)
    else if ((tree.files.get(path)?.sizeBytes ?? 0) <= MAX_FILE_BYTES) {
      const text = textOf(await tree.read(path))
      if (text !== null) changes.set(path, text)
    }
  }
  return changes
}
