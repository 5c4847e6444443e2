/** Joins several file trees, each in a separate folder, so that one process can read them. */
import { FileMissingError, type FileTree } from './file-tree.ts'

export interface TreePart {
  /** Folder of the tree, with a slash at the end. No folder contains another. */
  prefix: string
  tree: FileTree
  /** Folder of the tree to leave out, or null. */
  without: string | null
}

/** Disposing the joined tree disposes all parts. */
export function joinTrees(parts: readonly TreePart[], revision: string): FileTree {
  const sorted = parts.toSorted((a, b) => (a.prefix < b.prefix ? -1 : 1))
  const files = new Map(
    sorted.flatMap(({ prefix, tree, without }) =>
      [...tree.files]
        .filter(([path]) => without === null || !path.startsWith(`${without}/`))
        .map(([path, entry]) => [prefix + path, entry] as const),
    ),
  )
  return {
    revision,
    files,
    refused: [],
    async read(path) {
      const part = files.has(path) && sorted.find(({ prefix }) => path.startsWith(prefix))
      if (!part) throw new FileMissingError(path)
      return await part.tree.read(path.slice(part.prefix.length))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(parts.map(({ tree }) => tree[Symbol.asyncDispose]()))
    },
  }
}

export function subtree(
  tree: Pick<FileTree, 'files' | 'read'>,
  prefix: string,
): Pick<FileTree, 'files' | 'read'> {
  const paths = [...tree.files].filter(([path]) => path.startsWith(prefix))
  return {
    files: new Map(paths.map(([path, entry]) => [path.slice(prefix.length), entry])),
    read: (path) => tree.read(prefix + path),
  }
}
