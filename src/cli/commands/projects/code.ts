/** `octavo projects code`: code repositories that the agent of a project may read. */
import {
  addCode,
  listProjectCodeRepositories,
  removeCode,
} from '../../../app/operator/code-administration.ts'
import { programCall } from '../../../app/operator/program-call.ts'
import { CODE_REPOSITORY_NAME } from '../../../features/projects/operations/code-repositories.ts'
import { type Command, UsageError } from '../../command.ts'
import { table } from '../../table.ts'
import { withDatabase } from '../../with-database.ts'
import { parseSource } from './projects.ts'

export const projectsCodeAdd: Command = {
  name: 'projects code add',
  summary: "Let a project's agent read a repository of code; it never writes to it.",
  worksOn: 'data',
  positionals: ['project'],
  flags: {
    name: { value: 'text', help: 'As the agent and its pull requests call it.', isRequired: true },
    source: {
      value: 'folder or URL',
      help: 'The URL of a git repository, or a folder of this machine that lies in one.',
      isRequired: true,
    },
    ref: { value: 'ref', help: 'Branch, tag or commit; the default branch when left out.' },
    folder: { value: 'folder', help: 'Folder inside the repository; all of it when left out.' },
  },
  async run({ positionals, flag, print }) {
    const name = flag('name') as string
    if (!CODE_REPOSITORY_NAME.test(name))
      throw new UsageError(
        '--name takes up to 40 letters, digits, dots, hyphens and underscores, such as api.',
      )
    const { repository } = parseSource(flag('source') as string)
    const body = { name, repository, ref: flag('ref') ?? null, folder: flag('folder') ?? '' }
    const added = await withDatabase((context) => addCode(context, positionals[0] as string, body))
    print.result(added, [`${added.name}  ${added.repository}`])
    return 0
  },
}

export const projectsCodeList: Command = {
  name: 'projects code list',
  summary: "List the repositories of code that a project's agent may read.",
  worksOn: 'data',
  positionals: ['project'],
  flags: {},
  async run({ positionals, print }) {
    const found = await withDatabase((context) =>
      listProjectCodeRepositories(context, positionals[0] as string),
    )
    print.result(
      found,
      found.length === 0
        ? [`The agent reads no code yet. How to add some: ${programCall()} projects code add --help`]
        : table([
            ['NAME', 'SOURCE', 'REF', 'FOLDER'],
            ...found.map(({ name, repository, ref, folder }) => [name, repository, ref ?? 'default', folder]),
          ]),
    )
    return 0
  },
}

export const projectsCodeRemove: Command = {
  name: 'projects code remove',
  summary: "Take a repository of code from a project's agent; the repository stays as it is.",
  worksOn: 'data',
  positionals: ['project', 'name'],
  flags: {},
  async run({ positionals, print }) {
    const [project = '', name = ''] = positionals
    const removed = await withDatabase((context) => removeCode(context, project, name))
    print.result(removed, [`The agent no longer reads ${removed.name}.`])
    return 0
  },
}
