/** Finds the repository that contains a local folder, and the path of the folder inside the repository. */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { GitError } from './git-error.ts'

/**
 * Finds the nearest repository at or above the folder, bare or with a working copy, but not above `root`.
 * `inside` is empty for the root of the repository. Throws GitError `repository_missing`.
 */
export function locateFolder(path: string, root: string | null): { repository: string; inside: string } {
  const folder = resolveRealPath(path)
  for (let at = folder; ; at = dirname(at)) {
    if (isRepository(at)) return { repository: at, inside: relative(at, folder).split(sep).join('/') }
    if (dirname(at) === at || at === root) {
      throw new GitError('repository_missing', `The folder ${folder} is not in a git repository.`)
    }
  }
}

function resolveRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    throw new GitError('repository_missing', `There is no folder ${path}.`)
  }
}

function isRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true
  return existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects'))
}
