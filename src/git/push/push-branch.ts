/**
 * Moves a branch of the remote if it is at the expected commit.
 *
 *   git reports success              done
 *   git reports an error             query the current position of the branch:
 *     at the new position            done: an earlier attempt has succeeded
 *     not at the expected position   `branch_moved`
 *     unchanged                      rejected, with the message of the remote
 *     no answer                      unreachable: try again
 */

import type { ProgramResult } from '../../base/limited-program.ts'
import { type GitCall, git, requirePlainName, runGit } from '../git.ts'
import { GitError, toGitError, withoutCredentials } from '../git-error.ts'
import type { Repository } from '../repository.ts'
import { buildReceivePackCommand } from './local-receiver.ts'

export interface BranchUpdate {
  /** Without `refs/heads/`. */
  branch: string
  /** Expected commit; null if the branch must not exist. */
  expected: string | null
  /** New commit; null deletes the branch. */
  commit: string | null
  /** For a local repository whose working copy already contains the files of the commit. */
  keepWorkingCopy?: boolean
}

const PUSH_TIMEOUT_MS = 300_000
const MAX_MESSAGE_CHARACTERS = 400

export type RemoteCall = GitCall & { remote: Repository }

/** Returns true if jobs may push to a branch of this name. */
export function isOwnBranch(name: string): boolean {
  return /^octavo\/[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name) && !/\.\.|\.lock$|\.$/.test(name)
}

/**
 * Calls `updateRemoteBranch` for a branch of a job. Throws for any other name, without contacting the remote.
 */
export async function pushJobBranch(call: RemoteCall, branchUpdate: BranchUpdate): Promise<void> {
  if (!isOwnBranch(branchUpdate.branch)) {
    throw new TypeError(`${JSON.stringify(branchUpdate.branch)} is not a branch that jobs can push to`)
  }
  await updateRemoteBranch(call, branchUpdate)
}

/**
 * Moves a branch. Rejects with GitError `branch_moved`, `push_refused` (a protected branch, a hook, read-only
 * credentials), `credentials_refused`, or a temporary error. Runs no hooks or programs of a local repository.
 */
export async function updateRemoteBranch(call: RemoteCall, branchUpdate: BranchUpdate): Promise<void> {
  const { remote } = call
  const ref = `refs/heads/${branchUpdate.branch}`
  const receiver =
    remote.protocol === 'file'
      ? [`--receive-pack=${await buildReceivePackCommand(call, branchUpdate.keepWorkingCopy ?? false)}`]
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
  const commit = (await findRemoteTips(call, [branchUpdate.branch])).get(branchUpdate.branch) ?? null
  if (commit === branchUpdate.commit) return
  if (commit !== branchUpdate.expected) {
    throw new GitError(
      'branch_moved',
      `The branch ${branchUpdate.branch} was changed by someone else in the meantime.`,
    )
  }
  throw toPushError(remote.address, branchUpdate.branch, end)
}

/** Returns the commits of the branches that exist at the remote, without fetching them. */
export async function findRemoteTips(
  { gitDir: _, ...call }: RemoteCall, // works without a local copy
  branches: readonly string[],
): Promise<Map<string, string>> {
  const refs = new Map(branches.map((branch) => [`refs/heads/${requirePlainName(branch, 'branch')}`, branch]))
  const said = await git(['ls-remote', '--quiet', '--', call.remote.address, ...refs.keys()], call)
  return new Map(
    said
      .toString()
      .split('\n')
      .flatMap((line) => {
        const [commit = '', name = ''] = line.split('\t')
        const branch = refs.get(name)
        return branch === undefined ? [] : [[branch, commit] as const]
      }),
  )
}

const READ_ONLY_PATTERN =
  /returned error: 403|read.?only|not allowed to (push|upload)|write access|denied to/i

function toPushError(address: string, branch: string, { output, stderr: said }: ProgramResult): GitError {
  const [words, own] = partition(said.split('\n'), (line) => /^remote: ?/.test(line))
  const detail = withoutCredentials(said).trim().slice(0, 2000)
  const refuse = (explanation: string) =>
    new GitError(
      'push_refused',
      `The repository ${address} rejects the branch ${branch}: ${explanation}.`,
      detail,
    )
  const refusal = output
    .toString()
    .split('\n')
    .find((line) => line.startsWith('!\t'))
  const reason = /^!\t[^\t]*\t\[[^\]]*\] ?\(?(.*?)\)?$/.exec(refusal ?? '')?.[1]
  const serverMessage = toSingleLine(words.map((line) => line.replace(/^remote: ?/, '')))
  if (reason !== undefined)
    return refuse([toSingleLine([reason]), serverMessage].filter(Boolean).join('; its message: '))
  // Lines sent by the remote are excluded, because their content is arbitrary.
  const localMessage = own.join('\n')
  if (READ_ONLY_PATTERN.test(localMessage)) return refuse('its credentials have no write access')
  const error = toGitError(address, localMessage)
  if (error.reason !== 'credentials_refused') return error
  const sentence = `The repository ${address} requires credentials to push, or rejected the given ones.`
  return new GitError('credentials_refused', sentence, detail)
}

/** Joins the lines of a message for people. Removes control characters, escape sequences and credentials. */
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
