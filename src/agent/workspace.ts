/**
 * The job's working copy: the docs folder at a commit, with the changes on top of it. It lies nowhere on a disk: the
 * files are read from git's objects, the changes are rows, so that a job goes on anywhere and no program of a
 * repository can ever run.
 */
import type { FileTree } from '../base/file-tree.ts'
import { FileMissingError } from '../base/file-tree.ts'
import { sha256 } from '../base/hash.ts'

/** Text of a file that was written; null for one that was deleted. */
export type Changes = ReadonlyMap<string, string | null>

export interface FileChange {
  path: string
  change: 'added' | 'modified' | 'deleted'
}

export interface Workspace {
  /** As the commit has it. */
  readonly base: FileTree
  /** Base and changes together. Follows every change. */
  readonly tree: FileTree
  /** What differs from the base, by path below the docs folder; a file that is as it was is not in it. */
  readonly changes: Changes
  /** Patterns of the files that may be changed; empty: all that the agent may change. */
  readonly scope: readonly string[]
  /** Text of a file; rejects with FileMissingError. */
  readText(path: string): Promise<string>
  write(path: string, text: string): Promise<void>
  delete(path: string): void
  /** Takes these changes in place of its own. */
  restore(changes: Changes): void
  /** Paths sorted by code unit. */
  changedFiles(): FileChange[]
}

/** `saved` are the changes of earlier steps. The caller disposes `base`. */
export function openWorkspace(base: FileTree, saved: Changes, scope: readonly string[] = []): Workspace {
  const changes = new Map(saved)
  let files: FileTree['files'] | null = null
  const listFiles = () => {
    files ??= filesOf(base, changes)
    return files
  }
  const tree: FileTree = {
    get revision() {
      return `${base.revision}+${sha256(JSON.stringify([...changes].sort(([a], [b]) => (a < b ? -1 : 1))))}`
    },
    get files() {
      return listFiles()
    },
    refused: base.refused,
    async read(path) {
      const changed = changes.get(path)
      if (changed === undefined) return await base.read(path)
      if (changed === null) throw new FileMissingError(path)
      return Buffer.from(changed)
    },
    async [Symbol.asyncDispose]() {},
  }
  const put = (path: string, text: string | null) => {
    files = null
    changes.set(path, text)
  }
  return {
    base,
    tree,
    changes,
    scope,
    async readText(path) {
      return Buffer.from(await tree.read(path)).toString('utf8')
    },
    async write(path, text) {
      const before = base.files.has(path) ? Buffer.from(await base.read(path)) : null
      if (before?.equals(Buffer.from(text))) {
        files = null
        changes.delete(path)
      } else put(path, text)
    },
    delete(path) {
      if (base.files.has(path)) return put(path, null)
      files = null
      changes.delete(path)
    },
    restore(wanted) {
      files = null
      changes.clear()
      for (const [path, text] of wanted) changes.set(path, text)
    },
    changedFiles: () =>
      [...changes]
        .map(([path, text]) => ({ path, change: changeOf(base, path, text) }))
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

function changeOf(base: FileTree, path: string, text: string | null): FileChange['change'] {
  if (text === null) return 'deleted'
  return base.files.has(path) ? 'modified' : 'added'
}

function filesOf(base: FileTree, changes: Changes): FileTree['files'] {
  const files = new Map(base.files)
  for (const [path, text] of changes) {
    if (text === null) files.delete(path)
    else files.set(path, { sizeBytes: Buffer.byteLength(text), digest: sha256(text) })
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}
