/** Messages of forges about pull requests and branches that are gone. What they say is looked at, never believed of code. */

import type { PushForge } from '../deploy/push-message.ts'
import { BRANCH_CHARACTERS } from '../operations/previews.ts'

export interface PullRequestNews {
  number: number
  branch: string
  /** Its commits are of another repository. */
  isFork: boolean
  /** Null: it is open. */
  over: 'merged' | 'closed' | null
}

/** What changes commits or the state; labels, people and words do not. Left out: the forge says only what is. */
const MOVES: ReadonlySet<unknown> = new Set([
  undefined,
  ...['opened', 'reopened', 'synchronize', 'synchronized', 'ready_for_review', 'closed'],
  ...['open', 'reopen', 'merge', 'close'],
])

/** Whether it is about the repository of this address: automations are told of others at the same one. */
export function isOfRepository(message: unknown, address: string): boolean {
  const name = repositoryName(message)
  return name === null || endsIn(address, name)
}

/** As the forge calls it; null where the message does not say. */
export function repositoryName(message: unknown): string | null {
  const { project, repository } = fields(message)
  const name = fields(project).path_with_namespace ?? fields(repository).full_name
  return typeof name === 'string' && name !== '' ? name : null
}

export function endsIn(address: string, name: string): boolean {
  const place = address
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
    .toLowerCase()
  return [`/${name}`, `:${name}`].some((end) => place.endsWith(end.toLowerCase()))
}

/** Null for what is no message about a pull request, and for one after which it stands as before. */
export function readPullRequest(forge: PushForge, message: unknown): PullRequestNews | null {
  const news =
    forge === 'gitlab'
      ? atGitlab(message)
      : forge === 'bitbucket'
        ? atBitbucket(message)
        : atGithubOrGitea(message)
  if (news === null || !Number.isSafeInteger(news.number) || news.number < 1) return null
  return news.branch.length > BRANCH_CHARACTERS ? null : news
}

function atGithubOrGitea(message: unknown): PullRequestNews | null {
  const { action, pull_request: request } = fields(message)
  if (!MOVES.has(action)) return null
  const { number, state, merged, head, base } = fields(request)
  const { ref, repo_id: from } = fields(head)
  const { repo_id: to } = fields(base)
  if (typeof number !== 'number' || typeof ref !== 'string') return null
  const [headId, baseId] = [from ?? fields(fields(head).repo).id, to ?? fields(fields(base).repo).id]
  return {
    number,
    branch: ref,
    // Of a fork that is deleted nothing is said.
    isFork: headId === undefined || headId !== baseId,
    over: merged === true ? 'merged' : state === 'open' ? null : 'closed',
  }
}

function atGitlab(message: unknown): PullRequestNews | null {
  const { object_kind: kind, object_attributes: request } = fields(message)
  const {
    action,
    oldrev,
    iid,
    state,
    source_branch: branch,
    source_project_id: from,
    target_project_id: to,
  } = fields(request)
  // An update with another commit before it brings commits.
  if (!MOVES.has(action) && (action !== 'update' || oldrev === undefined)) return null
  if (kind !== 'merge_request' || typeof iid !== 'number' || typeof branch !== 'string') return null
  const over = state === 'merged' ? 'merged' : state === 'closed' ? 'closed' : null
  return { number: iid, branch, isFork: from === undefined || from !== to, over }
}

function atBitbucket(message: unknown): PullRequestNews | null {
  const { id, state, source, destination } = fields(fields(message).pullrequest)
  const { name } = fields(fields(source).branch)
  const from = fields(fields(source).repository).full_name
  const to = fields(fields(destination).repository).full_name
  if (typeof id !== 'number' || typeof name !== 'string') return null
  const over = state === 'OPEN' ? null : state === 'MERGED' ? 'merged' : 'closed'
  return { number: id, branch: name, isFork: from === undefined || from !== to, over }
}

/** What git reads of a pull request from a fork; null where the forge keeps no ref of it. */
export function forkRef(forge: PushForge, number: number): string | null {
  if (forge === 'bitbucket') return null
  return forge === 'gitlab' ? `refs/merge-requests/${number}/head` : `refs/pull/${number}/head`
}

/** `*` stands for any characters. Takes time that grows with the text and no more. */
export function fitsPattern(name: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (parts.length === 1) return name === pattern
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= name.length - last.length
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
