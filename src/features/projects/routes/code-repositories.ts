/** Routes of code repositories of a project: list, add, change, remove. */

import type { Handlers } from '../../../routing/handler.ts'
import {
  addCodeRepository,
  listCodeRepositories,
  removeCodeRepository,
  updateCodeRepository,
} from '../code-repositories.ts'
import type { CODE_REPOSITORY_OPERATIONS } from '../operations/code-repositories.ts'
import type { ProjectRules } from '../project-fields.ts'

export interface CodeRepositoryDeps {
  memberRules: ProjectRules
}

export function codeRepositoryHandlers({
  memberRules: rules,
}: CodeRepositoryDeps): Handlers<typeof CODE_REPOSITORY_OPERATIONS> {
  return {
    listCodeRepositories: async ({ db, caller: { organizationId }, params }) => ({
      body: { repositories: await listCodeRepositories(db, { organizationId, ...params }) },
    }),
    async addCodeRepository({ tx, caller: { organizationId, id: madeBy }, params, body }) {
      const added = await addCodeRepository(tx, { organizationId, ...params, madeBy, rules }, body)
      const { repositoryId, name, repository, ref, folder } = added
      return { body: added, audit: { subject: repositoryId, details: { name, repository, ref, folder } } }
    },
    async updateCodeRepository({ tx, caller: { organizationId }, params, body }) {
      const changed = await updateCodeRepository(tx, { organizationId, ...params, rules }, body)
      const { name, repository, ref, folder } = changed
      return { body: changed, audit: { details: { name, repository, ref, folder } } }
    },
    async removeCodeRepository({ tx, caller: { organizationId }, params }) {
      const { name, repository } = await removeCodeRepository(tx, { organizationId, ...params })
      return { body: { repositoryId: params.repositoryId }, audit: { details: { name, repository } } }
    },
  }
}
