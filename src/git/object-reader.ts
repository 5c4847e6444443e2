/** Reads many objects of a repository with pipelined requests to a single git process. */
import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { InternalError } from '../base/internal-error.ts'
import { killedError, killGroup } from '../base/limited-program.ts'
import { type MirrorCall, spawnGit } from './git.ts'
import { GitError, MissingObjectError, toGitError } from './git-error.ts'

export interface ObjectReader {
  /** Reads an object by its full id. Rejects with GitError if the object is missing or git ends. */
  read(id: string): Promise<Buffer>
  [Symbol.asyncDispose](): Promise<void>
}

interface Request {
  id: string
  resolve(bytes: Buffer | null): void
  reject(error: Error): void
}

/**
 * Creates a reader. Its process starts on the first request and ends on disposal or when the signal aborts.
 * An idle reader does not keep the event loop alive.
 */
export function openObjectReader(options: MirrorCall): ObjectReader {
  const { address, signal } = options
  const waiting: Request[] = []
  let started: Started | undefined
  let failure: Error | undefined

  const fail = (error: Error) => {
    failure ??= error
    for (const request of waiting.splice(0)) request.reject(failure)
  }
  const onAbort = () => {
    fail(signal?.reason)
    if (started) killGroup(started.child)
  }
  return {
    async read(id) {
      if (!/^[0-9a-f]{40,64}$/.test(id)) throw new TypeError(`${id} is not a full object hash`)
      if (failure) throw failure
      signal?.throwIfAborted()
      if (started === undefined) {
        signal?.addEventListener('abort', onAbort, { once: true })
        started = startReader(options, waiting, fail)
      }
      const { stdin, stdout } = started.child
      const answer = new Promise<Buffer | null>((resolve, reject) => {
        waiting.push({ id, resolve, reject })
      })
      const socket = stdout as Socket | undefined
      socket?.ref()
      stdin?.write(`${id}\n`)
      const bytes = await answer
      if (bytes === null) throw new MissingObjectError(id)
      return bytes
    },
    async [Symbol.asyncDispose]() {
      signal?.removeEventListener('abort', onAbort)
      fail(new Error(`The repository ${address} was closed while it was being read.`))
      if (started === undefined) return
      // Keeps the event loop alive until the process and its streams have closed, because nothing else might.
      for (const part of [started.child, ...stdioSockets(started.child)]) part?.ref()
      killGroup(started.child)
      await started.ended
    },
  }
}

interface Started {
  child: ChildProcess
  ended: Promise<void>
}

function startReader(options: MirrorCall, waiting: Request[], fail: (error: Error) => void): Started {
  const child = spawnGit(['cat-file', '--batch'], options)
  // Streams are missing if the process could not be started.
  for (const part of [child, ...stdioSockets(child)]) part?.unref()
  let errorOutput = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    if (errorOutput.length < 64_000) errorOutput += chunk.toString()
  })
  const handleChunk = createCatFileParser(waiting, fail)
  child.stdout?.on('data', (chunk: Buffer) => {
    handleChunk(chunk)
    if (waiting.length === 0) (child.stdout as Socket).unref()
  })
  child.stdin?.on('error', () => undefined) // the exit code is more informative
  child.once('error', (cause) => fail(new InternalError('git could not be started', { cause })))
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('close', (_code, signal) => {
      fail(signal === null ? toGitError(options.address, errorOutput, 'failed') : killedError(signal))
      resolve()
    })
  })
  return { child, ended }
}

function stdioSockets({ stdin, stdout, stderr }: ChildProcess): (Socket | undefined)[] {
  return [stdin, stdout, stderr] as unknown as (Socket | undefined)[]
}

/** Parses git's responses: `<id> <type> <size>` and a line break, then the object and a line break. */
function createCatFileParser(waiting: Request[], fail: (error: Error) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let parts: Buffer[] = []
  /** Remaining bytes of the current object, including the final line break; null between objects. */
  let missing: number | null = null
  return (chunk) => {
    let data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    rest = Buffer.alloc(0)
    while (data.length > 0) {
      if (missing !== null) {
        const part = data.subarray(0, missing)
        parts.push(part)
        missing -= part.length
        data = data.subarray(part.length)
        if (missing > 0) return
        const bytes = parts.length === 1 ? Buffer.from(part) : Buffer.concat(parts)
        waiting.shift()?.resolve(bytes.subarray(0, -1))
        parts = []
        missing = null
        continue
      }
      const end = data.indexOf(10)
      if (end < 0) {
        rest = data
        return
      }
      const line = data.toString('latin1', 0, end)
      data = data.subarray(end + 1)
      const [id, , size] = line.split(' ')
      if (id !== waiting[0]?.id) return fail(new GitError('failed', `git answered out of order: ${line}`))
      if (size === undefined) waiting.shift()?.resolve(null)
      else missing = Number(size) + 1
    }
  }
}
