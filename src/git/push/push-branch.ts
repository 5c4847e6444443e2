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
import { type GitCall, type GitEnd, git, requirePlainName, runGit } from '../git.ts'
import { explain, GitError, withoutCredentials } from '../git-error.ts'
import type { Repository } from '../repository.ts'
import { localReceiver } from './local-receiver.ts'

export interface BranchMove {
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
const MAX_WORDS = 400

type RemoteCall = GitCall & { remote: Repository }

/** Whether jobs may push to a branch of this name. */
export function isOwnBranch(name: string): boolean {
  return /^octavo\/[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name) && !/\.\.|\.lock$|\.$/.test(name)
}

/** As `moveBranch`, for branches of jobs: any other name throws before the other side is spoken to. */
export async function moveOwnBranch(call: RemoteCall, move: BranchMove): Promise<void> {
  if (!isOwnBranch(move.branch)) {
    throw new TypeError(`${JSON.stringify(move.branch)} is not a branch that jobs push`)
  }
  await moveBranch(call, move)
}

/**
 * Moves a branch. Rejects with GitError `branch_moved`, `push_refused` (a protected branch, a hook, read-only
 * credentials), `credentials_refused`, or a temporary one. Runs no programs of a local repository.
 */
export async function moveBranch(call: RemoteCall, move: BranchMove): Promise<void> {
  const { remote } = call
  const ref = `refs/heads/${move.branch}`
  const receiver =
    remote.protocol === 'file'
      ? [`--receive-pack=${await localReceiver(call, move.keepWorkingCopy ?? false)}`]
      : []
  const end = await runGit(
    [
      'push',
      '--porcelain',
      '--no-verify',
      ...receiver,
      `--force-with-lease=${ref}:${move.expected ?? ''}`,
      '--',
      remote.address,
      `${move.commit ?? ''}:${ref}`,
    ],
    { ...call, timeoutMs: PUSH_TIMEOUT_MS },
  )
  if (end.code === 0) return
  const commit = await standsAt(call, move.branch)
  if (commit === move.commit) return
  if (commit !== move.expected) {
    throw new GitError('branch_moved', `The branch ${move.branch} was changed by someone else meanwhile.`)
  }
  throw explainRefusal(remote.address, move.branch, end)
}

/** Returns the commit of a branch at the remote, or null if it does not exist. */
export async function standsAt(call: RemoteCall, branch: string): Promise<string | null> {
  requirePlainName(branch, 'branch')
  const ref = `refs/heads/${branch}`
  const said = await git(['ls-remote', '--quiet', '--', call.remote.address, ref], call)
  for (const line of said.toString().split('\n')) {
    const [commit, name] = line.split('\t')
    if (name === ref && commit) return commit
  }
  return null
}

const READS_ONLY = /returned error: 403|read.?only|not allowed to (push|upload)|write access|denied to/i

function explainRefusal(address: string, branch: string, { output, said }: GitEnd): GitError {
  const [words, own] = partition(said.split('\n'), (line) => /^remote: ?/.test(line))
  const detail = withoutCredentials(said).trim().slice(0, 2000)
  const refuse = (why: string) =>
    new GitError(
      'push_refused',
      `The repository ${address} does not take the branch ${branch}: ${why}.`,
      detail,
    )
  const refusal = output
    .toString()
    .split('\n')
    .find((line) => line.startsWith('!\t'))
  const reason = /^!\t[^\t]*\t\[[^\]]*\] ?\(?(.*?)\)?$/.exec(refusal ?? '')?.[1]
  const inItsWords = clean(words.map((line) => line.replace(/^remote: ?/, '')))
  if (reason !== undefined) return refuse([clean([reason]), inItsWords].filter(Boolean).join('; it says: '))
  // Messages of the remote must not be mistaken for those of git.
  const plain = own.join('\n')
  if (READS_ONLY.test(plain)) return refuse('its credentials may read, not write')
  const error = explain(address, plain)
  if (error.reason !== 'credentials_refused') return error
  const sentence = `The repository ${address} takes no branch without credentials, or refused the ones it got.`
  return new GitError('credentials_refused', sentence, detail)
}

/** Converts to one line for people, without control characters, terminal escape sequences and credentials. */
function clean(lines: readonly string[]): string {
  const line = withoutCredentials(lines.join(' '))
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line
}

function partition(lines: readonly string[], test: (line: string) => boolean): [string[], string[]] {
  return [lines.filter(test), lines.filter((line) => !test(line))]
}
