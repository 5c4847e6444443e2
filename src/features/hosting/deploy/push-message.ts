/** Messages of forges about a push: who may send them, and which branches they are about. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const PUSH_FORGES = ['github', 'gitlab', 'gitea', 'bitbucket'] as const
export type PushForge = (typeof PUSH_FORGES)[number]

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A push moves few branches; a message that names more is cut. */
const MOST_BRANCHES = 1000

interface Signature {
  forge: PushForge
  /** What its sender calls the message. */
  event: string
  /** Whether the message is from somebody who knows the secret. */
  isRight(secret: Buffer, body: Uint8Array): boolean
  /** Whether it is about a push; others, as the first one that tries the address, are taken and mean nothing. */
  isPush: boolean
  /** Whether it is about what reviewers say. */
  isReview: boolean
  /** Whether it may be about a pull request that is opened, changed or over. */
  isPullRequest: boolean
}

/** What forges call messages about comments and verdicts; the one kind names the other's events too. */
const REVIEW =
  /^(?:issue_comment|pull_request(?:_(?:review(?:_\w+)?|comment|approved|rejected))?|Note Hook|Merge Request Hook)$/

/** Of Gitea, a pull request that was pushed to is an event of its own. */
const PULL_REQUEST =
  /^(?:pull_request(?:_sync)?|Merge Request Hook|pullrequest:(?:created|updated|fulfilled|rejected))$/

/** How the sender has signed it; null when no known forge has. */
export function readSignature(headers: Headers): Signature | null {
  const one = (name: string): string => [headers[name]].flat()[0] ?? ''
  // Gitea sends the headers of others beside its own, so it is asked for first.
  if (one('x-gitea-event') !== '' || one('x-forgejo-event') !== '')
    return signed('gitea', `sha256=${one('x-gitea-signature') || one('x-forgejo-signature')}`, [
      one('x-gitea-event') || one('x-forgejo-event'),
      'push',
    ])
  if (one('x-gitlab-event') !== '')
    return {
      forge: 'gitlab',
      event: one('x-gitlab-event'),
      isRight: (secret) => isSame(Buffer.from(one('x-gitlab-token')), secret),
      isPush: one('x-gitlab-event') === 'Push Hook',
      isReview: REVIEW.test(one('x-gitlab-event')),
      isPullRequest: PULL_REQUEST.test(one('x-gitlab-event')),
    }
  if (one('x-github-event') !== '')
    return signed('github', one('x-hub-signature-256'), [one('x-github-event'), 'push'])
  const key = one('x-event-key')
  if (key !== '')
    return signed('bitbucket', one('x-hub-signature'), [key, key === 'repo:refs_changed' ? key : 'repo:push'])
  return null
}

function signed(forge: PushForge, signature: string, [event, push]: [string, string]): Signature {
  return {
    forge,
    event,
    isRight: (secret, body) =>
      isSame(
        Buffer.from(signature),
        Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`),
      ),
    isPush: event === push,
    isReview: REVIEW.test(event),
    isPullRequest: PULL_REQUEST.test(event),
  }
}

/** Takes the same time wherever they differ; how long the right one is tells nothing. */
function isSame(given: Buffer, right: Buffer): boolean {
  return given.length === right.length && timingSafeEqual(given, right)
}

/** Names of the branches that the push has deleted. */
export function deletedBranches(message: unknown): string[] {
  const { ref, after, push, changes } = fieldsOf(message)
  if (typeof ref === 'string') return isNothing(after) ? branchOf(ref) : []
  const gone = listOf(fieldsOf(push).changes).flatMap((change) => {
    const { type, name } = fieldsOf(fieldsOf(change).old)
    const isGone = fieldsOf(change).new === null
    return isGone && type === 'branch' && typeof name === 'string' ? [name] : []
  })
  const changed = listOf(changes).flatMap((change) => {
    const { ref: named, type } = fieldsOf(change)
    const { id } = fieldsOf(named)
    return typeof id === 'string' && type === 'DELETE' ? branchOf(id) : []
  })
  return [...gone, ...changed]
}

/** Names of the branches that the push has moved, without those that it has deleted. */
export function pushedBranches(message: unknown): string[] {
  const { ref, after, push, changes } = fieldsOf(message)
  if (typeof ref === 'string') return isNothing(after) ? [] : branchOf(ref)
  const moved = listOf(fieldsOf(push).changes).flatMap((change) => {
    const { type, name } = fieldsOf(fieldsOf(change).new)
    return type === 'branch' && typeof name === 'string' ? [name] : []
  })
  const changed = listOf(changes).flatMap((change) => {
    const { ref: named, type } = fieldsOf(change)
    const { id } = fieldsOf(named)
    return typeof id === 'string' && type !== 'DELETE' ? branchOf(id) : []
  })
  return [...moved, ...changed]
}

function branchOf(ref: string): string[] {
  return ref.startsWith('refs/heads/') ? [ref.slice('refs/heads/'.length)] : []
}

/** The name of no commit: what a deleted branch stands at. */
function isNothing(commit: unknown): boolean {
  return typeof commit === 'string' && /^0+$/.test(commit)
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MOST_BRANCHES) : []
}
