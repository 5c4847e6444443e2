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

export interface BenchPlace {
  organizationId: string
  projectId: string
  /** Commit of the repository; `docsFolder` is the folder in it that holds the files. */
  commit: string
  docsFolder: string
  /** Tools that the process runs: those for a site, or those that read code. Default: site. */
  kind?: 'site' | 'code'
}

export interface Bench {
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

export interface Benches {
  /**
   * `openBase` reads the files when no other job has them open; its signal aborts when they are no longer needed.
   * Rejects with the error of `openBase`.
   */
  open(place: BenchPlace, openBase: (signal: AbortSignal) => Promise<FileTree>): Promise<Bench>
  [Symbol.asyncDispose](): Promise<void>
}

export interface BenchDeps extends Omit<SiteProcessDeps, 'guardedFetch' | 'log' | 'projectId' | 'isFresh'> {
  gate: FairGate
  log: Log
  /** Maximum number of processes alive at the same time. */
  mostProcesses: number
}

interface Entry {
  place: BenchPlace
  base: FileTree
  users: number
  sandbox: Sandbox | null
  /** Ends the process. */
  end: AbortController
  /** Settles when the last queued call has ended. */
  line: Promise<unknown>
  isBusy: boolean
  calls: number
  usedAt: number
  idle: NodeJS.Timeout | undefined
}

/** Long enough for the model's answer between two calls, and for the next job. */
const IDLE_MS = 60_000
/** A new process releases the memory of discarded data. */
const MOST_CALLS = 2000

/** State shared by all processes of the node. */
interface House {
  deps: BenchDeps
  entries: Map<string, Promise<Entry>>
  open: Set<Entry>
}

export function createBenches(deps: BenchDeps): Benches {
  const house: House = { deps, entries: new Map(), open: new Set() }
  return {
    open: (place, openBase) => openBench(house, place, openBase),
    async [Symbol.asyncDispose]() {
      for (const entry of house.open) {
        await closeProcess(entry)
        await entry.base[Symbol.asyncDispose]()
      }
      house.open.clear()
      house.entries.clear()
    },
  }
}

async function openBench(
  house: House,
  place: BenchPlace,
  openBase: (signal: AbortSignal) => Promise<FileTree>,
): Promise<Bench> {
  const { entries, open } = house
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
    if (entry !== null && open.has(entry)) return benchOf(house, entry)
    if (entries.get(key) === opening) entries.delete(key)
  }
}

function benchOf(house: House, entry: Entry): Bench {
  entry.users++
  let isReleased = false
  return {
    base: entry.base,
    use: (work, signal, waited) =>
      serve(house, entry, work, { signal, waited }).finally(() => rest(house, entry)),
    async [Symbol.asyncDispose]() {
      if (isReleased) return
      isReleased = true
      entry.users--
      await release(house, entry)
    },
  }
}

interface Line {
  signal: AbortSignal
  waited: (ms: number) => void
}

async function serve<Out>(
  house: House,
  entry: Entry,
  work: (sandbox: Sandbox) => Promise<Out>,
  { signal, waited }: Line,
): Promise<Out> {
  const came = performance.now()
  const { organizationId, projectId } = entry.place
  const { before, leave } = joinLine(entry)
  try {
    await endedBy(before, signal)
    using _slot = await house.deps.gate.enter([organizationId, projectId], signal)
    waited(performance.now() - came)
    return await carryOut(house, entry, work, signal)
  } finally {
    leave()
  }
}

function joinLine(entry: Entry): { before: Promise<unknown>; leave: () => void } {
  const before = entry.line.catch(() => undefined)
  const done = Promise.withResolvers<void>()
  entry.line = before.then(() => done.promise)
  return { before, leave: done.resolve }
}

async function carryOut<Out>(
  house: House,
  entry: Entry,
  work: (sandbox: Sandbox) => Promise<Out>,
  signal: AbortSignal,
): Promise<Out> {
  clearTimeout(entry.idle)
  entry.isBusy = true
  entry.calls++
  try {
    return await endedBy(processOf(house, entry).then(work), signal)
  } catch (error) {
    await closeProcess(entry)
    throw error
  } finally {
    entry.isBusy = false
  }
}

async function processOf(house: House, entry: Entry): Promise<Sandbox> {
  if (entry.sandbox?.isAlive && entry.calls < MOST_CALLS) return entry.sandbox
  await closeProcess(entry)
  await makeRoom(house)
  entry.calls = 0
  entry.sandbox = startSandbox(workOf(entry.place), { memoryMb: house.deps.siteMemoryMb })
  const { projectId } = entry.place
  const deps = { ...house.deps, projectId, guardedFetch: null }
  await openForSite(entry.sandbox, deps, entry.base, entry.end.signal)
  return entry.sandbox
}

async function makeRoom(house: House): Promise<void> {
  const alive = [...house.open].filter((entry) => entry.sandbox !== null)
  if (alive.length < house.deps.mostProcesses) return
  const oldest = alive.filter((entry) => !entry.isBusy).sort((a, b) => a.usedAt - b.usedAt)[0]
  if (oldest === undefined) return
  await closeProcess(oldest)
  await release(house, oldest)
}

async function closeProcess(entry: Entry): Promise<void> {
  clearTimeout(entry.idle)
  const closing = entry.sandbox
  entry.sandbox = null
  await closing?.[Symbol.asyncDispose]()
}

async function release({ entries, open }: House, entry: Entry): Promise<void> {
  if (entry.users > 0 || entry.sandbox !== null) return
  const key = keyOf(entry.place)
  const isCurrent = (await entries.get(key)?.catch(() => undefined)) === entry
  // A new user may have arrived during the lookup.
  if (entry.users > 0 || !open.delete(entry)) return
  if (isCurrent) entries.delete(key)
  await entry.base[Symbol.asyncDispose]()
}

function rest(house: House, entry: Entry): void {
  entry.usedAt = performance.now()
  clearTimeout(entry.idle)
  const end = () => {
    if (!entry.isBusy) void closeProcess(entry).then(() => release(house, entry))
  }
  entry.idle = setTimeout(end, IDLE_MS).unref()
}

async function openEntry(
  open: Set<Entry>,
  place: BenchPlace,
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
    line: Promise.resolve(),
    isBusy: false,
    calls: 0,
    usedAt: performance.now(),
    idle: undefined,
  }
  open.add(entry)
  return entry
}

function keyOf({ projectId, commit, docsFolder, kind = 'site' }: BenchPlace): string {
  return JSON.stringify([projectId, commit, docsFolder, kind])
}

/** Rejects with the signal's reason as soon as it aborts. */
async function endedBy<Out>(work: Promise<Out>, signal: AbortSignal): Promise<Out> {
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

function workOf({ kind }: BenchPlace): URL {
  return pathToFileURL(entryFile(kind === 'code' ? 'agent-code' : 'agent-tools'))
}
