/** `octavo projects code`: code repositories that the agent of a project may read. */
import { resolveProgramCommand } from '../../../app/operator/program-call.ts'
import { CODE_REPOSITORY_NAME } from '../../../features/projects/operations/code-repositories.ts'
import { withServer } from '../../api-client.ts'
import { type Command, UsageError } from '../../command.ts'
import { RefusedError } from '../../operator-error.ts'
import { parseSource } from './projects.ts'

export const projectsCodeAdd: Command = {
  name: 'projects code add',
  summary: 'Add a code repository that the agent of a project can read but not change.',
  worksOn: 'data',
  positionals: ['project'],
  flags: {
    name: {
      value: 'text',
      help: 'Name that the agent and its pull requests use for the repository.',
      isRequired: true,
    },
    source: {
      value: 'folder or URL',
      help: 'URL of a git repository, or a folder inside one on this machine.',
      isRequired: true,
    },
    ref: { value: 'ref', help: 'Branch, tag or commit. Default: the default branch.' },
    folder: { value: 'folder', help: 'Folder inside the repository. Default: the whole repository.' },
  },
  async run({ positionals, flag, print }) {
    const name = flag('name') as string
    if (!CODE_REPOSITORY_NAME.test(name))
      throw new UsageError(
        '--name can have up to 40 letters, digits, dots, hyphens and underscores, such as api.',
      )
    const { repository } = parseSource(flag('source') as string)
    const body = { name, repository, ref: flag('ref') ?? null, folder: flag('folder') ?? '' }
    const added = await withServer(async ({ call, findProject }) => {
      const { projectId } = await findProject(positionals[0] as string)
      return call('addCodeRepository', { params: { projectId }, body })
    })
    print.result(added, [`${added.name}  ${added.repository}`])
    return 0
  },
}

export const projectsCodeList: Command = {
  name: 'projects code list',
  summary: "List the code repositories that a project's agent can read.",
  worksOn: 'data',
  positionals: ['project'],
  flags: {},
  async run({ positionals, print }) {
    const { repositories } = await withServer(async ({ call, findProject }) => {
      const { projectId } = await findProject(positionals[0] as string)
      return call('listCodeRepositories', { params: { projectId } })
    })
    print.list(
      repositories,
      ['NAME', 'SOURCE', 'REF', 'FOLDER'],
      repositories.map(({ name, repository, ref, folder }) => [name, repository, ref ?? 'default', folder]),
      `The agent has no code repositories yet. To add one: ${resolveProgramCommand()} projects code add --help`,
    )
    return 0
  },
}

export const projectsCodeRemove: Command = {
  name: 'projects code remove',
  summary: 'Remove a code repository from a project; the repository itself is not changed.',
  worksOn: 'data',
  positionals: ['project', 'name'],
  flags: {},
  async run({ positionals, print }) {
    const [project = '', named = ''] = positionals
    const removed = await withServer(async ({ call, findProject }) => {
      const { projectId } = await findProject(project)
      const { repositories } = await call('listCodeRepositories', { params: { projectId } })
      const found = repositories.find(({ repositoryId, name }) => repositoryId === named || name === named)
      if (found === undefined)
        throw new RefusedError(
          `The project has no code repository ${named}. Available: ${repositories.map(({ name }) => name).join(', ') || 'none'}.`,
        )
      const { repositoryId } = found
      await call('removeCodeRepository', { params: { projectId, repositoryId } })
      return found
    })
    print.result(removed, [`The agent no longer reads ${removed.name}.`])
    return 0
  },
}
