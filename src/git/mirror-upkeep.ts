/** What keeps a mirror small without taking from jobs what they still need. Callers hold the mirror's lock. */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type GitCall, git } from './git.ts'

/** Each fetch leaves a pack behind; above this they are made into one. */
const MAX_PACKS = 50
/** Longer than any job runs. Older commits can be fetched again. */
const KEPT_DAYS = 14
const DAY_MS = 86_400_000
const KEPT = 'refs/octavo/kept'

/** Commits that were asked for or written stay for days, though other ones are fetched after them. */
export async function keepCommit(call: GitCall & { gitDir: string }, commit: string): Promise<void> {
  const ref = `${KEPT}/${Math.floor(Date.now() / DAY_MS)}/${commit}`
  // Asked for again and again within a job: a look at the file costs no process.
  const kept = await readFile(join(call.gitDir, ref), 'utf8').catch(() => null)
  if (kept !== `${commit}\n`) await git(['update-ref', ref, commit], call)
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
