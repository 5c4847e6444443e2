/** `octavo projects archive`, `archived`, `unarchive`: manages archived projects. */
import { resolveProgramCommand } from '../../../app/operator/program-call.ts'
import { ORG_FLAG, withErrorMessages, withOrganization, withServer } from '../../api-client.ts'
import type { Command } from '../../command.ts'

export const projectsArchive: Command = {
  name: 'projects archive',
  summary: 'Archive a project: its data stays, but jobs, publishing and data collection stop.',
  worksOn: 'data',
  positionals: ['project'],
  flags: {
    'not-served': { help: 'Take the site offline while the project is archived.' },
    feedback: { help: 'Continue to accept feedback from readers.' },
  },
  async run({ positionals, has, print }) {
    const body = { serves: !has('not-served'), takesFeedback: has('feedback') }
    const archived = await withServer(async ({ call, findProject }) => {
      const { projectId } = await findProject(positionals[0] as string)
      return withErrorMessages(call('archiveProject', { params: { projectId }, body }), {
        invalid_request: 'Feedback requires a served site. Remove --not-served or --feedback.',
      })
    })
    const site = archived.serves ? 'its site is still served as last published' : 'its site is offline'
    print.result(archived, [
      `${archived.name} is archived; ${site}.`,
      `Unarchive it: ${resolveProgramCommand()} projects unarchive ${archived.projectId}`,
    ])
    return 0
  },
}

export const projectsArchived: Command = {
  name: 'projects archived',
  summary: 'List archived projects.',
  worksOn: 'data',
  flags: { org: ORG_FLAG },
  async run({ flag, print }) {
    const { projects } = await withOrganization(flag('org'), ({ call }) => call('listArchivedProjects'))
    const rows = projects.map((one) => [
      one.projectId,
      one.name,
      one.archivedAt,
      one.serves ? 'served' : 'offline',
      one.takesFeedback ? 'accepted' : 'rejected',
    ])
    const columns = ['ID', 'NAME', 'ARCHIVED', 'SITE', 'FEEDBACK']
    print.list(projects, columns, rows, 'There is no archived project.')
    return 0
  },
}

export const projectsUnarchive: Command = {
  name: 'projects unarchive',
  summary: 'Unarchive a project.',
  worksOn: 'data',
  positionals: ['project'],
  flags: {},
  async run({ positionals, print }) {
    const projectId = positionals[0] as string
    const none = `There is no archived project ${projectId}. List them: ${resolveProgramCommand()} projects archived`
    const project = await withServer(({ call }) =>
      withErrorMessages(call('unarchiveProject', { params: { projectId } }), {
        not_found: none,
        project_not_archived: none,
      }),
    )
    print.result(project, [`${project.name} is no longer archived.`])
    return 0
  },
}
