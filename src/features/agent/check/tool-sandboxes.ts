/**
 * Workspaces of a node's agent tools: one per project and commit, shared by the jobs on it. Each has the files at the
 * commit and a sandboxed process that reads them, so that everything derived from a commit (its search index, its
 * loaded site) is created once. A process serves one call at a time. The calls of all processes share a few CPU
 * slots, which are assigned fairly by organization and project; a job that waits for its model holds neither.
 *
 * A process ends when it has been idle for a while, when others need its memory, after very many calls, and after a
 * failure, because its state is unknown then. The next call starts a new one.
 */
import { pathToFileURL } from 'node:url'
import type { FairGate } from '../../../base/fair-gate.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { entryFile } from '../../../base/files/program-files.ts'
import type { Log } from '../../../base/log.ts'
import { openForSite, type SiteProcessDeps } from '../../../render/site-process.ts'
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts'

export interface ToolSandboxKey {
  organizationId: string
  projectId: string
  /** Commit of the repository; `docsFolder` is the folder in it that holds the files. */
  commit: string
  docsFolder: string
  /** Tools that the process runs: those for a site, or those that read code. Default: site. */
  kind?: 'site' | 'code'
}

export interface ToolSandbox {
  /** Disposed with the last user. */
  readonly base: FileTree
  /**
   * Makes one call in the process, after earlier ones. Rejects with the signal's reason, or with the error of the call;
   * `waited` receives the time in the queue, in milliseconds.
   */
  use<Out>(
    work: (sandbox: Sandbox) => Promise<Out>,
    signal: AbortSignal,
    waited: (ms: number) => void,
  ): Promise<Out>
  [Symbol.asyncDispose](): Promise<void>
}

export interface ToolSandboxPool {
  /**
   * `openBase` reads the files when no other job has them open; its signal aborts when they are no longer needed.
   * Rejects with the error of `openBase`.
   */
  open(place: ToolSandboxKey, openBase: (signal: AbortSignal) => Promise<FileTree>): Promise<ToolSandbox>
  [Symbol.asyncDispose](): Promise<void>
}

export interface ToolSandboxDeps
  extends Omit<SiteProcessDeps, 'guardedFetch' | 'log' | 'projectId' | 'isFresh'> {
  gate: FairGate
  log: Log
  /** Maximum number of processes alive at the same time. */
  mostProcesses: number
}

interface Entry {
  place: ToolSandboxKey
  base: FileTree
  users: number
  sandbox: Sandbox | null
  /** Ends the process. */
  end: AbortController
  /** Settles when the last queued call has ended. */
  lastCall: Promise<unknown>
  isBusy: boolean
  calls: number
  usedAt: number
  idle: NodeJS.Timeout | undefined
}

/** Long enough for the model's answer between two calls, and for the next job. */
const IDLE_MS = 60_000
/** A new process releases the memory of discarded data. */
const MAX_CALLS = 2000

/** State shared by all processes of the node. */
interface PoolState {
  deps: ToolSandboxDeps
  entries: Map<string, Promise<Entry>>
  open: Set<Entry>
}

export function createToolSandboxPool(deps: ToolSandboxDeps): ToolSandboxPool {
  const pool: PoolState = { deps, entries: new Map(), open: new Set() }
  return {
    open: (place, openBase) => openToolSandbox(pool, place, openBase),
    async [Symbol.asyncDispose]() {
      for (const entry of pool.open) {
        await closeProcess(entry)
        await entry.base[Symbol.asyncDispose]()
      }
      pool.open.clear()
      pool.entries.clear()
    },
  }
}

async function openToolSandbox(
  pool: PoolState,
  place: ToolSandboxKey,
  openBase: (signal: AbortSignal) => Promise<FileTree>,
): Promise<ToolSandbox> {
  const { entries, open } = pool
  const key = keyOf(place)
  for (;;) {
    const known = entries.get(key)
    const opening = known ?? openEntry(open, place, openBase)
    if (known === undefined) {
      entries.set(key, opening)
      opening.catch(() => entries.delete(key))
    }
    const entry = await opening.catch((error: unknown) => {
      if (known === undefined) throw error
      return null // a failure of another job, such as its end, does not affect this one
    })
    if (entry !== null && open.has(entry)) return toToolSandbox(pool, entry)
    if (entries.get(key) === opening) entries.delete(key)
  }
}

function toToolSandbox(pool: PoolState, entry: Entry): ToolSandbox {
  entry.users++
  let isReleased = false
  return {
    base: entry.base,
    use: (work, signal, waited) =>
      runCall(pool, entry, work, { signal, waited }).finally(() => scheduleIdleClose(pool, entry)),
    async [Symbol.asyncDispose]() {
      if (isReleased) return
      isReleased = true
      entry.users--
      await release(pool, entry)
    },
  }
}

interface CallOptions {
  signal: AbortSignal
  waited: (ms: number) => void
}

async function runCall<Out>(
  pool: PoolState,
  entry: Entry,
  work: (sandbox: Sandbox) => Promise<Out>,
  { signal, waited }: CallOptions,
): Promise<Out> {
  const arrivedAt = performance.now()
  const { organizationId, projectId } = entry.place
  const { before, leave } = joinQueue(entry)
  try {
    await abortable(before, signal)
    using _slot = await pool.deps.gate.enter([organizationId, projectId], signal)
    waited(performance.now() - arrivedAt)
    return await runInSandbox(pool, entry, work, signal)
  } finally {
    leave()
  }
}

function joinQueue(entry: Entry): { before: Promise<unknown>; leave: () => void } {
  const before = entry.lastCall.catch(() => undefined)
  const done = Promise.withResolvers<void>()
  entry.lastCall = before.then(() => done.promise)
  return { before, leave: done.resolve }
}

async function runInSandbox<Out>(
  pool: PoolState,
  entry: Entry,
  work: (sandbox: Sandbox) => Promise<Out>,
  signal: AbortSignal,
): Promise<Out> {
  clearTimeout(entry.idle)
  entry.isBusy = true
  entry.calls++
  try {
    return await abortable(ensureSandbox(pool, entry).then(work), signal)
  } catch (error) {
    await closeProcess(entry)
    throw error
  } finally {
    entry.isBusy = false
  }
}

async function ensureSandbox(pool: PoolState, entry: Entry): Promise<Sandbox> {
  if (entry.sandbox?.isAlive && entry.calls < MAX_CALLS) return entry.sandbox
  await closeProcess(entry)
  await evictOldest(pool)
  entry.calls = 0
  entry.sandbox = startSandbox(sandboxEntry(entry.place), { memoryMb: pool.deps.siteMemoryMb })
  const { projectId } = entry.place
  const deps = { ...pool.deps, projectId, guardedFetch: null }
  await openForSite(entry.sandbox, deps, entry.base, entry.end.signal)
  return entry.sandbox
}

async function evictOldest(pool: PoolState): Promise<void> {
  const alive = [...pool.open].filter((entry) => entry.sandbox !== null)
  if (alive.length < pool.deps.mostProcesses) return
  const oldest = alive.filter((entry) => !entry.isBusy).sort((a, b) => a.usedAt - b.usedAt)[0]
  if (oldest === undefined) return
  await closeProcess(oldest)
  await release(pool, oldest)
}

async function closeProcess(entry: Entry): Promise<void> {
  clearTimeout(entry.idle)
  const closing = entry.sandbox
  entry.sandbox = null
  await closing?.[Symbol.asyncDispose]()
}

async function release({ entries, open }: PoolState, entry: Entry): Promise<void> {
  if (entry.users > 0 || entry.sandbox !== null) return
  const key = keyOf(entry.place)
  const isCurrent = (await entries.get(key)?.catch(() => undefined)) === entry
  // A new user may have arrived during the lookup.
  if (entry.users > 0 || !open.delete(entry)) return
  if (isCurrent) entries.delete(key)
  await entry.base[Symbol.asyncDispose]()
}

function scheduleIdleClose(pool: PoolState, entry: Entry): void {
  entry.usedAt = performance.now()
  clearTimeout(entry.idle)
  const end = () => {
    if (!entry.isBusy) void closeProcess(entry).then(() => release(pool, entry))
  }
  entry.idle = setTimeout(end, IDLE_MS).unref()
}

async function openEntry(
  open: Set<Entry>,
  place: ToolSandboxKey,
  openBase: (signal: AbortSignal) => Promise<FileTree>,
): Promise<Entry> {
  const end = new AbortController()
  const base = await openBase(end.signal)
  const entry: Entry = {
    place,
    base,
    users: 0,
    sandbox: null,
    end,
    lastCall: Promise.resolve(),
    isBusy: false,
    calls: 0,
    usedAt: performance.now(),
    idle: undefined,
  }
  open.add(entry)
  return entry
}

function keyOf({ projectId, commit, docsFolder, kind = 'site' }: ToolSandboxKey): string {
  return JSON.stringify([projectId, commit, docsFolder, kind])
}

/** Rejects with the signal's reason as soon as it aborts. */
async function abortable<Out>(work: Promise<Out>, signal: AbortSignal): Promise<Out> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  work.catch(() => undefined)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

function sandboxEntry({ kind }: ToolSandboxKey): URL {
  return pathToFileURL(entryFile(kind === 'code' ? 'agent-code' : 'agent-tools'))
}
