/** Code repositories that a project's agent may read, so that it can base its text on the code. */
import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

export const MAX_CODE_REPOSITORIES = 10

const RepositoryId = Type.String({
  pattern: '^crp_[0-9a-z]+$',
  examples: ['crp_01jd4q8r6v0000000000000000'],
})
export const CODE_REPOSITORY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/
const Name = Type.String({
  pattern: CODE_REPOSITORY_NAME.source,
  description: 'Name used by the agent and its pull requests.',
  examples: ['api'],
})
const Repository = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'URL of a git repository, without a token. Git uses the credentials set under Git access.',
  examples: ['https://github.com/acme/api'],
})
const Ref = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Branch, tag or commit to read; null: the default branch.',
    examples: ['main'],
  }),
)
const Folder = Type.String({
  maxLength: 1024,
  description:
    'Folder relative to the root of the repository; nothing outside of it is read. Empty: the whole repository.',
  examples: ['packages/server'],
})

export const CodeRepository = Type.Object(
  {
    repositoryId: RepositoryId,
    projectId: Type.String(),
    name: Name,
    repository: Repository,
    ref: Ref,
    folder: Folder,
    madeBy: Nullable(Type.String({ description: 'ID of the key or member; null: the command line.' })),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  closedObject('CodeRepository'),
)
export type CodeRepository = Static<typeof CodeRepository>

export const CodeRepositoryList = Type.Object(
  { repositories: Type.Array(CodeRepository, { maxItems: MAX_CODE_REPOSITORIES }) },
  closedObject('CodeRepositoryList'),
)

export const AddCodeRepositoryBody = Type.Object(
  {
    name: Name,
    repository: Repository,
    ref: Type.Optional(Ref),
    folder: Type.Optional(Folder),
  },
  closedObject('AddCodeRepository'),
)
export type AddCodeRepositoryBody = Static<typeof AddCodeRepositoryBody>

export const UpdateCodeRepositoryBody = Type.Object(
  {
    name: Type.Optional(Name),
    repository: Type.Optional(Repository),
    ref: Type.Optional(Ref),
    folder: Type.Optional(Folder),
  },
  {
    ...closedObject('UpdateCodeRepository'),
    minProperties: 1,
    description: 'Omitted fields stay unchanged.',
  },
)
export type UpdateCodeRepositoryBody = Static<typeof UpdateCodeRepositoryBody>

export const RemovedCodeRepository = Type.Object(
  { repositoryId: RepositoryId },
  closedObject('RemovedCodeRepository'),
)

const Id = Type.String({ minLength: 1, maxLength: 64 })
const ProjectParams = Type.Object({ projectId: Id })
export const CodeRepositoryParams = Type.Object({ projectId: Id, repositoryId: Id })

const ALL = '/v2/agent/{projectId}/code-repositories'
const ONE = `${ALL}/{repositoryId}` as const

const ROW = {
  ...PUBLIC_ROW,
  area: 'agent',
  params: CodeRepositoryParams,
} as const
/**
 * Requires the same permission as changing the source of a project, because a repository is read with the
 * organization's git token for its host.
 */
const CHANGE = { ...ROW, needs: 'projects' } as const

export const CODE_REPOSITORY_OPERATIONS = {
  listCodeRepositories: {
    ...ROW,
    method: 'GET',
    path: ALL,
    summary: 'List the code repositories that the agent can read, by name',
    params: ProjectParams,
    success: { status: 200, schema: CodeRepositoryList },
  },
  addCodeRepository: {
    ...CHANGE,
    method: 'POST',
    path: ALL,
    summary: 'Add a code repository that the agent can read',
    audit: 'code_repository.added',
    params: ProjectParams,
    body: AddCodeRepositoryBody,
    success: { status: 201, schema: CodeRepository },
  },
  updateCodeRepository: {
    ...CHANGE,
    method: 'PATCH',
    path: ONE,
    summary: 'Update the name, URL, ref or folder of a code repository',
    audit: 'code_repository.updated',
    body: UpdateCodeRepositoryBody,
    success: { status: 200, schema: CodeRepository },
  },
  removeCodeRepository: {
    ...CHANGE,
    method: 'DELETE',
    path: ONE,
    summary: 'Remove a code repository from the project; the repository itself is not changed',
    audit: 'code_repository.removed',
    success: { status: 200, schema: RemovedCodeRepository },
  },
} as const satisfies Record<string, Operation>
