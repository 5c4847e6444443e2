/** `octavo projects archive`, `archived`, `unarchive`: manages archived projects. */
import { chooseOrganization } from '../../../app/operator/administration.ts'
import { archiveProject, listArchivedProjects, unarchiveProject } from '../../../app/operator/archive.ts'
import { programCall } from '../../../app/operator/program-call.ts'
import type { Command } from '../../command.ts'
import { table } from '../../table.ts'
import { withDatabase } from '../../with-database.ts'

export const projectsArchive: Command = {
  name: 'projects archive',
  summary: 'Archive a project: it keeps everything, and nothing starts or is collected in it.',
  worksOn: 'data',
  positionals: ['project'],
  flags: {
    'not-served': { help: 'Take the site down for as long as it is archived.' },
    feedback: { help: 'Go on taking feedback of readers.' },
  },
  async run({ positionals, has, print }) {
    const archiveOptions = { serves: !has('not-served'), takesFeedback: has('feedback') }
    const archived = await withDatabase((context) =>
      archiveProject(context, positionals[0] as string, archiveOptions),
    )
    const site = archived.serves ? 'its site is served as it was last published' : 'its site is taken down'
    print.result(archived, [
      `${archived.name} is archived; ${site}.`,
      `Unarchive it: ${programCall()} projects unarchive ${archived.projectId}`,
    ])
    return 0
  },
}

export const projectsArchived: Command = {
  name: 'projects archived',
  summary: 'List archived projects.',
  worksOn: 'data',
  flags: { org: { value: 'id', help: 'Organization; the only one there is when left out.' } },
  async run({ flag, print }) {
    const projects = await withDatabase(async (context) => {
      const organization = await chooseOrganization(context, flag('org'))
      return listArchivedProjects(context, organization.id)
    })
    const rows = projects.map((one) => [
      one.projectId,
      one.name,
      one.archivedAt,
      one.serves ? 'served' : 'taken down',
      one.takesFeedback ? 'taken' : 'refused',
    ])
    print.result(
      projects,
      rows.length === 0
        ? ['There is no archived project.']
        : table([['ID', 'NAME', 'ARCHIVED', 'SITE', 'FEEDBACK'], ...rows]),
    )
    return 0
  },
}

export const projectsUnarchive: Command = {
  name: 'projects unarchive',
  summary: 'Unarchive a project: it is as it was.',
  worksOn: 'data',
  positionals: ['project'],
  flags: {},
  async run({ positionals, print }) {
    const feedbackText = await withDatabase((context) => unarchiveProject(context, positionals[0] as string))
    print.result(feedbackText, [`${feedbackText.name} is no longer archived.`])
    return 0
  },
}
