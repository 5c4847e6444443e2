/** Routes of a project's code repositories: list, add, change, remove. */

import type { Caller } from '../../../routing/caller.ts'
import type { Handlers } from '../../../routing/handler.ts'
import {
  addCodeRepository,
  listCodeRepositories,
  removeCodeRepository,
  updateCodeRepository,
} from '../code-repositories.ts'
import type { CODE_REPOSITORY_OPERATIONS } from '../operations/code-repositories.ts'
import type { ProjectRules } from '../project-fields.ts'

interface CodeRepositoryDeps {
  /** Returns the rules for the caller; the operator has more rights than members. */
  projectRules: (caller: Pick<Caller, 'kind'>) => ProjectRules
}

export function codeRepositoryHandlers({
  projectRules,
}: CodeRepositoryDeps): Handlers<typeof CODE_REPOSITORY_OPERATIONS> {
  return {
    listCodeRepositories: async ({ db, caller: { organizationId }, params }) => ({
      body: { repositories: await listCodeRepositories(db, { organizationId, ...params }) },
    }),
    async addCodeRepository({ tx, caller, params, body }) {
      const { organizationId, kind, id } = caller
      const madeBy = kind === 'operator' ? null : id
      const rules = projectRules(caller)
      const added = await addCodeRepository(tx, { organizationId, ...params, madeBy, rules }, body)
      const { repositoryId, name, repository, ref, folder } = added
      return { body: added, audit: { subject: repositoryId, details: { name, repository, ref, folder } } }
    },
    async updateCodeRepository({ tx, caller, params, body }) {
      const wanted = { organizationId: caller.organizationId, ...params, rules: projectRules(caller) }
      const changed = await updateCodeRepository(tx, wanted, body)
      const { name, repository, ref, folder } = changed
      return { body: changed, audit: { details: { name, repository, ref, folder } } }
    },
    async removeCodeRepository({ tx, caller: { organizationId }, params }) {
      const { name, repository } = await removeCodeRepository(tx, { organizationId, ...params })
      return { body: { repositoryId: params.repositoryId }, audit: { details: { name, repository } } }
    },
  }
}
