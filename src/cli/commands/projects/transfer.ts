/** `octavo projects transfer`: moves a project to another organization of this server. */
import { programCall } from '../../../app/operator/program-call.ts'
import { describeTransfer, transferProject } from '../../../app/operator/transfer.ts'
import type { ProjectTransfer } from '../../../features/projects/operations/transfer.ts'
import type { Command } from '../../command.ts'
import { withDatabase } from '../../with-database.ts'

export const projectsTransfer: Command = {
  name: 'projects transfer',
  summary: 'Transfer a project to another organization; without --to, say what would not go along.',
  worksOn: 'data',
  positionals: ['project'],
  flags: { to: { value: 'organization', help: 'Id of the new organization: the project is transferred.' } },
  async run({ positionals, flag, print }) {
    const named = positionals[0] as string
    const to = flag('to')
    if (to === undefined) {
      const transfer = await withDatabase((context) => describeTransfer(context, named))
      print.result(transfer, [
        ...formatTransfer(transfer),
        `Transfer it: ${programCall()} projects transfer ${transfer.projectId} --to ORGANIZATION`,
      ])
      return 0
    }
    const moved = await withDatabase((context) => transferProject(context, { named, to }))
    print.result(moved, [`${moved.name} belongs to ${moved.organizationName} (${moved.organizationId}) now.`])
    return 0
  },
}

function formatTransfer({ name, goesAlong, losses, atWork, offer }: ProjectTransfer): string[] {
  const { feedback, deployments, exports, agentJobs } = goesAlong
  return [
    `${name}: ${feedback} entries of feedback, ${deployments} deployments, ${exports} exports and ${agentJobs} agent jobs go along.`,
    ...losses.map(({ count, text }) => `  ${text} (${count})`),
    ...(atWork > 0
      ? [`Deployments, exports or agent jobs are at work, and have to end first: ${atWork}`]
      : []),
    ...(offer === null ? [] : [`It is offered to ${offer.toOrganizationId} until ${offer.expiresAt}.`]),
  ]
}
