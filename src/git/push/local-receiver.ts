/**
 * The receiving side of a push into a repository of this machine. Git does not hand the settings of the sending side on
 * to it, so they are put before the program that it is told to run: hooks, monitors and filters of that repository stay
 * off, it fetches nothing, and it tidies nothing up. A working copy with the branch goes along; one with changes that are
 * not committed makes git refuse the push.
 */
import { configVariables, type GitCall, git, runGit } from '../git.ts'
import type { Repository } from '../repository.ts'

type LocalCall = GitCall & { remote: Repository }

const SETTINGS: readonly [string, string][] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  // The shell's `true`: nothing is said of the branches of repositories that it borrows objects from.
  ['core.alternateRefsCommand', 'true'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['receive.autogc', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
]

/**
 * A command line for git's `--receive-pack`, which a shell runs. With `keepWorkingCopy` the branch moves alone, although
 * it is checked out.
 */
export async function localReceiver(call: LocalCall, keepWorkingCopy: boolean): Promise<string> {
  const checkedOut: [string, string] = [
    'receive.denyCurrentBranch',
    keepWorkingCopy ? 'ignore' : 'updateInstead',
  ]
  const config = [...SETTINGS, checkedOut, ...(await filtersOff(call))]
  const variables = { ...configVariables(config), GIT_ALLOW_PROTOCOL: 'none' }
  const assigned = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`)
  return `${assigned.join(' ')} git receive-pack`
}

/**
 * Whether the branch is checked out in the repository's own folder with just the files of `tree` and no others: as when
 * git was ended after it had brought the working copy along, and before it moved the branch.
 */
export async function isWorkingCopyAt(call: LocalCall, branch: string, tree: string): Promise<boolean> {
  const { remote, settings, signal } = call
  const config = await filtersOff(call)
  const there = { startIn: remote.address, address: remote.address, settings, signal, config }
  const head = await runGit(['symbolic-ref', '--quiet', 'HEAD'], there)
  if (head.output.toString().trim() !== `refs/heads/${branch}`) return false
  const index = await runGit(['write-tree'], there)
  if (index.code !== 0 || index.output.toString().trim() !== tree) return false
  return (await runGit(['diff-files', '--quiet', '--ignore-submodules'], there)).code === 0
}

/** Settings that empty the filters of a repository. They have names of its choosing, so these are looked up. */
async function filtersOff({ remote, settings, signal }: LocalCall): Promise<[string, string][]> {
  const call = { startIn: remote.address, address: remote.address, settings, signal }
  // Reading settings runs nothing.
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
