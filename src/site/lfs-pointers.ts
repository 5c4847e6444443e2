/** Detects Git LFS pointers: small text files that replace the actual files in the repository. */

import type { Problem } from '../base/errors/problem.ts'
import type { FileTree } from '../base/files/file-tree.ts'
import { MAX_POINTER_BYTES, readPointer } from '../base/files/lfs-pointer.ts'
import { readTextFile } from './text.ts'

/** Maximum number of small files examined; a site has few. */
const MAX_FILES = 5000

/** Reports a warning for each pointer; returns the paths. */
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
    message: `This is a pointer of Git LFS in place of a file of ${size} bytes; readers get the pointer.${reason ? ` ${reason}` : ''}`,
    remedy: reason
      ? 'Mend what keeps the file from being fetched, or put it into the repository itself (git lfs untrack).'
      : 'Switch on Git LFS in the settings of the project, fetch the file before building (git lfs pull), or put it into the repository itself (git lfs untrack).',
  }
}
