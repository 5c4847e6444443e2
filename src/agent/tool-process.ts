/**
 * The tools of one job, in a bounded process of their own: they read what the repository's authors and the model wrote.
 * The process has no say beyond its answers. It is ended when it is not used for a while or has failed, and the next use
 * starts another one with the changes as they are.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../contract/problem.ts'
import type { ToolCall, ToolResult } from '../model/model.ts'
import { parseManifest } from '../render/manifest-text.ts'
import { openForSite, type SiteProcessDeps } from '../render/site-process.ts'
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts'
import type { ChangeCheck, CheckedChange } from './check-change.ts'
import type { JobCaps, Said } from './tool.ts'
import type { Workspace } from './workspace.ts'

/** What crosses to the process; plain data. */
export interface ToolStart {
  changes: readonly (readonly [path: string, text: string | null])[]
  siteId: string
  origin: string | null
  renderChildren: number
}

export interface ToolCallInput {
  call: ToolCall
  caps: Pick<JobCaps, 'files' | 'bytes'>
  said: Said
}

/** What comes back: the files and the sayings as they are after the call. */
export interface ToolOutcome {
  result: ToolResult
  said: Said
  changes: ToolStart['changes']
}

/** What comes back of a check. The texts of the manifests come beside it, one after the other; null where there is none. */
export interface CheckOutcome {
  problems: Problem[]
  beforeBytes: number | null
  afterBytes: number | null
}

/** Used by one call at a time. All reject with the signal's reason, and with ProcessLimitError when it was ended. */
export interface ToolProcess {
  /** Carries out a call of the model: changes the workspace and what was said. `workSignal` ends the call alone. */
  useTool(call: ToolCall, workSignal: AbortSignal): Promise<ToolResult>
  checkChange(): Promise<ChangeCheck>
  [Symbol.asyncDispose](): Promise<void>
}

/** The model thinks in between; its next call is worth a new start after this many milliseconds. */
const IDLE_MS = 30_000

export function openToolProcess(
  deps: Omit<SiteProcessDeps, 'guardedFetch'>,
  change: CheckedChange & { workspace: Workspace; caps: JobCaps; said: Said },
  signal: AbortSignal,
): ToolProcess {
  const { workspace, caps, said } = change
  let running: Sandbox | null = null
  let idle: NodeJS.Timeout | undefined

  const close = async () => {
    clearTimeout(idle)
    const closing = running
    running = null
    await closing?.[Symbol.asyncDispose]()
  }

  const start = async (): Promise<Sandbox> => {
    if (running?.isAlive) return running
    await close()
    const sandbox = startSandbox(toolWork(), { memoryMb: deps.siteMemoryMb })
    running = sandbox
    await openForSite(sandbox, { ...deps, guardedFetch: null }, workspace.base, signal)
    const { siteId, origin } = change
    const { renderChildren } = deps
    await sandbox.call('start', {
      changes: [...workspace.changes],
      siteId,
      origin,
      renderChildren,
    } satisfies ToolStart)
    return sandbox
  }

  /** After a failure nobody knows what the process has changed on its side. */
  const call = async <Out>(
    name: string,
    input: unknown,
    ending = signal,
  ): Promise<{ value: Out; bytes: Uint8Array }> => {
    ending.throwIfAborted()
    clearTimeout(idle)
    using wanted = rejectionOf(ending)
    try {
      const answer = await Promise.race([(await start()).callPacked<Out>(name, input), wanted.rejects])
      idle = setTimeout(() => void close(), IDLE_MS).unref()
      return answer
    } catch (error) {
      await close()
      throw error
    }
  }

  return {
    async useTool(asked, workSignal) {
      const input: ToolCallInput = { call: asked, caps, said }
      const { value: outcome } = await call<ToolOutcome>('tool', input, workSignal)
      workspace.restore(new Map(outcome.changes))
      if (!isDeepStrictEqual(outcome.said.plan, said.plan)) said.plan = outcome.said.plan
      said.finish = outcome.said.finish
      return outcome.result
    },
    async checkChange() {
      const { value, bytes } = await call<CheckOutcome>('check', {})
      const { problems, beforeBytes, afterBytes } = value
      const at = beforeBytes ?? 0
      return {
        problems,
        before: beforeBytes === null ? null : await parseManifest(bytes.subarray(0, at)),
        after: afterBytes === null ? null : await parseManifest(bytes.subarray(at, at + afterBytes)),
      }
    },
    [Symbol.asyncDispose]: close,
  }
}

/** Rejects when the signal ends. */
function rejectionOf(signal: AbortSignal): { rejects: Promise<never> } & Disposable {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  const end = () => reject(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  return { rejects: promise, [Symbol.dispose]: () => signal.removeEventListener('abort', end) }
}

function toolWork(): URL {
  const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./tool-work.${ending}`, import.meta.url)
}
