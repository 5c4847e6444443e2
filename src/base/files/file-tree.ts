/** A read-only tree of files at one point in time: a folder on disk, or a commit in a git repository. */
export interface FileTree {
  /** Identifies the content: a git commit, or `content:<sha256>` for a folder without one. */
  readonly revision: string
  readonly commit?: CommitInfo
  /** Paths with `/`, relative to the root, sorted by code unit. Excludes folders and symlinks that leave the tree. */
  readonly files: ReadonlyMap<string, FileEntry>
  /** Skipped entries with the reason, for example a symlink that leaves the tree. */
  readonly refused: readonly { path: string; reason: 'symlink_outside' | 'symlink_broken' | 'not_a_file' }[]
  /** Symlinks to files and folders inside the tree. They are treated as their targets. Absent if unknown. */
  readonly links?: ReadonlySet<string>
  /**
   * Git LFS files that could not be fetched, with the reason; `read` returns their pointer. Absent if LFS is unused.
   */
  readonly unfetched?: ReadonlyMap<string, string>
  /** Date of each file's last change; null or absent if the history is unknown. Used by sites that show dates. */
  dates?(): Promise<FileDates | null>
  /** Rejects with FileMissingError if the path is not in `files`. */
  read(path: string): Promise<Uint8Array>
  [Symbol.asyncDispose](): Promise<void>
}

export interface FileDates {
  /** ISO 8601 dates in UTC, by path. */
  dates: ReadonlyMap<string, string>
  /** Hash of the commit of each date, by path. */
  commits: ReadonlyMap<string, string>
  /** Reads files as of a commit. Null for a file that did not exist at that commit or whose text cannot be fetched. */
  readAt?(files: readonly FileAtCommit[]): Promise<(string | null)[]>
  /** False if only part of the history is available; files without a date here may have one. */
  isWhole: boolean
}

export interface FileAtCommit {
  path: string
  commit: string
}

/** Commit metadata, truncated because authors can make it arbitrarily long. */
export interface CommitInfo {
  title: string
  author: string
  committedAt: Date
}

export interface FileEntry {
  sizeBytes: number
  /**
   * Digest of the content: a git blob id or a SHA-256. Different trees may have different digests for equal content.
   */
  digest: string
}

export class FileMissingError extends Error {
  override name = 'FileMissingError'
  readonly path: string
  constructor(path: string) {
    super(`there is no file ${path} in this tree`)
    this.path = path
  }
}
