/** `octavo projects delete`, `deleted`, `restore`: deletes and restores projects. */
import { quoteForShell, resolveProgramCommand } from '../../../app/operator/program-call.ts'
import type { DeletedProject, ProjectHoldings } from '../../../features/projects/operations/deletion.ts'
import { ORG_FLAG, withErrorMessages, withOrganization, withServer } from '../../api-client.ts'
import type { Command } from '../../command.ts'
import { table } from '../../table.ts'

export const projectsDelete: Command = {
  name: 'projects delete',
  summary:
    'Delete a project. It can be restored for a while. Without --confirm, only list what would be deleted.',
  worksOn: 'data',
  positionals: ['project'],
  flags: { confirm: { value: 'name', help: 'Name of the project, to confirm the deletion.' } },
  async run({ positionals, flag, print }) {
    const named = positionals[0] as string
    const confirmed = flag('confirm')
    if (confirmed === undefined) {
      const holdings = await withServer(async ({ call, findProject }) => {
        const { projectId } = await findProject(named)
        return call('getProjectHoldings', { params: { projectId } })
      })
      const { projectId, name } = holdings
      print.result(holdings, [
        ...formatHoldings(holdings),
        `Delete it: ${resolveProgramCommand()} projects delete ${projectId} --confirm ${quoteForShell(name)}`,
      ])
      return 0
    }
    const deleted = await withServer(async ({ call, findProject }) => {
      const { projectId } = await findProject(named)
      return withErrorMessages(call('deleteProject', { params: { projectId }, query: { name: confirmed } }), {
        invalid_request: '--confirm must be the exact name of the project.',
      })
    })
    print.result(deleted, [
      `${deleted.name} is deleted; its site is offline.`,
      `Permanently removed: ${formatGracePeriod(deleted)}. Restore it: ${resolveProgramCommand()} projects restore ${deleted.projectId}`,
    ])
    return 0
  },
}

export const projectsDeleted: Command = {
  name: 'projects deleted',
  summary: 'List deleted projects that can be restored.',
  worksOn: 'data',
  flags: { org: ORG_FLAG },
  async run({ flag, print }) {
    const { projects } = await withOrganization(flag('org'), ({ call }) => call('listDeletedProjects'))
    const rows = projects.map((one) => [one.projectId, one.name, one.deletedAt, one.removedFrom ?? 'never'])
    print.list(projects, ['ID', 'NAME', 'DELETED', 'REMOVED FROM'], rows, 'There is no deleted project.')
    return 0
  },
}

export const projectsRestore: Command = {
  name: 'projects restore',
  summary: 'Restore a deleted project with all its data.',
  worksOn: 'data',
  positionals: ['project'],
  flags: {},
  async run({ positionals, print }) {
    const projectId = positionals[0] as string
    const restored = await withServer(({ call }) =>
      withErrorMessages(call('restoreProject', { params: { projectId } }), {
        not_found: `There is no deleted project ${projectId}. List them: ${resolveProgramCommand()} projects deleted`,
      }),
    )
    print.result(restored, [`${restored.name} is restored, and its site is served again.`])
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
  const grace = contents.graceDays === 0 ? 'forever' : `for ${contents.graceDays} days`
  return [
    `${contents.name} (${contents.projectId}) at ${contents.domains.join(', ')}. Deleting it also deletes:`,
    ...table(rows.map(([what, count]) => [`  ${what}`, count.toLocaleString('en')])),
    contents.hasAnalytics ? 'and its web analytics.' : 'It has no web analytics.',
    ...(contents.isAtLeast
      ? ['There are more objects: only the newest versions of the site were counted.']
      : []),
    'Members, API keys, git tokens and the audit log belong to the organization and are not deleted.',
    `It can be restored ${grace}.`,
  ]
}

function formatGracePeriod({ removedFrom }: DeletedProject): string {
  return removedFrom === null ? 'never' : `from ${removedFrom} on`
}
