/** A read-only tree of files at one moment: a folder on disk, or a commit in a git repository. */
export interface FileTree {
  /** Names the content: a git commit, or `content:<sha256>` of a folder without one. */
  readonly revision: string
  /** What the commit says of itself; absent for what is none. */
  readonly commit?: CommitSays
  /** Paths with `/`, relative to the root, sorted by code unit; no folders, no symlinks that leave the tree. */
  readonly files: ReadonlyMap<string, FileEntry>
  /** What was left out and why, for example a symlink that leaves the tree. */
  readonly refused: readonly { path: string; reason: 'symlink_outside' | 'symlink_broken' | 'not_a_file' }[]
  /** Symbolic links to files and folders inside the tree, which count as what they lead to; absent when unknown. */
  readonly links?: ReadonlySet<string>
  /** Files of Git LFS that could not be fetched, and why; what `read` gives of them is the pointer. Absent: none was asked for. */
  readonly unfetched?: ReadonlyMap<string, string>
  /** When files were last changed; null where no history is known. Absent: as null. Asked for by sites that show it. */
  dates?(): Promise<FileDates | null>
  /** Rejects with FileMissingError when the path is not in `files`. */
  read(path: string): Promise<Uint8Array>
  [Symbol.asyncDispose](): Promise<void>
}

export interface FileDates {
  /** By path; ISO 8601, in UTC. */
  dates: ReadonlyMap<string, string>
  /** False: the history is a part of it, and files that it does not date may have a date. */
  isWhole: boolean
}

/** Texts are cut: they are as long as their authors have made them. */
export interface CommitSays {
  title: string
  author: string
  committedAt: Date
}

export interface FileEntry {
  sizeBytes: number
  /** Changes when the content changes: a git blob id or a SHA-256; two trees may name equal content differently. */
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
