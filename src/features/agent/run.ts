/** Context of one turn of a job, and helpers that its steps share. */

import type { Effort } from '../../base/api/form-choices.ts'
import type { ExclusiveGate } from '../../base/exclusive-gate.ts'
import { InternalError } from '../../base/internal-error.ts'
import type { Log } from '../../base/log.ts'
import type { GuardedFetch } from '../../base/net/guarded-fetch.ts'
import { pause } from '../../base/net/retry.ts'
import type { SecretBox } from '../../base/secret-box.ts'
import type { Database, Tx } from '../../database/database.ts'
import type { Forge, RequestExtras } from '../../git/forges/forge.ts'
import { ForgeError } from '../../git/forges/forge.ts'
import { GitError } from '../../git/git-error.ts'
import type { ProjectRepository } from '../../git/project-repository.ts'
import type { ProjectSourceDeps, ProjectSourceRow } from '../../git/project-source.ts'
import type { Model, ModelAnswer, ModelMessage, ToolDescription } from '../../model/model.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import type { JobContext } from '../../queue/job-handler.ts'
import type { RowLease } from '../../queue/leased-rows.ts'
import type { SharedLease } from '../../queue/shared-lease.ts'
import type { ToolSandboxPool } from './check/tool-sandboxes.ts'
import type { CodeReader } from './code/code-reader.ts'
import type { WebReader } from './code/web-reader.ts'
import type { FeedbackAccess } from './loop/feedback-access.ts'
import type { Room } from './loop/room.ts'
import type { AgentStatements, JobCaps } from './loop/tool.ts'
import type { ToolProcess } from './loop/tool-process.ts'
import type { WorkClock } from './loop/work-clock.ts'
import type { ExternalService } from './operations/external-services.ts'
import type { Workspace } from './publish/workspace.ts'
import type { AgentSetup } from './setup.ts'
import { addEvents, type JobRow, updateHeld } from './store.ts'
import type { Prompt } from './turn-store.ts'

export interface RunDeps {
  database: Database
  objects: ObjectStore
  git: ProjectSourceDeps
  agent: AgentSetup
  openModel: (name: string, effort: Effort | null) => Model
  /**
   * Opens the forge of a repository that is not local, with the credentials of the project's organization. Throws
   * ForgeError when there is none for it.
   */
  openForge: (row: ProjectSourceRow) => Promise<Forge>
  feedback: FeedbackAccess
  /** Runs in the transaction that records a merge; publishes the site again. */
  onMerged: (tx: Tx, project: { organizationId: string; projectId: string }) => Promise<void>
  /** US dollars; null when no price is configured. */
  costOf: (model: string, usage: ModelAnswer['usage']) => number | null
  /** Returns the number of tokens that counts towards the limit. */
  weighTokens: (model: string, usage: ModelAnswer['usage']) => number
  /** Whether the model takes pictures. */
  seesPictures: (model: string) => boolean
  /** Returns the context size of a model in tokens. */
  contextOf: (model: string) => number
  /** How long a job waits for a repository, a forge or a model that is unavailable. */
  patienceSeconds: number
  /** Author of the commits, where the project names none. */
  author: { name: string; email: string }
  commitKeys: SecretBox
  renderChildren: number
  /** Whether the agent reviews its change before it is published; a project can override this. */
  looksAgain: boolean
  /** For URLs of other sites that a change adds. */
  guardedFetch: Pick<GuardedFetch, 'fetch'>
  /** Gate for the running jobs of this process. */
  turns: ExclusiveGate
  /** Sandboxed processes for the tools of this node's jobs. */
  benches: ToolSandboxPool
  /** Checks for all jobs of this node in one query whether they still hold their rows. */
  watchHeld: (signal: AbortSignal, held: RowLease) => SharedLease
  publicUrl: () => string
  /** Secret of the node; signs review links. */
  secret: string
}

/** Context of one running turn. `job` is the row as last written. */
export interface Run {
  deps: RunDeps
  held: RowLease
  job: JobRow
  project: RunProject
  prompt: Prompt
  repository: ProjectRepository
  forge: Forge
  model: Model
  caps: JobCaps
  system: string
  /** Size limits of a request; reduced when the model rejects one as too long. */
  room: Room
  messages: ModelMessage[]
  workspace: Workspace
  /** Whether the agent reviews its change before it is published. */
  looksAgain: boolean
  /** The project's settings for pull requests at the forge. */
  requests: RequestExtras & { drafts: boolean }
  commits: CommitHabits
  seesPictures: boolean
  /** Whether somebody answers questions of this turn. */
  hasPerson: boolean
  /** Whether URLs of other sites are checked. Dead ones go back to the model once, and to reviewers after that. */
  asksAddresses: boolean
  hasReportedDeadLinks?: boolean
  tools: ToolProcess
  /** Sources of pictures placed by the job, by their digests. */
  pictureSources: ReadonlyMap<string, string>
  /** Code repositories that the agent may read. */
  code: CodeReader
  /** Pages of other sites that the agent may read. */
  pages: WebReader
  /** Tools described to the model. */
  offered: readonly ToolDescription[]
  said: AgentStatements
  /** Clock of the turn's time limit. */
  clock: WorkClock
  /** Aborts the model's work when its minutes are used up or the row is lost. */
  workSignal: AbortSignal
  /** Aborts everything when the row is lost or the server stops. */
  signal: AbortSignal
  /** Aborts only when the server stops, for actions whose outcome would otherwise be unknown. */
  serverSignal: AbortSignal
  /** Runs a function and records its duration. */
  timed: JobContext['timed']
  log: Log
}

/** How the project wants commits to be made. */
export interface CommitHabits {
  author: { name: string; email: string }
  signsOff: boolean
  namesAskers: boolean
}

export interface RunProject {
  id: string
  siteId: string
  /** `https://` and the main host name; null without a host name. */
  origin: string | null
}

/** Runs a transaction that changes the held row first. */
export async function updateRun(run: Run, change: (tx: Tx) => Promise<JobRow>): Promise<void> {
  run.job = await run.deps.database.transaction(change)
}

const FIRST_WAIT_SECONDS = 1
const MAX_WAIT_SECONDS = 60

/** Retries temporary failures of an external service for `patienceSeconds`; then throws the last error. */
export async function retryUntilAvailable<T>(
  run: Pick<Run, 'deps' | 'held' | 'log' | 'clock'>,
  service: ExternalService,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const until = performance.now() + run.deps.patienceSeconds * 1000
  for (let wait = FIRST_WAIT_SECONDS; ; wait = Math.min(wait * 2, MAX_WAIT_SECONDS)) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (!isTemporary(error)) throw error
      const requestedSeconds = error instanceof ForgeError ? error.retryAfterSeconds : null
      const seconds = Math.max(requestedSeconds ?? 0, wait * (0.5 + Math.random() / 2))
      if (performance.now() + seconds * 1000 > until) throw error
      run.log.info({ what: service, seconds, error: (error as Error).message }, 'agent.waiting')
      await reportWaiting(run, service, seconds)
      run.clock.excuse(seconds * 1000)
      await pause(seconds * 1000, signal)
    }
  }
}

export async function reportWaiting(
  { deps, held }: Pick<Run, 'deps' | 'held'>,
  service: ExternalService,
  seconds: number,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await updateHeld(tx, held, {})
    await addEvents(tx, held.id, [{ type: 'waiting', data: { for: service, seconds: Math.round(seconds) } }])
  })
}

export function isTemporary(error: unknown): boolean {
  if (error instanceof InternalError) return true
  return (error instanceof GitError || error instanceof ForgeError) && error.isTemporary
}
