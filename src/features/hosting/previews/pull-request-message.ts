/** Parses messages of forges about pull requests. They are only hints; code is never read from messages. */

import type { PushForge } from '../deploy/push-message.ts'
import { MAX_BRANCH_CHARACTERS } from '../operations/previews.ts'

export interface PullRequestUpdate {
  number: number
  branch: string
  /** Whether the commits belong to another repository. */
  isFork: boolean
  /** Null while the pull request is open. */
  over: 'merged' | 'closed' | null
}

/**
 * Actions that change commits or the state, as opposed to labels, assignees and text. Contains `undefined` for
 * forges that send only the state.
 */
const RELEVANT_ACTIONS: ReadonlySet<unknown> = new Set([
  undefined,
  ...['opened', 'reopened', 'synchronize', 'synchronized', 'ready_for_review', 'closed'],
  ...['open', 'reopen', 'merge', 'close'],
])

/** Checks whether the message is about this repository, because all repositories share one webhook URL. */
export function isAboutRepository(message: unknown, address: string): boolean {
  const name = repositoryName(message)
  return name === null || hasPathEnding(address, name)
}

export function repositoryName(message: unknown): string | null {
  const { project, repository } = fields(message)
  const name = fields(project).path_with_namespace ?? fields(repository).full_name
  return typeof name === 'string' && name !== '' ? name : null
}

export function hasPathEnding(address: string, name: string): boolean {
  const addressPath = address
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
    .toLowerCase()
  return [`/${name}`, `:${name}`].some((end) => addressPath.endsWith(end.toLowerCase()))
}

/** Returns null if the message is not about a pull request or does not affect its state. */
export function readPullRequest(forge: PushForge, message: unknown): PullRequestUpdate | null {
  const parsedUpdate =
    forge === 'gitlab'
      ? parseGitlab(message)
      : forge === 'bitbucket'
        ? parseBitbucket(message)
        : parseGithubOrGitea(message)
  if (parsedUpdate === null || !Number.isSafeInteger(parsedUpdate.number) || parsedUpdate.number < 1)
    return null
  return parsedUpdate.branch.length > MAX_BRANCH_CHARACTERS ? null : parsedUpdate
}

function parseGithubOrGitea(message: unknown): PullRequestUpdate | null {
  const { action, pull_request: request } = fields(message)
  if (!RELEVANT_ACTIONS.has(action)) return null
  const { number, state, merged, head, base } = fields(request)
  const { ref, repo_id: from } = fields(head)
  const { repo_id: to } = fields(base)
  if (typeof number !== 'number' || typeof ref !== 'string') return null
  const [headId, baseId] = [from ?? fields(fields(head).repo).id, to ?? fields(fields(base).repo).id]
  return {
    number,
    branch: ref,
    // The head repository is missing if the fork was deleted.
    isFork: headId === undefined || headId !== baseId,
    over: merged === true ? 'merged' : state === 'open' ? null : 'closed',
  }
}

function parseGitlab(message: unknown): PullRequestUpdate | null {
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
  // An update with a previous commit brings new commits.
  if (!RELEVANT_ACTIONS.has(action) && (action !== 'update' || oldrev === undefined)) return null
  if (kind !== 'merge_request' || typeof iid !== 'number' || typeof branch !== 'string') return null
  const over = state === 'merged' ? 'merged' : state === 'closed' ? 'closed' : null
  return { number: iid, branch, isFork: from === undefined || from !== to, over }
}

function parseBitbucket(message: unknown): PullRequestUpdate | null {
  const { id, state, source, destination } = fields(fields(message).pullrequest)
  const { name } = fields(fields(source).branch)
  const from = fields(fields(source).repository).full_name
  const to = fields(fields(destination).repository).full_name
  if (typeof id !== 'number' || typeof name !== 'string') return null
  const over = state === 'OPEN' ? null : state === 'MERGED' ? 'merged' : 'closed'
  return { number: id, branch: name, isFork: from === undefined || from !== to, over }
}

/** Returns the ref of a pull request from a fork, or null for forges without such refs. */
export function forkRef(forge: PushForge, number: number): string | null {
  if (forge === 'bitbucket') return null
  return forge === 'gitlab' ? `refs/merge-requests/${number}/head` : `refs/pull/${number}/head`
}

/** `*` matches any characters. Takes time linear in the length of the text. */
export function matchesPattern(name: string, pattern: string): boolean {
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
