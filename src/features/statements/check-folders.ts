/** Compares a docs folder with a code folder, without a server. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { openFolderTree } from '../../base/files/folder-tree.ts'
import { openTree } from '../../git/checkout.ts'
import { runGit } from '../../git/git.ts'
import { GitError } from '../../git/git-error.ts'
import { openFolderCache, openTemporaryCache } from '../../render/cache/folder-cache.ts'
import { type Alarm, findAlarms } from './find-alarms.ts'
import { readChanges, readCodeFiles, readPages } from './read-trees.ts'
import { mapStatements, type StatementMap } from './statement-map.ts'

interface FoldersInput {
  docs: string
  code: string
  /** Commit, branch or tag with which the code is compared; null computes only the map. */
  since: string | null
  /** Cache for the next call; nothing is stored without it. */
  cacheFolder?: string | undefined
  signal: AbortSignal
}

/** Rejects with FolderUnreadableError or GitError. */
export async function checkStatements({
  docs,
  code,
  since,
  cacheFolder,
  signal,
}: FoldersInput): Promise<{ map: StatementMap; alarms: Alarm[] | null }> {
  await using opening = new AsyncDisposableStack()
  const found = cacheFolder === undefined ? null : openFolderCache(cacheFolder)
  const cache = opening.use(found ?? (await openTemporaryCache()))
  const docsTree = opening.use(await openFolderTree(docs))
  const codeTree = opening.use(await openFolderTree(code))
  const root = await realpath(code)
  const outside = relativeFolderWithin(await realpath(docs), root)
  const pages = await readPages(docsTree)
  const files = await readCodeFiles(codeTree, { outside, cache, name: root })
  const map = mapStatements(pages, files)
  if (since === null) return { map, alarms: null }
  const ref = await resolveRevision(code, since, signal)
  const mirrorsFolder = await mkdtemp(join(tmpdir(), 'octavo-statements-'))
  opening.defer(() => rm(mirrorsFolder, { recursive: true, force: true }))
  const source = { kind: 'folder', path: root, ref } as const
  const before = opening.use(await openTree({ source, projectId: 'statements', mirrorsFolder, signal }))
  const changes = await readChanges(before, codeTree, outside)
  return { map, alarms: findAlarms({ ...changes, pages, after: files.map(({ facts }) => facts) }) }
}

function relativeFolderWithin(folder: string, outer: string): string | null {
  const path = relative(outer, folder).split(sep).join('/')
  return path === '..' || path.startsWith('../') || path.startsWith('/') ? null : path
}

/** Resolves revisions such as `HEAD~3`, which are valid only in the original repository. */
async function resolveRevision(startIn: string, revision: string, signal: AbortSignal): Promise<string> {
  const { output } = await runGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    { startIn, address: startIn, config: [['safe.directory', '*']], signal },
  )
  const [hash] = /^[0-9a-f]{40,64}$/m.exec(output.toString()) ?? []
  if (hash === undefined)
    throw new GitError(
      'ref_missing',
      `The repository of ${startIn} has no commit, branch or tag ${revision}.`,
    )
  return hash
}
