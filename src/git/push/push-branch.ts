/**
 * Moves a branch of the remote, only if it is where the caller expects.
 *
 *   git reports success              done
 *   git reports anything else        ask the remote for the current position of the branch:
 *     at the new position            done: an earlier attempt has succeeded
 *     not at the expected position   `branch_moved`
 *     unchanged                      rejected, with the message of the remote
 *     no answer                      unreachable: try again
 */
import { type GitCall, type GitResult, git, requirePlainName, runGit } from '../git.ts'
import { GitError, toGitError, withoutCredentials } from '../git-error.ts'
import type { Repository } from '../repository.ts'
import { localReceiver } from './local-receiver.ts'

export interface BranchUpdate {
  /** Without `refs/heads/`. */
  branch: string
  /** Expected commit; null if the branch must not exist. */
  expected: string | null
  /** New commit; null deletes the branch. */
  commit: string | null
  /** For a local repository: the working copy already contains the commit's files. */
  keepWorkingCopy?: boolean
}

const PUSH_TIMEOUT_MS = 300_000
const MAX_MESSAGE_CHARACTERS = 400

type RemoteCall = GitCall & { remote: Repository }

/** Whether jobs may push to a branch of this name. */
export function isOwnBranch(name: string): boolean {
  return /^octavo\/[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name) && !/\.\.|\.lock$|\.$/.test(name)
}

/** As `updateRemoteBranch`, for branches of jobs: any other name throws before the other side is spoken to. */
export async function pushJobBranch(call: RemoteCall, branchUpdate: BranchUpdate): Promise<void> {
  if (!isOwnBranch(branchUpdate.branch)) {
    throw new TypeError(`${JSON.stringify(branchUpdate.branch)} is not a branch that jobs push`)
  }
  await updateRemoteBranch(call, branchUpdate)
}

/**
 * Moves a branch. Rejects with GitError `branch_moved`, `push_refused` (a protected branch, a hook, read-only
 * credentials), `credentials_refused`, or a temporary one. Runs no programs of a local repository.
 */
export async function updateRemoteBranch(call: RemoteCall, branchUpdate: BranchUpdate): Promise<void> {
  const { remote } = call
  const ref = `refs/heads/${branchUpdate.branch}`
  const receiver =
    remote.protocol === 'file'
      ? [`--receive-pack=${await localReceiver(call, branchUpdate.keepWorkingCopy ?? false)}`]
      : []
  const end = await runGit(
    [
      'push',
      '--porcelain',
      '--no-verify',
      ...receiver,
      `--force-with-lease=${ref}:${branchUpdate.expected ?? ''}`,
      '--',
      remote.address,
      `${branchUpdate.commit ?? ''}:${ref}`,
    ],
    { ...call, timeoutMs: PUSH_TIMEOUT_MS },
  )
  if (end.code === 0) return
  const commit = await remoteTipOf(call, branchUpdate.branch)
  if (commit === branchUpdate.commit) return
  if (commit !== branchUpdate.expected) {
    throw new GitError(
      'branch_moved',
      `The branch ${branchUpdate.branch} was changed by someone else meanwhile.`,
    )
  }
  throw toPushError(remote.address, branchUpdate.branch, end)
}

/** Returns the commit of a branch at the remote, or null if it does not exist. */
export async function remoteTipOf(call: RemoteCall, branch: string): Promise<string | null> {
  requirePlainName(branch, 'branch')
  const ref = `refs/heads/${branch}`
  const said = await git(['ls-remote', '--quiet', '--', call.remote.address, ref], call)
  for (const line of said.toString().split('\n')) {
    const [commit, name] = line.split('\t')
    if (name === ref && commit) return commit
  }
  return null
}

const READ_ONLY_PATTERN =
  /returned error: 403|read.?only|not allowed to (push|upload)|write access|denied to/i

function toPushError(address: string, branch: string, { output, stderr: said }: GitResult): GitError {
  const [words, own] = partition(said.split('\n'), (line) => /^remote: ?/.test(line))
  const detail = withoutCredentials(said).trim().slice(0, 2000)
  const refuse = (explanation: string) =>
    new GitError(
      'push_refused',
      `The repository ${address} does not take the branch ${branch}: ${explanation}.`,
      detail,
    )
  const refusal = output
    .toString()
    .split('\n')
    .find((line) => line.startsWith('!\t'))
  const reason = /^!\t[^\t]*\t\[[^\]]*\] ?\(?(.*?)\)?$/.exec(refusal ?? '')?.[1]
  const serverMessage = toSingleLine(words.map((line) => line.replace(/^remote: ?/, '')))
  if (reason !== undefined)
    return refuse([toSingleLine([reason]), serverMessage].filter(Boolean).join('; it says: '))
  // Messages of the remote must not be mistaken for those of git.
  const localMessage = own.join('\n')
  if (READ_ONLY_PATTERN.test(localMessage)) return refuse('its credentials may read, not write')
  const error = toGitError(address, localMessage)
  if (error.reason !== 'credentials_refused') return error
  const sentence = `The repository ${address} takes no branch without credentials, or refused the ones it got.`
  return new GitError('credentials_refused', sentence, detail)
}

/** Converts to one line for people, without control characters, terminal escape sequences and credentials. */
function toSingleLine(lines: readonly string[]): string {
  const line = withoutCredentials(lines.join(' '))
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')
  return line.length > MAX_MESSAGE_CHARACTERS ? `${line.slice(0, MAX_MESSAGE_CHARACTERS)}…` : line
}

function partition(lines: readonly string[], test: (line: string) => boolean): [string[], string[]] {
  return [lines.filter(test), lines.filter((line) => !test(line))]
}
