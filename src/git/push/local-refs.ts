/**
 * Where a branch of a repository of this machine stands, read from its files as git keeps them: asking git costs three
 * processes, and jobs ask again and again. Whatever is not plainly so, git is asked.
 */
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface LocalBranch {
  /** The branch that is checked out, and its commit. */
  head: { branch: string; commit: string }
  /** The one that was asked for. */
  commit: string
}

const COMMIT = /^([0-9a-f]{40})\n?$/
const BRANCH = /^ref: refs\/heads\/(.+)\n$/
/** Other ways to keep refs, more of them elsewhere, or fewer that are shown. */
const UNUSUAL = /extensions|include|hiderefs/i
/** Names that a path could make something else of. */
const PLAIN = /^(?!.*(?:\.\.|\/\/|\.lock$|\/$))[\p{L}\p{N}_](?:[\p{L}\p{N}._/-]*)$/u

/** Null for the one that is checked out. Answers null where git must be asked, also for a branch that is not there. */
export async function readLocalBranch(repository: string, name: string | null): Promise<LocalBranch | null> {
  try {
    const gitDir = await plainGitDir(repository)
    if (gitDir === null) return null
    const [, current] = BRANCH.exec(await readFile(join(gitDir, 'HEAD'), 'utf8')) ?? []
    if (current === undefined) return null
    const head = await tipOf(gitDir, current)
    const commit = name === null ? head : await tipOf(gitDir, name)
    return head === null || commit === null ? null : { head: { branch: current, commit: head }, commit }
  } catch {
    return null
  }
}

/**
 * Null where refs may be kept otherwise, belong to somebody else, whom git does not trust, or where settings say what is
 * `unusual`.
 */
export async function plainGitDir(repository: string, unusual = UNUSUAL): Promise<string | null> {
  const inside = join(repository, '.git')
  const found = await lstat(inside).catch(() => null)
  if (found !== null && !found.isDirectory()) return null
  const gitDir = found === null ? repository : inside
  const { uid } = await lstat(gitDir)
  const head = await lstat(join(gitDir, 'HEAD'))
  const config = await readFile(join(gitDir, 'config'), 'utf8')
  const isPlain = uid === process.getuid?.() && head.isFile() && !unusual.test(config)
  return isPlain ? gitDir : null
}

async function tipOf(gitDir: string, branch: string): Promise<string | null> {
  if (!PLAIN.test(branch)) return null
  const ref = `refs/heads/${branch}`
  const loose = await readFile(join(gitDir, ref), 'utf8').catch(() => null)
  if (loose !== null) return COMMIT.exec(loose)?.[1] ?? null
  const packed = await readFile(join(gitDir, 'packed-refs'), 'utf8')
  const end = packed.indexOf(` ${ref}\n`)
  return end < 0 ? null : (COMMIT.exec(packed.slice(packed.lastIndexOf('\n', end) + 1, end))?.[1] ?? null)
}
