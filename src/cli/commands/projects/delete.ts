/** `octavo projects delete`, `deleted`, `restore`: deletes and restores projects. */
import { chooseOrganization } from '../../../app/operator/administration.ts'
import {
  listDeletedProjects,
  readHoldings,
  restoreDeletedProject,
  scheduleProjectDeletion,
} from '../../../app/operator/deletion.ts'
import { programCall, quoteForShell } from '../../../app/operator/program-call.ts'
import type { DeletedProject, ProjectHoldings } from '../../../features/projects/operations/deletion.ts'
import type { Command } from '../../command.ts'
import { table } from '../../table.ts'
import { withContext, withDatabase } from '../../with-database.ts'

export const projectsDelete: Command = {
  name: 'projects delete',
  summary: 'Delete a project, which can be brought back for a while; without --confirm, say what would go.',
  worksOn: 'data',
  positionals: ['project'],
  flags: { confirm: { value: 'name', help: 'Name of the project: it is deleted.' } },
  async run({ positionals, flag, print }) {
    const named = positionals[0] as string
    const confirmed = flag('confirm')
    if (confirmed === undefined) {
      const holdings = await withContext((context) => readHoldings(context, named))
      const { projectId, name } = holdings
      print.result(holdings, [
        ...formatHoldings(holdings),
        `Delete it: ${programCall()} projects delete ${projectId} --confirm ${quoteForShell(name)}`,
      ])
      return 0
    }
    const deleted = await withDatabase((context) =>
      scheduleProjectDeletion(context, { named, name: confirmed }),
    )
    print.result(deleted, [
      `${deleted.name} is deleted; its site is taken down.`,
      `It is removed ${formatGracePeriod(deleted)}. Bring it back: ${programCall()} projects restore ${deleted.projectId}`,
    ])
    return 0
  },
}

export const projectsDeleted: Command = {
  name: 'projects deleted',
  summary: 'List deleted projects that can be brought back.',
  worksOn: 'data',
  flags: { org: { value: 'id', help: 'Organization; the only one there is when left out.' } },
  async run({ flag, print }) {
    const projects = await withDatabase(async (context) => {
      const organization = await chooseOrganization(context, flag('org'))
      return listDeletedProjects(context, organization.id)
    })
    const rows = projects.map((one) => [one.projectId, one.name, one.deletedAt, one.removedFrom ?? 'never'])
    print.result(
      projects,
      rows.length === 0
        ? ['There is no deleted project.']
        : table([['ID', 'NAME', 'DELETED', 'REMOVED FROM'], ...rows]),
    )
    return 0
  },
}

export const projectsRestore: Command = {
  name: 'projects restore',
  summary: 'Bring a deleted project back, with all that it had.',
  worksOn: 'data',
  positionals: ['project'],
  flags: {},
  async run({ positionals, print }) {
    const restored = await withDatabase((context) => restoreDeletedProject(context, positionals[0] as string))
    print.result(restored, [`${restored.name} is back, and its site is served again.`])
    return 0
  },
}

function formatHoldings(contents: ProjectHoldings): string[] {
  const rows: [string, number][] = [
    ['feedback', contents.feedback],
    ['questions to the assistant', contents.questions],
    ['deployments', contents.deployments],
    ['static exports', contents.exports],
    ['agent jobs', contents.agentJobs],
    ['webhooks', contents.webhooks],
    ['passwords and signed links', contents.passes],
    ['stored objects', contents.objects],
    ['bytes in them', contents.bytes],
  ]
  const grace = contents.graceDays === 0 ? 'for ever' : `for ${contents.graceDays} days`
  return [
    `${contents.name} (${contents.projectId}) at ${contents.domains.join(', ')}. With it go:`,
    ...table(rows.map(([what, count]) => [`  ${what}`, count.toLocaleString('en')])),
    contents.hasAnalytics ? 'and its web analytics.' : 'It has no web analytics.',
    ...(contents.isAtLeast
      ? ['There are more objects: only the newest versions of the site were counted.']
      : []),
    'Members, API keys, git tokens and the audit log stay: they belong to the organization.',
    `It can be brought back ${grace}.`,
  ]
}

function formatGracePeriod({ removedFrom }: DeletedProject): string {
  return removedFrom === null ? 'never' : `from ${removedFrom} on`
}
