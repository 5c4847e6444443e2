/**
 * Parses webhook messages of forges about comments, and about opened and merged pull requests. Reads only
 * fields documented by GitHub, GitLab, Gitea with Forgejo, and Bitbucket Cloud; ignores messages without
 * them.
 */

export interface ForgeSubject {
  /** `owner/name`, such as `acme/docs`. */
  repository: string
  kind: 'pull request' | 'issue'
  number: number
  title: string
  /** URL of the web page, not of the API. */
  link: string
}

export interface ForgeComment {
  kind: 'comment'
  /** Id assigned by the forge; does not change when the message is delivered again. */
  id: string
  author: string
  /** Untrusted text. */
  text: string
  subject: ForgeSubject
  location: { path: string; line: number | null } | null
}

export interface ForgePullRequest {
  kind: 'pull_request'
  happened: 'opened' | 'merged'
  author: string
  text: string
  subject: ForgeSubject
  branch: string
  target: string
  /** Merge commit; null before the merge or if the forge does not report it. */
  commit: string | null
}

export type ForgeEvent = ForgeComment | ForgePullRequest

/** Maximum lengths of third-party text in characters. */
const MAX_LENGTHS = { name: 200, title: 300, link: 2000, text: 20_000 } as const

const EVENT_READERS = new Map([
  ['github', readGitHub],
  ['gitea', readGitHub],
  ['gitlab', readGitLab],
  ['bitbucket', readBitbucket],
])

/** `event` is the value of the forge's event header. Returns null for all other events. */
export function readForgeEvent(forge: string, event: string, message: unknown): ForgeEvent | null {
  return EVENT_READERS.get(forge)?.(event, message) ?? null
}

/** Gitea uses GitHub's format, with separate events for comments on pull requests and for review verdicts. */
function readGitHub(event: string, message: unknown): ForgeEvent | null {
  const action = readPath(message, 'action')
  const repository = readWord(message, 'repository', 'full_name')
  const request = readPath(message, 'pull_request')
  if (event === 'pull_request') {
    const happened = action === 'opened' ? 'opened' : isMerge(action, request) ? 'merged' : null
    return toPullRequest(happened, gitHubSubject(repository, request, 'pull request'), {
      author: readWord(request, 'user', 'login'),
      text: text(request, 'body'),
      branch: readWord(request, 'head', 'ref'),
      target: readWord(request, 'base', 'ref'),
      commit: readWord(request, 'merge_commit_sha'),
    })
  }
  if (action !== 'created' && action !== 'submitted') return null
  const issue = readPath(message, 'issue')
  const isIssue =
    request === undefined && readPath(issue, 'pull_request') == null && readPath(message, 'is_pull') !== true
  const said = readPath(message, 'comment') ?? readPath(message, 'review')
  return toComment(gitHubSubject(repository, request ?? issue, isIssue ? 'issue' : 'pull request'), {
    id: id(said, 'id'),
    author: readWord(said, 'user', 'login'),
    text: text(said, 'body'),
    path: readWord(said, 'path'),
    line: number(said, 'line'),
  })
}

function isMerge(action: unknown, request: unknown): boolean {
  return action === 'closed' && readPath(request, 'merged') === true
}

function gitHubSubject(repository: string | null, subject: unknown, kind: ForgeSubject['kind']) {
  return { repository, kind, ...numbered(subject, 'number'), link: link(subject, 'html_url') }
}

function readGitLab(event: string, message: unknown): ForgeEvent | null {
  const repository = readWord(message, 'project', 'path_with_namespace')
  const author = readWord(message, 'user', 'username')
  const done = readPath(message, 'object_attributes')
  const action = readPath(done, 'action')
  if (event === 'Merge Request Hook') {
    const happened = action === 'open' ? 'opened' : action === 'merge' ? 'merged' : null
    const subject = {
      repository,
      kind: 'pull request' as const,
      ...numbered(done, 'iid'),
      link: link(done, 'url'),
    }
    return toPullRequest(happened, subject, {
      author,
      text: text(done, 'description'),
      branch: readWord(done, 'source_branch'),
      target: readWord(done, 'target_branch'),
      commit: readWord(done, 'merge_commit_sha'),
    })
  }
  // Before version 17, GitLab sends comment events only for new comments, and without an action.
  if (event !== 'Note Hook' || (action ?? 'create') !== 'create') return null
  const request = readPath(message, 'merge_request')
  const about = request ?? readPath(message, 'issue')
  const subject = {
    repository,
    kind: request === undefined ? ('issue' as const) : ('pull request' as const),
    ...numbered(about, 'iid'),
    link: link(about, 'url') ?? link(done, 'url'),
  }
  return toComment(subject, {
    id: id(done, 'id'),
    author,
    text: text(done, 'note'),
    path: readWord(done, 'position', 'new_path'),
    line: number(done, 'position', 'new_line'),
  })
}

/** Identifies users by account id, because nicknames are not unique. */
function readBitbucket(event: string, message: unknown): ForgeEvent | null {
  const request = readPath(message, 'pullrequest')
  const subject = {
    repository: readWord(message, 'repository', 'full_name'),
    kind: 'pull request' as const,
    ...numbered(request, 'id'),
    link: link(request, 'links', 'html', 'href'),
  }
  const author = readWord(message, 'actor', 'account_id')
  if (event === 'pullrequest:comment_created')
    return toComment(subject, {
      id: id(message, 'comment', 'id'),
      author,
      text: text(message, 'comment', 'content', 'raw'),
      path: readWord(message, 'comment', 'inline', 'path'),
      line: number(message, 'comment', 'inline', 'to'),
    })
  const happened =
    event === 'pullrequest:created' ? 'opened' : event === 'pullrequest:fulfilled' ? 'merged' : null
  return toPullRequest(happened, subject, {
    author: readWord(request, 'author', 'account_id') ?? author,
    text: text(request, 'description'),
    branch: readWord(request, 'source', 'branch', 'name'),
    target: readWord(request, 'destination', 'branch', 'name'),
    commit: readWord(request, 'merge_commit', 'hash'),
  })
}

type NullableFields<T> = { [Name in keyof T]: T[Name] | null }
type CommentFields = Pick<ForgeComment, 'id' | 'author' | 'text'> & { path: string; line: number }
type RequestFields = Pick<ForgePullRequest, 'author' | 'text' | 'branch' | 'target'> & { commit: string }

function toComment(
  subject: NullableFields<ForgeSubject>,
  said: NullableFields<CommentFields>,
): ForgeComment | null {
  const { id, author, path, line } = said
  if (id === null || author === null || !isComplete(subject)) return null
  const location = path === null ? null : { path, line }
  return { kind: 'comment', id, author, text: said.text ?? '', subject, location }
}

function toPullRequest(
  happened: ForgePullRequest['happened'] | null,
  subject: NullableFields<ForgeSubject>,
  { author, text, branch, target, commit }: NullableFields<RequestFields>,
): ForgePullRequest | null {
  if (happened === null || author === null || branch === null || target === null) return null
  if (!isComplete(subject)) return null
  const made = happened === 'merged' ? commit : null
  return { kind: 'pull_request', happened, author, text: text ?? '', subject, branch, target, commit: made }
}

function isComplete(subject: NullableFields<ForgeSubject>): subject is ForgeSubject {
  return Object.values(subject).every((value) => value !== null)
}

function numbered(subject: unknown, name: string) {
  return { number: number(subject, name), title: truncate(readPath(subject, 'title'), MAX_LENGTHS.title) }
}

function readPath(value: unknown, ...names: readonly string[]): unknown {
  let found = value
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

function readWord(value: unknown, ...names: readonly string[]): string | null {
  return truncate(readPath(value, ...names), MAX_LENGTHS.name) || null
}

function text(value: unknown, ...names: readonly string[]): string | null {
  return truncate(readPath(value, ...names), MAX_LENGTHS.text)
}

function link(value: unknown, ...names: readonly string[]): string | null {
  const given = truncate(readPath(value, ...names), MAX_LENGTHS.link)
  return given !== null && /^https?:\/\/\S+$/.test(given) ? given : null
}

function number(value: unknown, ...names: readonly string[]): number | null {
  const given = readPath(value, ...names)
  return Number.isSafeInteger(given) ? (given as number) : null
}

function id(value: unknown, ...names: readonly string[]): string | null {
  const given = readPath(value, ...names)
  return typeof given === 'string'
    ? truncate(given, MAX_LENGTHS.name)
    : (number(value, ...names)?.toString() ?? null)
}

function truncate(value: unknown, max: number): string | null {
  return typeof value === 'string' ? value.slice(0, max).toWellFormed() : null
}
