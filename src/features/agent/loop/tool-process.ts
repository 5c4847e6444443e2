/**
 * Runs the tools of one job in a sandboxed process, because they read text by the repository's authors and by the
 * model. The process affects nothing except through its answers. It is shared with other jobs at the same commit;
 * whenever it has been replaced, the new one receives the current changes.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../../base/errors/problem.ts'
import type { ToolCall, ToolResult } from '../../../model/model.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { parseManifest } from '../../../render/versions/manifest-text.ts'
import { saveManifest } from '../../../render/versions/site-versions.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import type { ChangeCheck, CheckedChange } from '../check/check-change.ts'
import type { ToolSandbox } from '../check/tool-sandboxes.ts'
import type { Workspace } from '../publish/workspace.ts'
import type { Content, Picture } from '../review/change-content.ts'
import type { GuideSection } from './instructions.ts'
import type { AgentStatements, JobCaps } from './tool.ts'
import type { WorkClock } from './work-clock.ts'

/** A check, with the keys of its manifests in place of them. */
export interface SavedCheck extends Omit<ChangeCheck, 'before' | 'after'> {
  before: string | null
  after: string | null
}

/** Start message to the process; plain data. */
export interface ToolStart {
  /** Id of the job within the process. */
  id: number
  changes: readonly (readonly [path: string, content: Content | null])[]
  begun: ToolStart['changes']
  scope: readonly string[]
  siteId: string
  origin: string | null
  names: readonly string[]
  renderChildren: number
  guide: readonly GuideSection[]
  /** Sources of pictures placed by the job, by their digests. */
  sources: readonly (readonly [digest: string, source: string])[]
}

export interface ToolCallInput {
  id: number
  call: ToolCall
  caps: Pick<JobCaps, 'files' | 'bytes'>
  said: AgentStatements
}

/** A picture from elsewhere that is to be validated and written as a file. */
export interface PlacedPicture {
  /** Destination path as the model wrote it. */
  path: string
  picture: Picture
  /** Human-readable description of where it came from. */
  source: string
}

export type PlaceInput = ToolCallInput & { placed: PlacedPicture }

/** Result of a call: the files and the agent's statements after it. */
export interface ToolOutcome {
  result: ToolResult
  said: AgentStatements
  changes: ToolStart['changes']
}

/** Result of a check. The manifests follow as concatenated bytes; their lengths are null when there is none. */
export interface CheckOutcome {
  problems: Problem[]
  risks: ChangeCheck['risks']
  diff: ChangeCheck['diff']
  prose: ChangeCheck['prose']
  addresses: ChangeCheck['addresses']
  beforeBytes: number | null
  afterBytes: number | null
}

/** Used by one call at a time. All reject with the signal's reason, and with ProcessLimitError when the process was ended. */
export interface ToolProcess {
  /** Runs a tool call: updates the workspace and the agent's statements. `workSignal` ends this call only. */
  useTool(call: ToolCall, workSignal: AbortSignal): Promise<ToolResult>
  /** Completes a call that placed a picture. */
  placePicture(call: ToolCall, placed: PlacedPicture, workSignal: AbortSignal): Promise<ToolResult>
  checkChange(): Promise<SavedCheck>
  /** Converts a page of another site to Markdown. */
  readHtml(html: string): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

/** Last id given to a job; the ids tell apart jobs that share a process. */
let lastId = 0

interface ToolProcessInput extends CheckedChange {
  workspace: Workspace
  caps: JobCaps
  said: AgentStatements
  bench: ToolSandbox
  clock: WorkClock
  guide: readonly GuideSection[]
  /** See `ToolStart`; grows with every placed picture. */
  sources: Map<string, string>
}

export function openToolProcess(
  deps: { renderChildren: number; objects: ObjectStore },
  change: ToolProcessInput,
  signal: AbortSignal,
): ToolProcess {
  const { workspace, caps, said, bench, clock, sources } = change
  const id = ++lastId
  /** The process that has received the workspace. */
  let known: Sandbox | null = null

  const start = async (sandbox: Sandbox): Promise<void> => {
    if (known === sandbox) return
    await sandbox.call('start', toToolStart(change, id, deps.renderChildren))
    known = sandbox
  }

  const askIn = async <Out>(sandbox: Sandbox, name: string, input: object) => {
    await start(sandbox)
    return await sandbox.callPacked<Out>(name, { ...input, id })
  }

  const waited = (ms: number) => clock.excuse(ms)
  /** After a failure the state of the process is unknown: the next call uses a new one. */
  const call = <Out>(name: string, input: object, ending = signal) =>
    bench.use((sandbox) => askIn<Out>(sandbox, name, input), ending, waited)

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
      // A process that has ended holds no state.
      if (known?.isAlive) await known.call('end', { id }).catch(() => undefined)
    },
  }
}

function toToolStart(
  { workspace, begun, siteId, origin, names, guide, sources }: ToolProcessInput,
  id: number,
  renderChildren: number,
): ToolStart {
  const { changes, scope } = workspace
  return {
    id,
    renderChildren,
    changes: [...changes],
    begun: [...begun],
    scope,
    siteId,
    origin,
    names,
    guide,
    sources: [...sources],
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
