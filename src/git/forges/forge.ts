/**
 * Pull requests on GitHub, GitLab, Gitea and Forgejo, Bitbucket Cloud, or without a forge, where Octavo's
 * review page replaces them. Branches are pushed with git; a forge only handles the pull requests.
 */

import type { JobErrorCode } from '../../base/errors/permanent-error.ts'
import type { PullRequestState } from '../../features/agent/operations/agent.ts'
import type { ReviewComments } from './review-comments.ts'

export interface Forge {
  readonly kind: 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'local'
  /** Returns the newest pull request of these branches in any state, or null if there has never been one. */
  findPullRequest(branches: Branches, signal: AbortSignal): Promise<PullRequest | null>
  /** Creates a pull request. The caller must use `findPullRequest` first to prevent duplicates. */
  createPullRequest(request: NewPullRequest, signal: AbortSignal): Promise<PullRequest>
  updatePullRequest(id: string, text: { title: string; body: string }, signal: AbortSignal): Promise<void>
  /**
   * Requests reviews and adds labels to the existing ones. Idempotent. Returns a message for each reviewer or
   * label that the forge rejects.
   */
  addToPullRequest?(id: string, extras: PullRequestExtras, signal: AbortSignal): Promise<string[]>
  /** Marks a draft as ready. Absent on forges where only the title marks drafts. */
  markReadyForReview?(id: string, signal: AbortSignal): Promise<void>
  /** Reads comments of users with write access. Absent if write access cannot be determined. */
  readComments?(id: string, signal: AbortSignal): Promise<ReviewComments>
  /** Answers a comment. The caller must check for an existing answer, which is recognized by a mark. */
  answerComment?(id: string, answer: { id: string; text: string }, signal: AbortSignal): Promise<void>
  setStatus?(status: CommitStatus, signal: AbortSignal): Promise<void>
  /** Creates or updates the comment with this name on a pull request. */
  writeComment?(id: string, comment: ManagedComment, signal: AbortSignal): Promise<WrittenComment>
  /**
   * Returns the names of people with write access who gave our comment a thumbs-up after its last change. Absent where
   * comments have no reactions.
   */
  readApprovals?(id: string, comment: WrittenComment, signal: AbortSignal): Promise<string[]>
}

export interface CommitStatus {
  /** Name shown by forges, which only show the latest status of each name. */
  name: string
  commit: string
  /** Branch of the commit; null if the commit is not on a branch of this repository. */
  branch: string | null
  state: 'pending' | 'success' | 'failure'
  /** One short sentence. */
  description: string
  url: string
}

export interface ManagedComment {
  /** Identifies the comment; does not change while the pull request exists. */
  name: string
  /** In Markdown. */
  text: string
}

export interface WrittenComment {
  id: string
  /** Time of the comment's last change by the forge's clock, ISO 8601; empty if the forge does not report it. */
  at: string
}

export interface Branches {
  /** Branch with the change. */
  branch: string
  /** Branch to merge into. */
  target: string
}

export interface NewPullRequest extends Branches {
  title: string
  /** In Markdown. */
  body: string
  isDraft?: boolean
}

export interface PullRequestExtras {
  /** User names, and `organization/team` for teams. */
  reviewers: readonly string[]
  labels: readonly string[]
}

export interface PullRequest {
  /** Id on the forge: a number, or the branch in a local repository. */
  id: string
  /** URL of the web page, not of the API. */
  link: string
  state: PullRequestState
  /** Current title and body on the forge; null without a forge, because they cannot be edited then. */
  text: { title: string; body: string } | null
}

export type ForgeErrorReason =
  /** No response, or status 5xx or 429; a retry may succeed. */
  | 'unreachable'
  /** No token, a rejected token, or insufficient permissions. */
  | 'credentials_refused'
  | 'repository_missing'
  /** The forge rejects the request, with a message. */
  | 'refused'

/** Failure of a forge request, with a message for authors of docs that never contains a token. */
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

  get code(): JobErrorCode {
    return this.isTemporary ? 'forge_unreachable' : 'forge_refused'
  }

  get isTemporary(): boolean {
    return this.reason === 'unreachable'
  }
}
