/**
 * Pull requests of a repository: on GitHub, GitLab, Gitea and Forgejo, Bitbucket Cloud, or without a forge, where
 * Octavo's review page replaces them. Branches are pushed with git; a forge only handles the pull requests.
 */

import type { JobErrorCode } from '../../base/errors/job-errors.ts'
import type { PullRequestState } from '../../features/agent/operations/agent.ts'
import type { ReviewComments } from './review-comments.ts'

export interface Forge {
  readonly kind: 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'local'
  /** Returns the newest pull request for these branches, in any state, or null if there has never been one. */
  findPullRequest(branches: Branches, signal: AbortSignal): Promise<PullRequest | null>
  /** Creates a pull request. Call `findPullRequest` first, to avoid duplicates for one branch. */
  createPullRequest(request: NewPullRequest, signal: AbortSignal): Promise<PullRequest>
  /** Replaces title and text of an open pull request. */
  updatePullRequest(id: string, text: { title: string; body: string }, signal: AbortSignal): Promise<void>
  /**
   * Requests reviews and adds labels, keeping present ones. Idempotent. Returns a sentence for everything that the
   * forge does not have.
   */
  addToPullRequest?(id: string, extras: RequestExtras, signal: AbortSignal): Promise<string[]>
  /** Marks a draft as ready. Absent where drafts are indicated only by their title. */
  markReadyForReview?(id: string, signal: AbortSignal): Promise<void>
  /** Reads comments of people with write access to the repository. Absent where write access cannot be determined. */
  readComments?(id: string, signal: AbortSignal): Promise<ReviewComments>
  /** Answers a comment. Check for an existing answer first; the marks exist to prevent duplicates. */
  answerComment?(id: string, answer: { id: string; text: string }, signal: AbortSignal): Promise<void>
  /** Sets the status of a commit. Absent without a forge. */
  setStatus?(status: CommitStatus, signal: AbortSignal): Promise<void>
  /** Creates or updates the single comment of that name on a pull request. */
  keepComment?(id: string, comment: ManagedComment, signal: AbortSignal): Promise<void>
}

export interface CommitStatus {
  commit: string
  /** Branch of the commit; null if it is not a branch of this repository. */
  branch: string | null
  state: 'pending' | 'success' | 'failure'
  /** One short sentence. */
  description: string
  url: string
}

export interface ManagedComment {
  /** Identifies our comment; stays the same for the lifetime of the pull request. */
  name: string
  /** Markdown. */
  text: string
}

export interface Branches {
  /** Branch that contains the change. */
  branch: string
  /** Branch to merge into. */
  target: string
}

export interface NewPullRequest extends Branches {
  title: string
  /** Markdown. */
  body: string
  /** Not ready to be merged. */
  isDraft?: boolean
}

export interface RequestExtras {
  /** User names; `organization/team` for a team. */
  reviewers: readonly string[]
  labels: readonly string[]
}

export interface PullRequest {
  /** Identifier on the forge: a number, or for a local repository the branch. */
  id: string
  /** URL for people. */
  link: string
  state: PullRequestState
  /** Current title and body on the forge; null where nobody can edit them. */
  text: { title: string; body: string } | null
}

export type ForgeErrorReason =
  /** No response, or status 5xx or 429: a retry may help. */
  | 'unreachable'
  /** No token, a rejected one, or insufficient permissions. */
  | 'credentials_refused'
  | 'repository_missing'
  /** The forge rejects the request itself, with a message. */
  | 'refused'

/** Failure of a forge request, with a sentence for documentation authors that never contains a token. */
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

  /** Error code for a job that ends with this error. */
  get code(): JobErrorCode {
    return this.isTemporary ? 'forge_unreachable' : 'forge_refused'
  }

  get isTemporary(): boolean {
    return this.reason === 'unreachable'
  }
}
