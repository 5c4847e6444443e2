/** A repository of this machine has no forge: its branches are the requests, Octavo's own review page shows them. */
import { PermanentError } from '../../base/errors/permanent-error.ts'
import { GitError } from '../git-error.ts'
import type { ProjectRepository } from '../project-repository.ts'
import { type Forge, ForgeError, type PullRequest } from './forge.ts'

/**
 * A request is there as long as its branch is. Of a branch that is gone nothing is known here; `stateOf` of the
 * repository tells what became of its commit.
 */
export function openLocalForge(repository: ProjectRepository, linkOf: (branch: string) => string): Forge {
  const find: Forge['findPullRequest'] = ({ branch, target }, signal) =>
    asForge(async (): Promise<PullRequest | null> => {
      const commit = await repository.findBranch(branch, signal)
      if (commit === null) return null
      const state = await repository.stateOf({ branch, commit, target }, signal)
      return { id: branch, link: linkOf(branch), state, text: null }
    })
  return {
    kind: 'local',
    findPullRequest: find,
    async createPullRequest({ branch, target }, signal) {
      const found = await find({ branch, target }, signal)
      if (found) return found
      throw new ForgeError('refused', `The repository ${repository.address} has no branch ${branch}.`)
    },
    // The review page reads title and text from the job.
    async updatePullRequest() {},
    // Whoever reviews there writes to the job itself.
  }
}

async function asForge<T>(work: () => Promise<T>): Promise<T> {
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
