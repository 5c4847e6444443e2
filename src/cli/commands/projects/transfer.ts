/** `octavo projects transfer`: moves a project to another organization of this server. */
import { resolveProgramCommand } from '../../../app/operator/program-call.ts'
import type { ProjectTransfer } from '../../../features/projects/operations/transfer.ts'
import { withServer } from '../../api-client.ts'
import type { Command } from '../../command.ts'

export const projectsTransfer: Command = {
  name: 'projects transfer',
  summary: 'Transfer a project to another organization. Without --to, only list what would not be moved.',
  worksOn: 'data',
  positionals: ['project'],
  flags: {
    to: {
      value: 'organization',
      help: 'ID of the new organization. The project is transferred immediately.',
    },
  },
  async run({ positionals, flag, print }) {
    const named = positionals[0] as string
    const to = flag('to')
    if (to === undefined) {
      const transfer = await withServer(async ({ client, findProject }) => {
        const { projectId } = await findProject(named)
        return client.call('getProjectTransfer', { params: { projectId } })
      })
      print.result(transfer, [
        ...formatTransfer(transfer),
        `Transfer it: ${resolveProgramCommand()} projects transfer ${transfer.projectId} --to ORGANIZATION`,
      ])
      return 0
    }
    const moved = await withServer(async ({ call, findProject, chooseOrganization }) => {
      const { name: organizationName } = await chooseOrganization(to)
      const { projectId } = await findProject(named)
      const params = { projectId }
      return { ...(await call('moveProject', { params, body: { organizationId: to } })), organizationName }
    })
    print.result(moved, [`${moved.name} now belongs to ${moved.organizationName} (${moved.organizationId}).`])
    return 0
  },
}

function formatTransfer({ name, goesAlong, losses, atWork, offer }: ProjectTransfer): string[] {
  const { feedback, deployments, exports, agentJobs } = goesAlong
  return [
    `${name}: ${feedback} feedback entries, ${deployments} deployments, ${exports} exports and ${agentJobs} agent jobs move with it.`,
    ...losses.map(({ count, text }) => `  ${text} (${count})`),
    ...(atWork > 0 ? [`Deployments, exports or agent jobs that must end first: ${atWork}`] : []),
    ...(offer === null ? [] : [`It is offered to ${offer.toOrganizationId} until ${offer.expiresAt}.`]),
  ]
}
