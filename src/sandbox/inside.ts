/** Interface of modules that run inside a sandbox. */
import type { FileTree } from '../base/files/file-tree.ts'
import type { Log } from '../base/log.ts'
import type { GuardedFetch } from '../base/net/guarded-fetch.ts'
import type { ObjectCache } from '../objects/object-cache.ts'
import type { ObjectStore } from '../objects/object-store.ts'

export interface Inside {
  tree: FileTree
  /** Store for the blobs of a render, which supports only whole objects. */
  objects: ObjectStore
  cache: ObjectCache
  guardedFetch: GuardedFetch
  log: Log
  /** Sends progress to the caller, which also counts as a sign of activity. */
  report(progress: unknown): void
}

/** A result with attached bytes, which are sent without encoding or parsing. */
export class Packed {
  readonly value: unknown
  readonly bytes: Uint8Array
  constructor(value: unknown, bytes: Uint8Array) {
    this.value = value
    this.bytes = bytes
  }
}

/**
 * Function that the module exports as `open`. It returns functions by name, with plain data or Packed as
 * results.
 */
export type OpenInside = (inside: Inside) => Readonly<Record<string, (input: never) => Promise<unknown>>>
