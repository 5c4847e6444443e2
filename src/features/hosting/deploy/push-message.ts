/** Push messages of forges: verifies the sender and extracts the branches. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const PUSH_FORGES = ['github', 'gitlab', 'gitea', 'bitbucket'] as const
export type PushForge = (typeof PUSH_FORGES)[number]

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A push moves few branches; further branches are ignored. */
const MAX_BRANCHES = 1000

interface Signature {
  forge: PushForge
  /** Name of the event in the sender's format. */
  event: string
  isRight(secret: Buffer, body: Uint8Array): boolean
  /** False for other messages, such as the initial ping, which are accepted and ignored. */
  isPush: boolean
  isReview: boolean
  /** Whether the message may concern an opened, changed or closed pull request. */
  isPullRequest: boolean
}

/** Names of events for comments and reviews; a single pattern, because forges share some names. */
const REVIEW_EVENTS =
  /^(?:issue_comment|pull_request(?:_(?:review(?:_\w+)?|comment|approved|rejected))?|Note Hook|Merge Request Hook)$/

/** Gitea has a separate event for pushes to pull requests. */
const PULL_REQUEST_EVENTS =
  /^(?:pull_request(?:_sync)?|Merge Request Hook|pullrequest:(?:created|updated|fulfilled|rejected))$/

/** Returns null if the message comes from no known forge. */
export function readSignature(headers: Headers): Signature | null {
  const one = (name: string): string => [headers[name]].flat()[0] ?? ''
  // Must be the first check, because Gitea also sends the headers of other forges.
  if (one('x-gitea-event') !== '' || one('x-forgejo-event') !== '')
    return createSignature('gitea', `sha256=${one('x-gitea-signature') || one('x-forgejo-signature')}`, [
      one('x-gitea-event') || one('x-forgejo-event'),
      'push',
    ])
  if (one('x-gitlab-event') !== '')
    return {
      forge: 'gitlab',
      event: one('x-gitlab-event'),
      isRight: (secret) => isSame(Buffer.from(one('x-gitlab-token')), secret),
      isPush: one('x-gitlab-event') === 'Push Hook',
      isReview: REVIEW_EVENTS.test(one('x-gitlab-event')),
      isPullRequest: PULL_REQUEST_EVENTS.test(one('x-gitlab-event')),
    }
  if (one('x-github-event') !== '')
    return createSignature('github', one('x-hub-signature-256'), [one('x-github-event'), 'push'])
  const key = one('x-event-key')
  if (key !== '')
    return createSignature('bitbucket', one('x-hub-signature'), [
      key,
      key === 'repo:refs_changed' ? key : 'repo:push',
    ])
  return null
}

function createSignature(forge: PushForge, signature: string, [event, push]: [string, string]): Signature {
  return {
    forge,
    event,
    isRight: (secret, body) =>
      isSame(
        Buffer.from(signature),
        Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`),
      ),
    isPush: event === push,
    isReview: REVIEW_EVENTS.test(event),
    isPullRequest: PULL_REQUEST_EVENTS.test(event),
  }
}

/** Compares in constant time. The length of the correct signature is not secret. */
function isSame(given: Buffer, right: Buffer): boolean {
  return given.length === right.length && timingSafeEqual(given, right)
}

export function deletedBranches(message: unknown): string[] {
  const { ref, after, push, changes } = fieldsOf(message)
  if (typeof ref === 'string') return isNullCommit(after) ? branchOf(ref) : []
  const deleted = listOf(fieldsOf(push).changes).flatMap((change) => {
    const { type, name } = fieldsOf(fieldsOf(change).old)
    const isGone = fieldsOf(change).new === null
    return isGone && type === 'branch' && typeof name === 'string' ? [name] : []
  })
  const changed = listOf(changes).flatMap((change) => {
    const { ref: named, type } = fieldsOf(change)
    const { id } = fieldsOf(named)
    return typeof id === 'string' && type === 'DELETE' ? branchOf(id) : []
  })
  return [...deleted, ...changed]
}

export function pushedBranches(message: unknown): string[] {
  const { ref, after, push, changes } = fieldsOf(message)
  if (typeof ref === 'string') return isNullCommit(after) ? [] : branchOf(ref)
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

function isNullCommit(commit: unknown): boolean {
  return typeof commit === 'string' && /^0+$/.test(commit)
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_BRANCHES) : []
}
