/** Reads the contents of many objects of a repository through one git process: requests go ahead of the answers. */
import type { ChildProcess } from 'node:child_process'
import { MachineryError } from '../base/machinery-error.ts'
import { endGroup, type GitSettings, gitKilled, spawnGit } from './git.ts'
import { explain, GitError, MissingObjectError } from './git-error.ts'

export interface ObjectReader {
  /** The bytes of an object by its full name. Rejects with GitError when it is missing or git ended. */
  read(id: string): Promise<Buffer>
  [Symbol.asyncDispose](): Promise<void>
}

interface Request {
  id: string
  resolve(bytes: Buffer): void
  reject(error: Error): void
}

/** The process is started by the first read and ended by disposal, or by the signal. */
export function openObjectReader(options: {
  gitDir: string
  /** For messages. */
  address: string
  settings?: GitSettings | undefined
  signal?: AbortSignal | undefined
}): ObjectReader {
  const { address, signal } = options
  const waiting: Request[] = []
  let child: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()
  let failure: Error | undefined

  const fail = (error: Error) => {
    failure ??= error
    for (const request of waiting.splice(0)) request.reject(failure)
  }
  const onAbort = () => {
    fail(signal?.reason)
    if (child) endGroup(child)
  }
  const start = (): ChildProcess => {
    const started = spawnGit(['cat-file', '--batch'], options)
    let said = ''
    started.stderr?.on('data', (chunk: Buffer) => {
      if (said.length < 64_000) said += chunk.toString()
    })
    started.stdout?.on('data', answerReader(waiting, fail))
    started.stdin?.on('error', () => undefined) // its end says more
    started.once('error', (cause) => fail(new MachineryError('git could not be started', { cause })))
    ended = new Promise((resolve) => {
      started.once('error', () => resolve())
      started.once('close', (_code, signal) => {
        fail(signal === null ? explain(address, said, 'failed') : gitKilled(signal))
        resolve()
      })
    })
    signal?.addEventListener('abort', onAbort, { once: true })
    return started
  }
  return {
    async read(id) {
      if (!/^[0-9a-f]{40,64}$/.test(id)) throw new TypeError(`${id} is not the full name of an object`)
      if (failure) throw failure
      signal?.throwIfAborted()
      child ??= start()
      const { stdin } = child
      return await new Promise<Buffer>((resolve, reject) => {
        waiting.push({ id, resolve, reject })
        stdin?.write(`${id}\n`)
      })
    },
    async [Symbol.asyncDispose]() {
      signal?.removeEventListener('abort', onAbort)
      fail(new Error(`The repository ${address} was closed while it was being read.`))
      if (child) endGroup(child)
      await ended
    },
  }
}

/** Takes git's answers apart: `<id> <type> <size>`, a line break, that many bytes, a line break. */
function answerReader(waiting: Request[], fail: (error: Error) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let parts: Buffer[] = []
  /** Bytes still to come of the present object, its closing line break included; null between objects. */
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
      const [id, type, size] = line.split(' ')
      if (id !== waiting[0]?.id) return fail(new GitError('failed', `git answered out of order: ${line}`))
      if (type === 'missing' || size === undefined) {
        waiting.shift()?.reject(new MissingObjectError(id ?? ''))
      } else missing = Number(size) + 1
    }
  }
}
