/** What a tool of the agent is, and what it may reach: the job's own workspace, and nothing else. */

import type { Problem } from '../../../base/errors/problem.ts'
import type { ToolDescription } from '../../../model/model.ts'
import type { PlanItem } from '../operations/agent.ts'
import type { CodeReference } from '../operations/agent-review.ts'
import type { Workspace } from '../publish/workspace.ts'
import type { GuideSection } from './instructions.ts'

export interface ToolContext {
  workspace: Workspace
  caps: Pick<JobCaps, 'files' | 'bytes'>
  /** Sections of the site's own instructions that are not told whole. */
  guide: readonly GuideSection[]
  /** Problems of the site that the changes brought, as `check` and the check before publishing see them. */
  findNewProblems(signal: AbortSignal): Promise<Problem[]>
  /** Rendered text of a page as it is now, by its file. Throws ToolRefusal when it is no page. */
  previewPage(path: string, signal: AbortSignal): Promise<string>
  /** What the agent said so far of its plan and its end; tools change it. */
  said: Said
  signal: AbortSignal
}

export interface Said {
  plan: PlanItem[]
  finish: Finish | null
  /** To the person who gave the task. */
  question?: string
}

/** The agent's account of its work. */
export interface Finish {
  title: string
  summary: string
  /** Why each file changed, by path. */
  reasons: Record<string, string>
  /** Title of the pull request as a whole, when it is to be another one. */
  requestTitle?: string
  /** How entries of feedback are answered, by their ids. */
  answers?: Record<string, string>
  /** To comments of reviewers, by their ids. */
  replies?: Record<string, string>
  /** What it says to rest on code; not looked up yet. */
  claims?: CodeClaim[]
  /** The claims that were found where they say. */
  references?: CodeReference[]
  /** Those that were not, each as a sentence. */
  dropped?: string[]
}

/** Of the model. */
export interface CodeClaim {
  claim: string
  repository: string
  path: string
  line: number
  endLine: number
  /** A text that stands in these lines. */
  quote: string
}

/** Ends for one turn of a job. At the end of its steps, tokens or minutes it is over; more files or bytes are refused. */
export interface JobCaps {
  /** Answers of the model. */
  steps: number
  /** Input and output together. */
  tokens: number
  minutes: number
  /** Files changed. */
  files: number
  /** Bytes of all changed files together. */
  bytes: number
}

/** Where the server carries out what reaches further than the docs: to code, other sites, pictures of either, people. */
export type Desk = 'code' | 'pages' | 'pictures' | 'person'

export interface Tool extends ToolDescription {
  /** Absent: it is carried out in the process of the docs. */
  desk?: Desk
  /**
   * `input` is whatever the model wrote. Answers text for the model; throws ToolRefusal with a sentence that tells the
   * model what to do instead.
   */
  run(context: ToolContext, input: unknown): Promise<string>
}

/** A use of a tool that is refused; the job goes on. */
export class ToolRefusal extends Error {
  override name = 'ToolRefusal'
}
