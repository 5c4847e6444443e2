/** A FileTree in memory, for tools and tests. */

import { sha256 } from '../hash.ts'
import { type FileEntry, FileMissingError, type FileTree } from './file-tree.ts'
import { contentRevision } from './folder-tree.ts'

/** Creates a tree: `openMemoryTree({ 'docs.json': '{…}', 'index.mdx': '# Hi' })`. Strings are encoded as UTF-8. */
export function openMemoryTree(content: Record<string, string | Uint8Array>): FileTree {
  const bytes = new Map<string, Uint8Array>()
  const files = new Map<string, FileEntry>()
  for (const path of Object.keys(content).sort()) {
    const value = content[path] ?? ''
    const data = typeof value === 'string' ? Buffer.from(value) : value
    bytes.set(path, data)
    files.set(path, { sizeBytes: data.length, digest: sha256(data) })
  }
  return {
    revision: contentRevision(files),
    files,
    refused: [],
    async read(path) {
      const data = bytes.get(path)
      if (!data) throw new FileMissingError(path)
      return data
    },
    async [Symbol.asyncDispose]() {},
  }
}
