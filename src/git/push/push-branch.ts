/**
 * Moves a branch of the other side, and only if it stands where the caller says.
 *
 *   git says it is done              done
 *   git says anything else           the other side is asked where the branch stands now:
 *     where it was to be moved       done: an earlier attempt had arrived
 *     elsewhere than expected        `branch_moved`
 *     where it stood                 refused, in the words of the other side
 *     no answer                      unreachable: try again
 */
import { type GitCall, type GitEnd, git, requirePlainName, runGit } from '../git.ts'
import { explain, GitError, withoutCredentials } from '../git-error.ts'
import type { Repository } from '../repository.ts'
import { localReceiver } from './local-receiver.ts'

export interface BranchMove {
  /** Without `refs/heads/`. */
  branch: string
  /** Where it must stand; null: nowhere. */
  expected: string | null
  /** Where it shall stand; null deletes it. */
  commit: string | null
  /** In a repository of this machine: a working copy with the branch has the commit's files already. */
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
 * Rejects with GitError `branch_moved`, `push_refused` (a protected branch, a hook, credentials that may only read),
 * `credentials_refused`, or a temporary one. Nothing of a repository of this machine is run.
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

/** Where a branch of the other side stands; null when there is none. */
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
  // What the other side says in words of its own must not be taken for what git says.
  const plain = own.join('\n')
  if (READS_ONLY.test(plain)) return refuse('its credentials may read, not write')
  const error = explain(address, plain)
  if (error.reason !== 'credentials_refused') return error
  const sentence = `The repository ${address} takes no branch without credentials, or refused the ones it got.`
  return new GitError('credentials_refused', sentence, detail)
}

/** One line for people: no control signs, no escape sequences of terminals, no credentials. */
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
