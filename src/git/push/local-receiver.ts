/**
 * Receiving side of a push to a local repository. Git does not pass the sender's configuration to the receiver,
 * so the command that git runs sets it. The configuration disables hooks, monitors and filters of the repository,
 * fetching and maintenance. The receiver updates a clean working copy of the branch; git rejects the push if
 * there are uncommitted changes.
 */
import { configVariables, type GitCall, git, runGit } from '../git.ts'
import type { Repository } from '../repository.ts'

type LocalCall = GitCall & { remote: Repository }

const SETTINGS: readonly [string, string][] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  // The shell command `true` reports no refs of alternate repositories.
  ['core.alternateRefsCommand', 'true'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['receive.autogc', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
]

/**
 * Returns a command line for git's `--receive-pack`, which a shell runs. With `keepWorkingCopy`, only moves
 * the branch, even if it is checked out.
 */
export async function buildReceivePackCommand(call: LocalCall, keepWorkingCopy: boolean): Promise<string> {
  const checkedOut: [string, string] = [
    'receive.denyCurrentBranch',
    keepWorkingCopy ? 'ignore' : 'updateInstead',
  ]
  const config = [...SETTINGS, checkedOut, ...(await listFilterDisablingSettings(call))]
  const variables = { ...configVariables(config), GIT_ALLOW_PROTOCOL: 'none' }
  const assigned = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`)
  return `${assigned.join(' ')} git receive-pack`
}

/**
 * Returns true if the branch is checked out in the repository's folder with exactly the files of `tree`. This
 * is the case if git was killed after updating the working copy and before moving the branch.
 */
export async function isWorkingCopyAt(call: LocalCall, branch: string, tree: string): Promise<boolean> {
  const { remote, settings, signal } = call
  const config = await listFilterDisablingSettings(call)
  const there = { startIn: remote.address, address: remote.address, settings, signal, config }
  const head = await runGit(['symbolic-ref', '--quiet', 'HEAD'], there)
  if (head.output.toString().trim() !== `refs/heads/${branch}`) return false
  const index = await runGit(['write-tree'], there)
  if (index.code !== 0 || index.output.toString().trim() !== tree) return false
  return (await runGit(['diff-files', '--quiet', '--ignore-submodules'], there)).code === 0
}

/** Returns settings that disable the repository's filters, whose names are read from its configuration. */
async function listFilterDisablingSettings({
  remote,
  settings,
  signal,
}: LocalCall): Promise<[string, string][]> {
  const call = { startIn: remote.address, address: remote.address, settings, signal }
  // Reading the configuration runs no programs.
  const keys = (await git(['config', '--list', '--name-only', '-z'], call)).toString().split('\0')
  const names = new Set(keys.map((key) => /^filter\.([\s\S]+)\.[a-z]+$/.exec(key)?.[1]))
  return [...names]
    .filter((name) => name !== undefined)
    .flatMap((name): [string, string][] => [
      [`filter.${name}.clean`, ''],
      [`filter.${name}.smudge`, ''],
      [`filter.${name}.process`, ''],
      [`filter.${name}.required`, 'false'],
    ])
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
