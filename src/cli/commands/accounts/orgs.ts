/** `octavo orgs`: organizations and their plans. */
import { resolveProgramCommand } from '../../../app/operator/program-call.ts'
import type { Plan } from '../../../base/api/plans.ts'
import { withOrganization, withServer } from '../../api-client.ts'
import type { Command } from '../../command.ts'

export const orgsCreate: Command = {
  name: 'orgs create',
  summary: 'Create an organization.',
  worksOn: 'data',
  flags: {
    name: { value: 'text', help: 'Name.', isRequired: true },
    plan: { value: 'plan', help: 'free (default), pro or enterprise.' },
  },
  async run({ flag, print }) {
    const plan = flag('plan')
    const body = { name: flag('name') as string, ...(plan === undefined ? {} : { plan }) }
    const created = await withServer(({ call }) => call('createOrganization', { body }))
    const { createdAt: _, ...shown } = created
    print.result(shown, [`${created.organizationId}  ${created.name}  ${created.plan}`])
    return 0
  },
}

export const orgsList: Command = {
  name: 'orgs list',
  summary: 'List organizations and their plans.',
  worksOn: 'data',
  flags: {},
  async run({ print }) {
    const { organizations } = await withServer(({ call }) => call('listOrganizations'))
    print.list(
      organizations,
      ['ID', 'NAME', 'PLAN'],
      organizations.map(({ organizationId, name, plan }) => [organizationId, name, plan]),
      `There is no organization yet. Create one: ${resolveProgramCommand()} orgs create --name 'My organization'`,
    )
    return 0
  },
}

export const orgsSetPlan: Command = {
  name: 'orgs set-plan',
  summary: 'Change the plan of an organization: free, pro or enterprise.',
  worksOn: 'data',
  positionals: ['organization', 'plan'],
  flags: {},
  async run({ positionals, print }) {
    const [organizationId, named] = positionals as [string, Plan]
    const { plan } = await withOrganization(organizationId, ({ call }) =>
      call('updateOrganization', { body: { plan: named } }),
    )
    print.result({ organizationId, plan }, [`${organizationId} is on the plan ${plan}.`])
    return 0
  },
}
