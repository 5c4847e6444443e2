/**
 * Runs the tools of one job in a sandboxed process, because they read text by the repository's authors and by the
 * model. The process affects nothing except through its responses. Jobs at the same commit share it. When a new process
 * replaces it, the new one receives the current changes.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ToolCall, ToolResult } from '../../../model/model.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { parseManifest } from '../../../render/versions/manifest-text.ts'
import { saveManifest } from '../../../render/versions/site-versions.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import type { ChangeCheck, CheckedChange } from '../check/check-change.ts'
import type { ToolSandbox } from '../check/tool-sandboxes.ts'
import type { Workspace } from '../publish/workspace.ts'
import type { Content, Image } from '../review/change-content.ts'
import type { GuideSection } from './instructions.ts'
import type { AgentStatements, JobCaps } from './tool.ts'
import type { WorkClock } from './work-clock.ts'

/** Result of a check whose manifests are stored: contains their object keys instead. */
export interface SavedCheck extends Omit<ChangeCheck, 'before' | 'after'> {
  before: string | null
  after: string | null
}

/** Start message to the process; plain data. */
export interface ToolStart extends Omit<CheckedChange, 'workspace' | 'begun' | 'sources'> {
  id: number
  changes: readonly (readonly [path: string, content: Content | null])[]
  begun: ToolStart['changes']
  scope: readonly string[]
  renderChildren: number
  guide: readonly GuideSection[]
  sources: readonly (readonly [digest: string, source: string])[]
}

export interface ToolCallInput {
  id: number
  call: ToolCall
  caps: Pick<JobCaps, 'files' | 'bytes'>
  said: AgentStatements
}

export interface PlacedImage {
  /** Destination path as the model wrote it. */
  path: string
  picture: Image
  /** Human-readable description of the image's origin. */
  source: string
}

export type PlaceImageInput = ToolCallInput & { placed: PlacedImage }

export interface ToolOutcome {
  result: ToolResult
  said: AgentStatements
  changes: ToolStart['changes']
}

/** Result of a check. The manifests follow as concatenated bytes; the length of a missing one is null. */
export interface CheckOutcome extends Omit<ChangeCheck, 'before' | 'after'> {
  beforeBytes: number | null
  afterBytes: number | null
}

/**
 * Used by one call at a time. All methods reject with the signal's reason if it is aborted, or with
 * ProcessLimitError if the process exceeded a limit.
 */
export interface ToolProcess {
  /** Runs a tool call: updates the workspace and the agent's statements. `workSignal` ends this call only. */
  useTool(call: ToolCall, workSignal: AbortSignal): Promise<ToolResult>
  placePicture(call: ToolCall, placed: PlacedImage, workSignal: AbortSignal): Promise<ToolResult>
  checkChange(): Promise<SavedCheck>
  readHtml(html: string): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

/** Last assigned job id; ids distinguish jobs that share a process. */
let lastId = 0

interface ToolProcessInput extends CheckedChange {
  workspace: Workspace
  caps: JobCaps
  said: AgentStatements
  toolSandbox: ToolSandbox
  clock: WorkClock
  guide: readonly GuideSection[]
  sources: Map<string, string>
}

export function openToolProcess(
  deps: { renderChildren: number; objects: ObjectStore },
  change: ToolProcessInput,
  signal: AbortSignal,
): ToolProcess {
  const { workspace, caps, said, toolSandbox, clock, sources, begun, ...site } = change
  const id = ++lastId
  let known: Sandbox | null = null

  const start = async (sandbox: Sandbox): Promise<void> => {
    if (known === sandbox) return
    const files = { changes: [...workspace.changes], begun: [...begun], sources: [...sources] }
    const { renderChildren } = deps
    await sandbox.call('start', {
      ...site,
      ...files,
      scope: workspace.scope,
      id,
      renderChildren,
    } satisfies ToolStart)
    known = sandbox
  }

  const askIn = async <Out>(sandbox: Sandbox, name: string, input: object) => {
    await start(sandbox)
    return await sandbox.callPacked<Out>(name, { ...input, id })
  }

  const waited = (ms: number) => clock.excuse(ms)
  /** After a failure the state of the process is unknown: the next call uses a new one. */
  const call = <Out>(name: string, input: object, ending = signal) =>
    toolSandbox.use((sandbox) => askIn<Out>(sandbox, name, input), ending, waited)

  const useTool = async (name: 'tool' | 'place', input: object, workSignal: AbortSignal) => {
    const { value: outcome } = await call<ToolOutcome>(name, { ...input, caps, said }, workSignal)
    workspace.restore(new Map(outcome.changes))
    if (!isDeepStrictEqual(outcome.said.plan, said.plan)) said.plan = outcome.said.plan
    said.finish = outcome.said.finish
    return outcome.result
  }

  return {
    useTool: (toolCall, workSignal) => useTool('tool', { call: toolCall }, workSignal),
    async placePicture(toolCall, placed, workSignal) {
      const result = await useTool('place', { call: toolCall, placed }, workSignal)
      if (!result.isError) sources.set(placed.picture.digest, placed.source)
      return result
    },
    checkChange: async () => await saveCheck(deps.objects, await call<CheckOutcome>('check', {})),
    readHtml: async (html) => (await call<string>('readHtml', { html })).value,
    async [Symbol.asyncDispose]() {
      // A process that has ended has no state to discard.
      if (known?.isAlive) await known.call('end', { id }).catch(() => undefined)
    },
  }
}

interface PackedCheck {
  value: CheckOutcome
  bytes: Uint8Array
}

async function saveCheck(
  objects: ObjectStore,
  { value: { beforeBytes, afterBytes, ...found }, bytes }: PackedCheck,
): Promise<SavedCheck> {
  const at = beforeBytes ?? 0
  const before = beforeBytes === null ? null : await saveText(objects, bytes.subarray(0, at))
  const after = afterBytes === null ? null : await saveText(objects, bytes.subarray(at, at + afterBytes))
  return { ...found, before, after }
}

async function saveText(objects: ObjectStore, text: Uint8Array): Promise<string> {
  return await saveManifest(objects, await parseManifest(text))
}
