/** What a module that works inside of a sandbox is given, and what it gives. */
import type { FileTree } from '../base/files/file-tree.ts'
import type { Log } from '../base/log.ts'
import type { GuardedFetch } from '../base/net/guarded-fetch.ts'
import type { ObjectCache } from '../objects/object-cache.ts'
import type { ObjectStore } from '../objects/object-store.ts'

export interface Inside {
  tree: FileTree
  /** Whole objects of a render; nothing else. */
  objects: ObjectStore
  /** The build cache of this project. */
  cache: ObjectCache
  guardedFetch: GuardedFetch
  log: Log
  /** To whoever waits for the work; also a sign that it goes on. */
  report(progress: unknown): void
}

/** An answer with bytes beside it, which are neither encoded nor parsed on their way. */
export class Packed {
  readonly value: unknown
  readonly bytes: Uint8Array
  constructor(value: unknown, bytes: Uint8Array) {
    this.value = value
    this.bytes = bytes
  }
}

/** The module exports this as `open`: the work by name, input and answer as plain data, or Packed. */
export type OpenInside = (inside: Inside) => Readonly<Record<string, (input: never) => Promise<unknown>>>
