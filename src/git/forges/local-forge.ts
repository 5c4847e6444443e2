/** Forge for local repositories, where branches act as pull requests and Octavo's review page shows them. */
import { PermanentError } from '../../base/errors/permanent-error.ts'
import { GitError } from '../git-error.ts'
import type { ProjectRepository } from '../project-repository.ts'
import { type Forge, ForgeError, type PullRequest } from './forge.ts'

/**
 * A pull request exists while its branch exists. When open pull requests are polled, `stateOf` of the repository
 * returns whether the branch was merged.
 */
export function openLocalForge(repository: ProjectRepository, linkFor: (branch: string) => string): Forge {
  const find: Forge['findPullRequest'] = ({ branch }, signal) =>
    withForgeErrors(async (): Promise<PullRequest | null> => {
      const commit = await repository.findBranch(branch, signal)
      return commit === null ? null : { id: branch, link: linkFor(branch), state: 'open', text: null }
    })
  return {
    kind: 'local',
    findPullRequest: find,
    async createPullRequest({ branch, target }, signal) {
      const found = await find({ branch, target }, signal)
      if (found) return found
      throw new ForgeError('refused', `The repository ${repository.address} has no branch ${branch}.`)
    },
    // The review page shows the title and text of the job.
    async updatePullRequest() {},
    // Without a forge, reviewers comment directly on the job.
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
