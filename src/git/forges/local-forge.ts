/** Forge for local repositories: branches act as pull requests, shown by Octavo's review page. */
import { PermanentError } from '../../base/errors/permanent-error.ts'
import { GitError } from '../git-error.ts'
import type { ProjectRepository } from '../project-repository.ts'
import { type Forge, ForgeError, type PullRequest } from './forge.ts'

/**
 * A pull request exists as long as its branch does. For a deleted branch, use `stateOf` of the repository to find out
 * what happened to its commit.
 */
export function openLocalForge(repository: ProjectRepository, linkFor: (branch: string) => string): Forge {
  const find: Forge['findPullRequest'] = ({ branch, target }, signal) =>
    withForgeErrors(async (): Promise<PullRequest | null> => {
      const commit = await repository.findBranch(branch, signal)
      if (commit === null) return null
      const state = await repository.stateOf({ branch, commit, target }, signal)
      return { id: branch, link: linkFor(branch), state, text: null }
    })
  return {
    kind: 'local',
    findPullRequest: find,
    async createPullRequest({ branch, target }, signal) {
      const found = await find({ branch, target }, signal)
      if (found) return found
      throw new ForgeError('refused', `The repository ${repository.address} has no branch ${branch}.`)
    },
    // The review page takes title and text from the job.
    async updatePullRequest() {},
    // Reviewers there write to the job itself.
  }
}

async function withForgeErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PermanentError) {
      throw new ForgeError('repository_missing', error.message, { cause: error })
    }
    if (error instanceof GitError) throw new ForgeError('unreachable', error.message, { cause: error })
    throw error
  }
}
