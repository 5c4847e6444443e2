/** Merges the files of two branches into one tree, without a working copy. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GitCall, git, runGit } from '../git.ts'
import { toGitError } from '../git-error.ts'

export type MergedTree =
  | { tree: string }
  /** With git's conflict markers; null if this version of git cannot write them. */
  | { conflicts: string[]; tree: string | null }

type LocalCall = GitCall & { gitDir: string; address: string }

/** Exit code of git for unknown options. */
const USAGE = 129

/** Merges two commits, which must exist with their history. Conflicts are sorted paths in the repository. */
export async function mergeTrees(call: LocalCall, ours: string, theirs: string): Promise<MergedTree> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs]
  const { code, output, stderr: said } = await runGit(args, call)
  // git before 2.38 can only merge with an index.
  if (code === USAGE) return await mergeTreesInIndex(call, ours, theirs)
  if (code !== 0 && code !== 1) throw toGitError(call.address, said, 'failed')
  const [tree = '', ...files] = output.toString().split('\0')
  return code === 0 ? { tree } : { conflicts: sorted(files.filter(Boolean)), tree }
}

/** For older versions of git. A file renamed on one side and changed on the other counts as a conflict here. */
export async function mergeTreesInIndex(call: LocalCall, ours: string, theirs: string): Promise<MergedTree> {
  const indexFile = join(call.gitDir, `octavo-index.${randomUUID()}`)
  const inIndex = { ...call, indexFile }
  try {
    const base = (await git(['merge-base', ours, theirs], call)).toString().trim()
    await git(['read-tree', '-i', '-m', '--aggressive', base, ours, theirs], inIndex)
    const conflicts: string[] = []
    for (const [path, stages] of await unmergedPaths(inIndex)) {
      const merged = await mergeFile(call, stages)
      if (merged === null) conflicts.push(path)
      else {
        const input = `0 ${'0'.repeat(merged.id.length)}\t${path}\0${merged.mode} ${merged.id}\t${path}\0`
        await git(['update-index', '-z', '--index-info'], { ...inIndex, input })
      }
    }
    if (conflicts.length > 0) return { conflicts: sorted(conflicts), tree: null }
    return { tree: (await git(['write-tree'], inIndex)).toString().trim() }
  } finally {
    for (const file of [indexFile, `${indexFile}.lock`]) await rm(file, { force: true })
  }
}

interface Stage {
  mode: string
  id: string
}

/** Returns base, ours and theirs by path, where they exist. */
async function unmergedPaths(call: GitCall): Promise<Map<string, (Stage | undefined)[]>> {
  const paths = new Map<string, (Stage | undefined)[]>()
  for (const line of (await git(['ls-files', '--unmerged', '-z'], call)).toString().split('\0')) {
    const [, mode, id, stage, path] = /^(\d+) ([0-9a-f]+) ([123])\t([\s\S]+)$/.exec(line) ?? []
    if (!mode || !id || !path) continue
    const stages = paths.get(path) ?? [undefined, undefined, undefined]
    stages[Number(stage) - 1] = { mode, id }
    paths.set(path, stages)
  }
  return paths
}

/** Merges a file. Returns null if lines conflict, a side has deleted the file, or it is not text on all sides. */
async function mergeFile(call: GitCall, stages: (Stage | undefined)[]): Promise<Stage | null> {
  const [base, ours, theirs] = stages
  if (!base || !ours || !theirs) return null
  if (!stages.every((stage) => stage?.mode.startsWith('100'))) return null
  const folder = await mkdtemp(join(tmpdir(), 'octavo-merge-'))
  try {
    const files: string[] = []
    for (const [name, { id }] of Object.entries({ ours, base, theirs })) {
      files.push(join(folder, name))
      await writeFile(join(folder, name), await git(['cat-file', 'blob', id], call))
    }
    const { code, output } = await runGit(['merge-file', '-p', '-q', '--', ...files], call)
    if (code !== 0) return null
    const written = await git(['hash-object', '-w', '--stdin', '--no-filters'], { ...call, input: output })
    const mode = ours.mode === base.mode ? theirs.mode : ours.mode
    return { mode, id: written.toString().trim() }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function sorted(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort((a, b) => (a < b ? -1 : 1))
}
