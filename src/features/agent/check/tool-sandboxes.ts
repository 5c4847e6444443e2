/**
 * Workspaces of a node's agent tools: one per project and commit, shared by the jobs on that commit. Each has the files
 * at the commit and a sandboxed process that reads them, so that everything derived from a commit (its search index,
 * its loaded site) is created once. A process serves one call at a time. The calls of all processes share a few CPU
 * slots, which are assigned fairly by organization and project. A job that waits for its model occupies neither a
 * process nor a slot.
 *
 * A process ends when it has been idle for a while, when others need its memory, after very many calls, and after a
 * failure, because its state is unknown then. The next call starts a new one.
 */
import { pathToFileURL } from 'node:url'
import { createFairGate, type FairGate } from '../../../base/fair-gate.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { entryFile } from '../../../base/files/program-files.ts'
import type { Log } from '../../../base/log.ts'
import { openLimitedSiteProcess, type SiteProcessDeps } from '../../../render/site-process.ts'
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts'

export interface ToolSandboxKey {
  organizationId: string
  projectId: string
  /** Commit of the repository; `docsFolder` is the folder in it that contains the files. */
  commit: string
  docsFolder: string
  /** Program that the process runs: tools for a site, tools that read code, or the check of statements. */
  kind?: keyof typeof PROGRAMS
}

const PROGRAMS = { site: 'agent-tools', code: 'agent-code', statements: 'statements' } as const

export interface ToolSandbox {
  /** Files at the commit, disposed together with the last user of the sandbox. */
  readonly base: FileTree
  /**
   * Makes one call in the process, after earlier calls have ended. Rejects with the signal's reason, or with the error
   * of the call; `waited` receives the time in the queue, in milliseconds.
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
   * `openBase` reads the files if no other job has opened them; its signal aborts when they are no longer needed.
   * Rejects with the error of `openBase`.
   */
  open(sandboxKey: ToolSandboxKey, openBase: (signal: AbortSignal) => Promise<FileTree>): Promise<ToolSandbox>
  [Symbol.asyncDispose](): Promise<void>
}

export interface ToolSandboxDeps
  extends Omit<SiteProcessDeps, 'guardedFetch' | 'log' | 'projectId' | 'isFresh'> {
  gate: FairGate
  log: Log
  mostProcesses: number
}

interface Entry {
  sandboxKey: ToolSandboxKey
  base: Promise<FileTree>
  users: number
  sandbox: Sandbox | null
  end: AbortController
  turn: FairGate
  calls: number
  isBusy: boolean
  usedAt: number
  idle: NodeJS.Timeout | undefined
}

interface Pool {
  deps: ToolSandboxDeps
  entries: Map<string, Entry>
}

/** Idle time after which a process ends: longer than slow models take for a response, and than breaks between jobs. */
const IDLE_MS = 300_000
/** Number of calls after which a process is replaced, to release memory and renew its CPU time limit. */
const MAX_CALLS = 2000

export function createToolSandboxPool(deps: ToolSandboxDeps): ToolSandboxPool {
  const pool: Pool = { deps, entries: new Map() }
  return {
    open: (sandboxKey, openBase) => openToolSandbox(pool, sandboxKey, openBase),
    async [Symbol.asyncDispose]() {
      for (const entry of pool.entries.values()) {
        entry.users = 0
        await endProcess(pool, entry)
      }
    },
  }
}

async function openToolSandbox(
  pool: Pool,
  sandboxKey: ToolSandboxKey,
  openBase: (signal: AbortSignal) => Promise<FileTree>,
): Promise<ToolSandbox> {
  const { entries } = pool
  const key = keyOf(sandboxKey)
  for (;;) {
    const known = entries.get(key)
    const entry = known ?? createEntry(sandboxKey, openBase)
    entries.set(key, entry)
    entry.users++
    try {
      return toToolSandbox(pool, entry, await entry.base)
    } catch (error) {
      if (entries.get(key) === entry) entries.delete(key)
      // A failure of another job in the same process does not affect this one.
      if (known === undefined) throw error
    }
  }
}

function createEntry(
  sandboxKey: ToolSandboxKey,
  openBase: (signal: AbortSignal) => Promise<FileTree>,
): Entry {
  const end = new AbortController()
  return {
    sandboxKey,
    base: openBase(end.signal),
    users: 0,
    sandbox: null,
    end,
    turn: createFairGate(1),
    calls: 0,
    isBusy: false,
    usedAt: performance.now(),
    idle: undefined,
  }
}

function toToolSandbox(pool: Pool, entry: Entry, base: FileTree): ToolSandbox {
  let isReleased = false
  return {
    base,
    async use(work, signal, waited) {
      const arrivedAt = performance.now()
      const { organizationId, projectId } = entry.sandboxKey
      using _turn = await entry.turn.enter([], signal)
      using _slot = await pool.deps.gate.enter([organizationId, projectId], signal)
      waited(performance.now() - arrivedAt)
      clearTimeout(entry.idle)
      entry.isBusy = true
      try {
        return await abortable(ensureSandbox(pool, entry, base).then(work), signal)
      } catch (error) {
        await endProcess(pool, entry)
        throw error
      } finally {
        entry.isBusy = false
        entry.usedAt = performance.now()
        entry.idle = setTimeout(() => !entry.isBusy && void endProcess(pool, entry), IDLE_MS).unref()
      }
    },
    async [Symbol.asyncDispose]() {
      if (isReleased) return
      isReleased = true
      entry.users--
      await closeUnusedEntry(pool, entry)
    },
  }
}

async function ensureSandbox(pool: Pool, entry: Entry, base: FileTree): Promise<Sandbox> {
  if (entry.sandbox?.isAlive && entry.calls++ < MAX_CALLS) return entry.sandbox
  await entry.sandbox?.[Symbol.asyncDispose]()
  entry.sandbox = null
  entry.calls = 0
  await endOldest(pool)
  const { kind = 'site', projectId } = entry.sandboxKey
  const program = pathToFileURL(entryFile(PROGRAMS[kind]))
  entry.sandbox = startSandbox(program, { memoryMb: pool.deps.siteMemoryMb })
  const deps = { ...pool.deps, projectId, guardedFetch: null }
  await openLimitedSiteProcess(entry.sandbox, deps, base, entry.end.signal)
  return entry.sandbox
}

async function endOldest(pool: Pool): Promise<void> {
  const alive = [...pool.entries.values()].filter(({ sandbox }) => sandbox !== null)
  if (alive.length < pool.deps.mostProcesses) return
  const [oldest] = alive.filter(({ isBusy }) => !isBusy).sort((a, b) => a.usedAt - b.usedAt)
  if (oldest !== undefined) await endProcess(pool, oldest)
}

async function endProcess(pool: Pool, entry: Entry): Promise<void> {
  clearTimeout(entry.idle)
  const ending = entry.sandbox
  entry.sandbox = null
  await ending?.[Symbol.asyncDispose]()
  await closeUnusedEntry(pool, entry)
}

async function closeUnusedEntry({ entries }: Pool, entry: Entry): Promise<void> {
  const key = keyOf(entry.sandboxKey)
  if (entry.users > 0 || entry.sandbox !== null || entries.get(key) !== entry) return
  entries.delete(key)
  await (await entry.base.catch(() => null))?.[Symbol.asyncDispose]()
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
