/** What a process of git may take of this machine, and how it says that there was no more. */
import type { LeashOptions } from '../base/leash.ts'
import { MachineryError } from '../base/machinery-error.ts'
import { GitError, withoutCredentials } from './git-error.ts'
import type { Repository } from './repository.ts'

interface RemoteCall {
  remote?: Repository
}

/** Kilobytes of address space of a process of git: its transports read what a server says into memory. */
const MEMORY_KB = 1 << 20
const COMMAND_MEMORY_KB: Readonly<Record<string, number>> = {
  /** A million refs take half of it. */
  'ls-remote': 512 << 10,
  /** Two versions of a file of 512 MB; larger ones are not held in memory. */
  fetch: 2 << 20,
}
const PROCESSOR_SECONDS = 600
/** It answers questions for hours. */
const READER_PROCESSOR_SECONDS = 14_400

/** A repository of this machine is the operator's, and may hold packs of any size. */
export function boundsOf([command = '']: readonly string[], { remote }: RemoteCall): LeashOptions {
  return {
    isGroup: true,
    processorSeconds: command === 'cat-file' ? READER_PROCESSOR_SECONDS : PROCESSOR_SECONDS,
    ...(remote?.protocol !== 'file' && { addressSpace: COMMAND_MEMORY_KB[command] ?? MEMORY_KB }),
  }
}

/** As git and its transports say that they met the bounds of their process. */
const BOUND = /out of memory|cannot allocate memory|died of signal 24/i

export function hasPassedBound(said: string): boolean {
  return ownLines(said).some((line) => BOUND.test(line))
}

export function boundPassed(name: string, args: readonly string[], call: RemoteCall): GitError {
  const { addressSpace, processorSeconds } = boundsOf(args, call)
  const memory = addressSpace === undefined ? '' : `${addressSpace >> 10} MB of memory or `
  const sentence = `The repository ${name} is too large, or its server sends too much: git may take ${memory}${processorSeconds} seconds of processor time for it.`
  return new GitError('too_large', sentence)
}

/** What git says of this machine, and not of a repository. */
const NO_ROOM =
  /no space left on device|disk quota exceeded|too many open files|cannot (?:allocate memory|fork)|out of memory|unable to create threaded|died of signal|input\/output error|read-only file system/i

/** Lines of the other side are no word of git's. */
function ownLines(said: string): string[] {
  return said.split('\n').filter((line) => !/^remote:|remote error/i.test(line))
}

export function refuseNoRoom(said: string): void {
  const line = ownLines(said).find((candidate) => NO_ROOM.test(candidate))
  if (line !== undefined)
    throw new MachineryError('git had no room to work in', {
      cause: new Error(withoutCredentials(line).slice(0, 300)),
    })
}
