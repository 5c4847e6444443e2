/** Interface of the agent's tools. A tool can access the job's own workspace and nothing else. */

import type { Problem } from '../../../base/errors/problem.ts'
import type { ToolDescription } from '../../../model/model.ts'
import type { PlanItem } from '../operations/agent.ts'
import type { CodeReference } from '../operations/agent-review.ts'
import type { Workspace } from '../publish/workspace.ts'
import type { GuideSection } from './instructions.ts'

export interface ToolContext {
  workspace: Workspace
  caps: Pick<JobCaps, 'files' | 'bytes'>
  /** Sections of the site's instructions that the system prompt leaves out. */
  guide: readonly GuideSection[]
  /** Finds problems caused by the changes, as in `check` and in the check before publishing. */
  findNewProblems(signal: AbortSignal): Promise<Problem[]>
  /** Returns the text of a page as it currently renders, by its file. Throws ToolRefusal if it is not a page. */
  previewPage(path: string, signal: AbortSignal): Promise<string>
  /** The agent's plan and final statement so far; tools update it. */
  said: AgentStatements
  signal: AbortSignal
}

export interface AgentStatements {
  plan: PlanItem[]
  finish: Finish | null
  /** Question to the person who gave the task. */
  question?: string
}

export interface Finish {
  title: string
  summary: string
  reasons: Record<string, string>
  requestTitle?: string
  answers?: Record<string, string>
  replies?: Record<string, string>
  /** Claims about code, not verified yet. */
  claims?: CodeClaim[]
  references?: CodeReference[]
  dropped?: string[]
}

export interface CodeClaim {
  claim: string
  repository: string
  path: string
  line: number
  endLine: number
  quote: string
}

/** Limits of one turn. It ends when steps, tokens or minutes are used up; further files or bytes are rejected. */
export interface JobCaps {
  /** Number of model responses. */
  steps: number
  /** Input and output tokens. */
  tokens: number
  minutes: number
  files: number
  bytes: number
}

/** Server component that runs tools for resources outside the docs: code, other sites, their images, people. */
export type ToolBackend = 'code' | 'pages' | 'pictures' | 'person'

export interface Tool extends ToolDescription {
  /** Absent for a tool that runs in the process that works on the docs. */
  backend?: ToolBackend
  /**
   * `input` is the unvalidated input from the model. Returns text for the model; throws ToolRefusal with a message
   * about what to do instead.
   */
  run(context: ToolContext, input: unknown): Promise<string>
}

export class ToolRefusal extends Error {
  override name = 'ToolRefusal'
}
