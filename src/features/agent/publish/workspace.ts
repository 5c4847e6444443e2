/**
 * The working copy of a job: the docs folder at a commit with the changes on top. It never exists on disk: files are
 * read from git objects and changes are stored as rows. A job can therefore continue on any node, and no program of a
 * repository can ever run.
 */
import type { FileTree } from '../../../base/files/file-tree.ts'
import { FileMissingError } from '../../../base/files/file-tree.ts'
import { sha256 } from '../../../base/hash.ts'
import { type Changes, type Content, contentBytes, contentSize } from '../review/change-content.ts'

export interface FileChange {
  path: string
  change: 'added' | 'modified' | 'deleted'
}

export interface Workspace {
  readonly base: FileTree
  /** Base and changes combined; updates with every change. */
  readonly tree: FileTree
  /** Differences from the base by path below the docs folder; unchanged files are left out. */
  readonly changes: Changes
  /** Patterns of the files that may be changed; empty means no restriction. */
  readonly scope: readonly string[]
  /** Returns the text of a file; rejects with FileMissingError. */
  readText(path: string): Promise<string>
  write(path: string, content: Content): Promise<void>
  delete(path: string): void
  restore(changes: Changes): void
  /** Paths sorted by code unit. */
  changedFiles(): FileChange[]
}

/** `saved` contains the changes of earlier steps. The caller disposes `base`. */
export function openWorkspace(base: FileTree, saved: Changes, scope: readonly string[] = []): Workspace {
  const changes = new Map(saved)
  let files: FileTree['files'] | null = null
  const listFiles = () => {
    files ??= mergeFiles(base, changes)
    return files
  }
  const tree: FileTree = {
    get revision() {
      return `${base.revision}+${sha256(JSON.stringify(digestState(changes)))}`
    },
    get files() {
      return listFiles()
    },
    refused: base.refused,
    async read(path) {
      const changed = changes.get(path)
      if (changed === undefined) return await base.read(path)
      if (changed === null) throw new FileMissingError(path)
      return contentBytes(changed)
    },
    async [Symbol.asyncDispose]() {},
  }
  const setContent = (path: string, content: Content | null) => {
    files = null
    changes.set(path, content)
  }
  return {
    base,
    tree,
    changes,
    scope,
    async readText(path) {
      return Buffer.from(await tree.read(path)).toString('utf8')
    },
    async write(path, content) {
      const before = base.files.has(path) ? Buffer.from(await base.read(path)) : null
      if (before?.equals(contentBytes(content))) {
        files = null
        changes.delete(path)
      } else setContent(path, content)
    },
    delete(path) {
      if (base.files.has(path)) return setContent(path, null)
      files = null
      changes.delete(path)
    },
    restore(wanted) {
      files = null
      changes.clear()
      for (const [path, content] of wanted) changes.set(path, content)
    },
    changedFiles: () =>
      [...changes]
        .map(([path, content]) => ({ path, change: changeKind(base.files.has(path), content !== null) }))
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

export function changeKind(wasThere: boolean, isThere: boolean): FileChange['change'] {
  if (!isThere) return 'deleted'
  return wasThere ? 'modified' : 'added'
}

function digestOf(content: Content): string {
  return typeof content === 'string' ? sha256(content) : content.digest
}

/** Images are compared by their digests, which no text can equal. */
function digestState(changes: Changes) {
  return [...changes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, content]) => [path, typeof content === 'object' ? [content?.digest ?? null] : content])
}

function mergeFiles(base: FileTree, changes: Changes): FileTree['files'] {
  const files = new Map(base.files)
  for (const [path, content] of changes) {
    if (content === null) files.delete(path)
    else files.set(path, { sizeBytes: contentSize(content), digest: digestOf(content) })
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}
