/**
 * The pull request side of a repository: GitHub, GitLab, Gitea and Forgejo, Bitbucket Cloud, or none, where Octavo's own
 * review page takes its place. Branches are pushed with git; a forge is only asked about requests between them.
 */

import type { JobErrorCode } from '../../base/errors/job-errors.ts'
import type { PullRequestState } from '../../features/agent/operations/agent.ts'
import type { ReviewComments } from './review-comments.ts'

export interface Forge {
  readonly kind: 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'local'
  /** The newest request from this branch into that one, in whatever state; null when there was never one. */
  findPullRequest(branches: Branches, signal: AbortSignal): Promise<PullRequest | null>
  /** Call `findPullRequest` first: two requests from one branch are what this port exists to prevent. */
  createPullRequest(request: NewPullRequest, signal: AbortSignal): Promise<PullRequest>
  /** Replaces title and text of an open request. */
  updatePullRequest(id: string, text: { title: string; body: string }, signal: AbortSignal): Promise<void>
  /**
   * Asks people for a review and adds labels, beside those that are there; again does no harm. Tells what the forge does
   * not have, in a sentence each.
   */
  addToPullRequest?(id: string, wanted: RequestExtras, signal: AbortSignal): Promise<string[]>
  /** People may merge it now. Left out where a draft is one by its title alone. */
  endDraft?(id: string, signal: AbortSignal): Promise<void>
  /** What people who may write to the repository said of a request. Left out where nobody can tell who may. */
  readComments?(id: string, signal: AbortSignal): Promise<ReviewComments>
  /** Look for an answer first: two of them to one comment are what the marks exist to prevent. */
  answerComment?(id: string, answer: { id: string; text: string }, signal: AbortSignal): Promise<void>
  /** Says beside a commit what became of it. Left out where there is no forge. */
  setStatus?(status: CommitStatus, signal: AbortSignal): Promise<void>
  /** Makes the one comment of that name at a request, or changes it. */
  keepComment?(id: string, comment: KeptComment, signal: AbortSignal): Promise<void>
}

export interface CommitStatus {
  commit: string
  /** Of the branch that it came with; null: none of this repository. */
  branch: string | null
  state: 'pending' | 'success' | 'failure'
  /** One short sentence. */
  description: string
  url: string
}

export interface KeptComment {
  /** What tells our comment from others; lasts as long as the pull request. */
  name: string
  /** Markdown. */
  text: string
}

export interface Branches {
  /** The branch with the change. */
  branch: string
  /** The branch it is meant for. */
  target: string
}

export interface NewPullRequest extends Branches {
  title: string
  /** Markdown. */
  body: string
  /** Not to be merged yet. */
  isDraft?: boolean
}

export interface RequestExtras {
  /** Names of users, `organization/team` for a team. */
  reviewers: readonly string[]
  labels: readonly string[]
}

export interface PullRequest {
  /** What the forge calls it: a number, or for a local one its branch. */
  id: string
  /** Where a person sees it. */
  link: string
  state: PullRequestState
  /** As they are at the forge by now; null where nobody can write them there. */
  text: { title: string; body: string } | null
}

export type ForgeErrorReason =
  /** Cannot be reached, or answers 5xx or 429: may help to wait. */
  | 'unreachable'
  /** No token, a refused one, or one without the permission. */
  | 'credentials_refused'
  | 'repository_missing'
  /** The forge refuses the request itself, in words of its own. */
  | 'refused'

/** Why a forge did not do it, as a sentence for a docs person; never holds a token. */
export class ForgeError extends Error {
  override name = 'ForgeError'
  readonly reason: ForgeErrorReason
  readonly retryAfterSeconds: number | null

  constructor(
    reason: ForgeErrorReason,
    sentence: string,
    more: { retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(sentence, { cause: more.cause })
    this.reason = reason
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }

  /** Of a job that ends with it. */
  get code(): JobErrorCode {
    return this.isTemporary ? 'forge_unreachable' : 'forge_refused'
  }

  get isTemporary(): boolean {
    return this.reason === 'unreachable'
  }
}
