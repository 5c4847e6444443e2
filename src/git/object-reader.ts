/** Reads many objects of a repository through one git process: requests go ahead of the answers. */
import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { MachineryError } from '../base/machinery-error.ts'
import { endGroup, type GitSettings, gitKilled, spawnGit } from './git.ts'
import { explain, GitError, MissingObjectError } from './git-error.ts'

export interface ObjectReader {
  /** The bytes of an object by its full name. Rejects with GitError when it is missing or git ended. */
  read(id: string): Promise<Buffer>
  /** What an object is, by its full name; null when it is missing. Rejects with GitError when git ended. */
  find(id: string): Promise<FoundObject | null>
  /** Nothing can be asked of it any more. */
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
  /** Null: it is missing. */
  resolve(answer: Answer | null): void
  reject(error: Error): void
}

const NO_BYTES = Buffer.alloc(0)

interface ReaderOptions {
  gitDir: string
  /** For messages. */
  address: string
  settings?: GitSettings | undefined
  signal?: AbortSignal | undefined
}

/**
 * The process is started by the first request and ended by disposal, or by the signal. While nothing is asked of it, it keeps
 * no program from its end.
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
    if (started) endGroup(started.child)
  }
  const start = () => {
    signal?.addEventListener('abort', onAbort, { once: true })
    return startReader(options, waiting, fail)
  }
  const ask = async (id: string, isRead: boolean) => {
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
      const found = await ask(id, true)
      if (found === null) throw new MissingObjectError(id)
      return found.bytes
    },
    find: (id) => ask(id, false),
    get isEnded() {
      return failure !== undefined
    },
    async [Symbol.asyncDispose]() {
      signal?.removeEventListener('abort', onAbort)
      fail(new Error(`The repository ${address} was closed while it was being read.`))
      started?.child.ref()
      if (started) endGroup(started.child)
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
  // Those of a process that could not be started may be missing.
  for (const part of [child, ...partsOf(child)]) part?.unref()
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    if (said.length < 64_000) said += chunk.toString()
  })
  const take = answerReader(waiting, fail)
  child.stdout?.on('data', (chunk: Buffer) => {
    take(chunk)
    if (waiting.length === 0) (child.stdout as Socket).unref()
  })
  child.stdin?.on('error', () => undefined) // its end says more
  child.once('error', (cause) => fail(new MachineryError('git could not be started', { cause })))
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('close', (_code, signal) => {
      fail(signal === null ? explain(options.address, said, 'failed') : gitKilled(signal))
      resolve()
    })
  })
  return { child, ended }
}

function partsOf({ stdin, stdout, stderr }: ChildProcess): (Socket | undefined)[] {
  return [stdin, stdout, stderr] as unknown as (Socket | undefined)[]
}

/** Takes git's answers apart: `<id> <type> <size>`, a line break; of one that is read, that many bytes and a line break. */
function answerReader(waiting: Request[], fail: (error: Error) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let parts: Buffer[] = []
  /** Bytes still to come of the present object, its closing line break included; null between objects. */
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
