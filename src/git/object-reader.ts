/** Reads many objects of a repository through one git process, with pipelined requests. */
import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { InternalError } from '../base/internal-error.ts'
import { type GitSettings, gitKilledError, killGroup, spawnGit } from './git.ts'
import { GitError, MissingObjectError, toGitError } from './git-error.ts'

export interface ObjectReader {
  /** Reads an object by its full id. Rejects with GitError if it is missing or git ends. */
  read(id: string): Promise<Buffer>
  /**
   * Returns type and size of an object by its full id, or null if it is missing. Rejects with GitError if git ends.
   */
  find(id: string): Promise<FoundObject | null>
  /** True once no more requests are possible. */
  readonly isEnded: boolean
  [Symbol.asyncDispose](): Promise<void>
}

export interface FoundObject {
  type: string
  sizeBytes: number
}

type Answer = FoundObject & { bytes: Buffer }

interface Request {
  id: string
  isRead: boolean
  /** Null if the object is missing. */
  resolve(answer: Answer | null): void
  reject(error: Error): void
}

const NO_BYTES = Buffer.alloc(0)

interface ReaderOptions {
  gitDir: string
  /** Repository URL, for messages. */
  address: string
  settings?: GitSettings | undefined
  signal?: AbortSignal | undefined
}

/**
 * Creates a reader. Its process starts on the first request and ends on disposal or when the signal is aborted. While
 * idle, it does not keep the event loop alive.
 */
export function openObjectReader(options: ReaderOptions): ObjectReader {
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
  const start = () => {
    signal?.addEventListener('abort', onAbort, { once: true })
    return startReader(options, waiting, fail)
  }
  const sendRequest = async (id: string, isRead: boolean) => {
    if (!/^[0-9a-f]{40,64}$/.test(id)) throw new TypeError(`${id} is not the full name of an object`)
    if (failure) throw failure
    signal?.throwIfAborted()
    started ??= start()
    const { stdin, stdout } = started.child
    const answer = new Promise<Answer | null>((resolve, reject) => {
      waiting.push({ id, isRead, resolve, reject })
    })
    const socket = stdout as Socket | undefined
    socket?.ref()
    stdin?.write(`${isRead ? 'contents' : 'info'} ${id}\n`)
    return await answer
  }
  return {
    async read(id) {
      const found = await sendRequest(id, true)
      if (found === null) throw new MissingObjectError(id)
      return found.bytes
    },
    find: (id) => sendRequest(id, false),
    get isEnded() {
      return failure !== undefined
    },
    async [Symbol.asyncDispose]() {
      signal?.removeEventListener('abort', onAbort)
      fail(new Error(`The repository ${address} was closed while it was being read.`))
      started?.child.ref()
      if (started) killGroup(started.child)
      await started?.ended
    },
  }
}

interface Started {
  child: ChildProcess
  ended: Promise<void>
}

function startReader(options: ReaderOptions, waiting: Request[], fail: (error: Error) => void): Started {
  const child = spawnGit(['cat-file', '--batch-command'], options)
  // Streams are missing if the process could not be started.
  for (const part of [child, ...stdioSockets(child)]) part?.unref()
  let errorOutput = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    if (errorOutput.length < 64_000) errorOutput += chunk.toString()
  })
  const handleChunk = createAnswerParser(waiting, fail)
  child.stdout?.on('data', (chunk: Buffer) => {
    handleChunk(chunk)
    if (waiting.length === 0) (child.stdout as Socket).unref()
  })
  child.stdin?.on('error', () => undefined) // the exit code is more informative
  child.once('error', (cause) => fail(new InternalError('git could not be started', { cause })))
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('close', (_code, signal) => {
      fail(signal === null ? toGitError(options.address, errorOutput, 'failed') : gitKilledError(signal))
      resolve()
    })
  })
  return { child, ended }
}

function stdioSockets({ stdin, stdout, stderr }: ChildProcess): (Socket | undefined)[] {
  return [stdin, stdout, stderr] as unknown as (Socket | undefined)[]
}

/**
 * Parses git's responses: `<id> <type> <size>` and a line break; for a read, also that many bytes and a line break.
 */
function createAnswerParser(waiting: Request[], fail: (error: Error) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let parts: Buffer[] = []
  /** Remaining bytes of the current object, including the final line break; null between objects. */
  let missing: number | null = null
  let found: FoundObject = { type: '', sizeBytes: 0 }
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
        waiting.shift()?.resolve({ ...found, bytes: bytes.subarray(0, -1) })
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
      const [id, type, size] = line.split(' ')
      if (id !== waiting[0]?.id) return fail(new GitError('failed', `git answered out of order: ${line}`))
      if (type === undefined || type === 'missing' || size === undefined) waiting.shift()?.resolve(null)
      else {
        found = { type, sizeBytes: Number(size) }
        if (waiting[0]?.isRead) missing = Number(size) + 1
        else waiting.shift()?.resolve({ ...found, bytes: NO_BYTES })
      }
    }
  }
}
