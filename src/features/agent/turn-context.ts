/** Context of one turn of a job, shared by its steps. */

import type { Effort } from '../../base/api/form-choices.ts'
import type { ExclusiveGate } from '../../base/exclusive-gate.ts'
import type { Log } from '../../base/log.ts'
import type { GuardedFetch } from '../../base/net/guarded-fetch.ts'
import type { SecretBox } from '../../base/secret-box.ts'
import type { Database, Tx } from '../../database/database.ts'
import type { Forge, PullRequestExtras } from '../../git/forges/forge.ts'
import type { ProjectRepository } from '../../git/project-repository.ts'
import type { ProjectSourceDeps, ProjectSourceRow } from '../../git/project-source.ts'
import type { Model, ModelMessage, ModelResponse, ToolDescription } from '../../model/model.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import type { JobContext } from '../../queue/job-handler.ts'
import type { RowLease } from '../../queue/leased-rows.ts'
import type { SharedLease } from '../../queue/shared-lease.ts'
import type { ToolSandboxPool } from './check/tool-sandboxes.ts'
import type { CodeReader } from './code/code-reader.ts'
import type { WebReader } from './code/web-reader.ts'
import type { Room } from './loop/context-budget.ts'
import type { FeedbackAccess } from './loop/feedback-access.ts'
import type { AgentStatements, JobCaps } from './loop/tool.ts'
import type { ToolProcess } from './loop/tool-process.ts'
import type { WorkClock } from './loop/work-clock.ts'
import type { Workspace } from './publish/workspace.ts'
import type { AgentSetup } from './setup.ts'
import type { JobRow } from './store.ts'
import type { Prompt } from './turn-store.ts'

export interface RunDeps {
  database: Database
  objects: ObjectStore
  git: ProjectSourceDeps
  agent: AgentSetup
  openModel: (name: string, effort: Effort | null) => Model
  /**
   * Opens the forge of a repository that is not local, with the credentials of the project's organization.
   * Throws ForgeError if no forge is configured for the repository.
   */
  openForge: (row: ProjectSourceRow) => Promise<Forge>
  feedback: FeedbackAccess
  /** Runs in the transaction that records a merge; starts a new deployment of the site. */
  onMerged: (tx: Tx, project: { organizationId: string; projectId: string }) => Promise<void>
  /** In US dollars; null if no price is configured for the model. */
  costOf: (model: string, usage: ModelResponse['usage']) => number | null
  /** Returns the number of tokens to count towards the limit. */
  weighTokens: (model: string, usage: ModelResponse['usage']) => number
  seesPictures: (model: string) => boolean
  /** Returns the context size of a model in tokens. */
  contextOf: (model: string) => number
  /** Time for which a job retries an unavailable repository, forge or model. */
  patienceSeconds: number
  /** Author of the commits if the project configures none. */
  author: { name: string; email: string }
  commitKeys: SecretBox
  renderChildren: number
  /** Whether the agent reviews its change before publication; a project can override this. */
  looksAgain: boolean
  /** Path of the program that applies the prose rules of docs folders; null uses the built-in rules. */
  vale: string | null
  /** Checks the URLs of other sites that a change adds. */
  guardedFetch: Pick<GuardedFetch, 'fetch'>
  turns: ExclusiveGate
  /** Sandboxes in which the tools of this node's jobs run. */
  toolSandboxes: ToolSandboxPool
  /** Checks in one query whether the jobs of this node still hold their leases. */
  watchHeld: (signal: AbortSignal, held: RowLease) => SharedLease
  publicUrl: () => string
  /** Signs review links. */
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
  looksAgain: boolean
  requests: PullRequestExtras & { drafts: boolean }
  commits: CommitHabits
  seesPictures: boolean
  /** Whether a user can answer questions in this turn. */
  hasPerson: boolean
  /** Whether URLs of other sites are checked. Dead URLs are reported to the model, then to the reviewers. */
  asksAddresses: boolean
  hasReportedDeadLinks?: boolean
  tools: ToolProcess
  pictureSources: ReadonlyMap<string, string>
  code: CodeReader
  /** Reads pages of the other sites that the project permits. */
  pages: WebReader
  offered: readonly ToolDescription[]
  said: AgentStatements
  clock: WorkClock
  /** Aborts the model's work when the time limit is reached or the row is lost. */
  workSignal: AbortSignal
  /** Aborts everything when the row is lost or the server stops. */
  signal: AbortSignal
  /** Aborts only when the server stops; for actions that would otherwise end with an unknown outcome. */
  serverSignal: AbortSignal
  timed: JobContext['timed']
  log: Log
}

export interface CommitHabits {
  author: { name: string; email: string }
  signsOff: boolean
  namesAskers: boolean
}

export interface RunProject {
  id: string
  siteId: string
  /** `https://` and the main host name; null if the project has no host name. */
  origin: string | null
}

export async function updateRun(run: Run, change: (tx: Tx) => Promise<JobRow>): Promise<void> {
  run.job = await run.deps.database.transaction(change)
}
