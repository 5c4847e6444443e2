import type { JobErrorCode } from '../base/errors/permanent-error.ts'

/** Reasons why reading a repository failed, with a message for the user who entered its URL. */
export type GitErrorReason =
  | 'git_missing'
  | 'repository_invalid'
  | 'repository_missing'
  | 'repository_moved'
  | 'repository_unreachable'
  /** The repository is reachable, but git cannot read its content. */
  | 'repository_damaged'
  | 'repository_of_another_user'
  | 'credentials_refused'
  | 'ref_missing'
  | 'branch_missing'
  /** The branch has moved since the caller last read it. */
  | 'branch_moved'
  | 'push_refused'
  /** A change affects a path that must not be changed. */
  | 'path_refused'
  | 'docs_folder_missing'
  | 'timeout'
  | 'too_large'
  | 'failed'

const CODES: Record<GitErrorReason, JobErrorCode> = {
  git_missing: 'internal',
  repository_invalid: 'source_unreadable',
  repository_missing: 'source_unreadable',
  repository_moved: 'source_unreadable',
  repository_unreachable: 'source_unreachable',
  repository_damaged: 'source_unreadable',
  repository_of_another_user: 'source_unreadable',
  credentials_refused: 'source_unreadable',
  ref_missing: 'source_unreadable',
  branch_missing: 'branch_gone',
  branch_moved: 'branch_gone',
  push_refused: 'push_refused',
  path_refused: 'push_refused',
  docs_folder_missing: 'source_unreadable',
  timeout: 'source_unreachable',
  too_large: 'too_large',
  failed: 'source_unreadable',
}

export class GitError extends Error {
  override name = 'GitError'
  readonly reason: GitErrorReason
  /** Output of git for the log, without credentials; can be empty. */
  readonly detail: string

  constructor(reason: GitErrorReason, message: string, detail = '') {
    super(message)
    this.reason = reason
    this.detail = detail
  }

  get code(): JobErrorCode {
    return CODES[this.reason]
  }

  /** Returns true if the same call may succeed later without changes to the source's settings. */
  get isTemporary(): boolean {
    return ['repository_unreachable', 'timeout', 'failed', 'git_missing'].includes(this.reason)
  }
}

/** Thrown if the mirror lacks a required object. The mirror is recreated for a later attempt. */
export class MissingObjectError extends GitError {
  override name = 'MissingObjectError'
  constructor(id: string) {
    super('failed', `The object ${id} is missing from the copy of the repository.`)
  }
}

// The first match applies.
const ERROR_PATTERNS: readonly [RegExp, GitErrorReason][] = [
  [/no space left on device|disk quota exceeded/i, 'failed'],
  [/dubious ownership/i, 'repository_of_another_user'],
  [/transport '[^']*' not allowed|unsupported protocol|strange hostname/i, 'repository_invalid'],
  [
    /authentication failed|could not read (username|password)|terminal prompts disabled|permission denied|host key verification failed|returned error: 40[13]/i,
    'credentials_refused',
  ],
  [/returned error: 30\d|unable to update url base from redirection/i, 'repository_moved'],
  [/couldn't find remote ref|not our ref|unadvertised object/i, 'ref_missing'],
  // Matches only messages of the remote, because the mirror could be damaged instead of the repository.
  [
    /^remote: .*(?:(?:malformed mode|empty filename) in tree entry|too-short tree|not a tree|bad (?:tree|object|blob)|repository corruption)/im,
    'repository_damaged',
  ],
  [
    /could not resolve host|failed to connect|couldn't connect|connection (refused|timed out|reset|closed)|network is unreachable|no route to host|returned error: 5\d\d|SSL|certificate/i,
    'repository_unreachable',
  ],
  [/not (be )?found|does not appear to be a git repository|does not exist/i, 'repository_missing'],
  // Any other response of the server that is not the git protocol.
  [
    /unable to access|could not read from remote repository|banner|kex_exchange|bad line length|protocol error|empty reply|HTTP\/0\.9/i,
    'repository_unreachable',
  ],
]

const SENTENCES: Partial<Record<GitErrorReason, string>> = {
  repository_of_another_user: 'belongs to another user of this machine. Run Octavo as its owner',
  repository_invalid: 'has an unsupported URL. Use https:// or ssh',
  credentials_refused: 'does not exist, or its credentials were rejected',
  repository_moved:
    'redirects to another URL, which is not followed. Update the URL (often, only .git at the end is missing)',
  ref_missing: 'does not have that branch, tag or commit',
  // The same message for refused, closed, silent and unknown hosts, to not reveal the private network.
  repository_unreachable:
    'cannot be reached from here. Check its URL. Private hosts and unusual ports must be allowed by the operator (OCTAVO_GIT_PRIVATE_HOSTS)',
  repository_missing: 'does not exist',
  repository_damaged:
    'contains a commit that git cannot read: a file or folder has an invalid mode or name, or is missing. Run git fsck in it, push a commit without the problem, and try again',
}

/** Converts git's standard error to a GitError about `repository`, a URL without credentials. */
export function toGitError(repository: string, errorOutput: string, known?: GitErrorReason): GitError {
  const detail = withoutCredentials(errorOutput).trim().slice(0, 2000)
  const reason = known ?? ERROR_PATTERNS.find(([sign]) => sign.test(errorOutput))?.[1] ?? 'failed'
  const sentence = SENTENCES[reason] ?? `could not be read: ${lastLine(detail)}`
  return new GitError(reason, `The repository ${repository} ${sentence}.`, detail)
}

export function unreachableMessage(repository: string): string {
  return `${repository} ${SENTENCES.repository_unreachable}.`
}

function lastLine(text: string): string {
  const line = text.split('\n').findLast((candidate) => /fatal:|error:/.test(candidate)) ?? ''
  return line.replace(/^(fatal|error):\s*/, '').replace(/\.$/, '') || 'git gave no reason'
}

export function withoutCredentials(text: string): string {
  return text.replace(/(\b\w+:\/\/)[^\s/@]+@/g, '$1').replace(/(authorization:\s*\w+\s+)\S+/gi, '$1…')
}
