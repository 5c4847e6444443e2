/** Files that Git LFS keeps elsewhere: what the repository has in their place is a few lines of text. */
import type { FileTree } from '../base/file-tree.ts'
import type { Problem } from '../contract/problem.ts'
import { readTextFile } from './text.ts'

/** As LFS bounds its pointers. */
export const MOST_POINTER_BYTES = 1024
const POINTER =
  /^version https:\/\/(?:git-lfs\.github\.com\/spec|hawser\.github\.com\/spec)\/v\d+\r?\n(?:[a-z0-9.-]+ [^\r\n]+\r?\n)*?oid sha256:[0-9a-f]{64}\r?\n(?:[a-z0-9.-]+ [^\r\n]+\r?\n)*?size (\d+)\r?\n/
/** Small files that are looked at; a site has few. */
const MOST_FILES = 5000

/** A warning for each of the files that is one; their paths. */
export async function reportPointers(
  problems: Problem[],
  tree: FileTree,
  files: Iterable<string>,
): Promise<string[]> {
  const isSmall = (file: string) =>
    (tree.files.get(file)?.sizeBytes ?? Number.POSITIVE_INFINITY) <= MOST_POINTER_BYTES
  const pointers: string[] = []
  for (const file of [...files].filter(isSmall).slice(0, MOST_FILES)) {
    const problem = pointerProblem(file, await readTextFile(tree, file))
    if (problem === null) continue
    pointers.push(file)
    problems.push(problem)
  }
  return pointers
}

export function pointerProblem(file: string, text: string): Problem | null {
  const size = text.length > MOST_POINTER_BYTES ? undefined : POINTER.exec(text)?.[1]
  if (size === undefined) return null
  return {
    file,
    line: null,
    code: 'file.lfs_pointer',
    level: 'warning',
    message: `This is a pointer of Git LFS in place of a file of ${Number(size).toLocaleString('en')} bytes; readers get the pointer.`,
    remedy:
      'Fetch the file before building (git lfs pull), or put it into the repository itself (git lfs untrack).',
  }
}
