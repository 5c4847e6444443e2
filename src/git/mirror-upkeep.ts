/** What keeps a mirror small without taking from jobs what they still need. Callers hold the mirror's lock. */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MachineryError } from '../base/machinery-error.ts'
import { type GitCall, git } from './git.ts'

/** Each fetch leaves a pack behind; above this they are made into one. */
const MAX_PACKS = 50
/** Longer than any job runs. Older commits can be fetched again. */
const KEPT_DAYS = 14
const DAY_MS = 86_400_000
const KEPT = 'refs/octavo/kept'

/** Commits that were asked for or written stay for days, though other ones are fetched after them. */
export async function keepCommit(gitDir: string, commit: string): Promise<void> {
  const path = join(gitDir, KEPT, String(Math.floor(Date.now() / DAY_MS)), commit)
  const line = `${commit}\n`
  // Asked for again and again within a job.
  if ((await readFile(path, 'utf8').catch(() => null)) === line) return
  const fresh = join(gitDir, `octavo-kept.${randomUUID()}`)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(fresh, line)
    await rename(fresh, path)
  } catch (cause) {
    await rm(fresh, { force: true })
    throw new MachineryError('a commit could not be kept', { cause })
  }
}

/** Left-overs of fetches that were ended, and many packs, cost disk and time. */
export async function tidyMirror(call: GitCall & { gitDir: string }): Promise<void> {
  const folder = join(call.gitDir, 'objects', 'pack')
  const names = await readdir(folder).catch(() => [])
  for (const name of names) if (name.startsWith('tmp_')) await rm(join(folder, name), { force: true })
  if (names.filter((name) => name.endsWith('.pack')).length <= MAX_PACKS) return
  await forgetOldCommits(call)
  await git(['repack', '-a', '-d', '-q'], call)
  await git(['prune', `--expire=${KEPT_DAYS}.days.ago`], call)
}

async function forgetOldCommits(call: GitCall): Promise<void> {
  const oldest = Math.floor(Date.now() / DAY_MS) - KEPT_DAYS
  const kept = (await git(['for-each-ref', '--format=%(refname)', KEPT], call)).toString().split('\n')
  const old = kept.filter((ref) => ref !== '' && Number(ref.slice(KEPT.length + 1).split('/')[0]) < oldest)
  await git(['update-ref', '--stdin'], { ...call, input: old.map((ref) => `delete ${ref}\n`).join('') })
}
