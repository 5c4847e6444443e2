/** Detects Git LFS pointers: small text files that replace the actual files in the repository. */

import type { Problem } from '../base/errors/problem.ts'
import type { FileTree } from '../base/files/file-tree.ts'
import { MAX_POINTER_BYTES, readPointer } from '../base/files/lfs-pointer.ts'
import { readTextFile } from './text.ts'

/** Maximum number of small files examined; a site has few. */
const MAX_FILES = 5000

export async function reportPointers(
  problems: Problem[],
  tree: FileTree,
  files: Iterable<string>,
): Promise<string[]> {
  const isSmall = (file: string) =>
    (tree.files.get(file)?.sizeBytes ?? Number.POSITIVE_INFINITY) <= MAX_POINTER_BYTES
  const pointers: string[] = []
  for (const file of [...files].filter(isSmall).slice(0, MAX_FILES)) {
    const problem = pointerProblem(file, await readTextFile(tree, file), tree.unfetched?.get(file))
    if (problem === null) continue
    pointers.push(file)
    problems.push(problem)
  }
  return pointers
}

export function pointerProblem(file: string, text: string, reason?: string): Problem | null {
  const pointer = readPointer(text)
  if (pointer === null) return null
  const size = pointer.sizeBytes.toLocaleString('en')
  return {
    file,
    line: null,
    code: 'file.lfs_pointer',
    level: 'warning',
    message: `This is a Git LFS pointer instead of the actual file (${size} bytes), so readers get the pointer.${reason ? ` ${reason}` : ''}`,
    remedy: reason
      ? 'Fix the cause, or store the file directly in the repository (git lfs untrack).'
      : 'Enable Git LFS in the project settings, run git lfs pull before building, or store the file directly in the repository (git lfs untrack).',
  }
}
