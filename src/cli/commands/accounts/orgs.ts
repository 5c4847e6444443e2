/** `octavo orgs`: organizations and their plans. */
import { addOrganization, changePlan, listAllOrganizations } from '../../../app/operator/administration.ts'
import { programCall } from '../../../app/operator/program-call.ts'
import type { Command } from '../../command.ts'
import { table } from '../../table.ts'
import { withDatabase } from '../../with-database.ts'

export const orgsCreate: Command = {
  name: 'orgs create',
  summary: 'Make an organization.',
  worksOn: 'data',
  flags: {
    name: { value: 'text', help: 'Its name.', isRequired: true },
    plan: { value: 'plan', help: 'free (default), pro or enterprise.' },
  },
  async run({ flag, print }) {
    const plan = flag('plan')
    const request = { name: flag('name') as string, ...(plan === undefined ? {} : { plan }) }
    const created = await withDatabase((context) => addOrganization(context, request))
    print.result({ organizationId: created.id, name: created.name, plan: created.plan }, [
      `${created.id}  ${created.name}  ${created.plan}`,
    ])
    return 0
  },
}

export const orgsList: Command = {
  name: 'orgs list',
  summary: 'List organizations and their plans.',
  worksOn: 'data',
  flags: {},
  async run({ print }) {
    const all = await withDatabase(listAllOrganizations)
    print.result(
      all.map(({ id, name, plan, createdAt }) => ({ organizationId: id, name, plan, createdAt })),
      all.length === 0
        ? [`There is no organization yet. Make one: ${programCall()} orgs create --name 'My organization'`]
        : table([['ID', 'NAME', 'PLAN'], ...all.map(({ id, name, plan }) => [id, name, plan])]),
    )
    return 0
  },
}

export const orgsSetPlan: Command = {
  name: 'orgs set-plan',
  summary: 'Put an organization on a plan: free, pro or enterprise.',
  worksOn: 'data',
  positionals: ['organization', 'plan'],
  flags: {},
  async run({ positionals, print }) {
    const [id, plan] = positionals as [string, string]
    const changed = await withDatabase((context) => changePlan(context, id, plan))
    print.result({ organizationId: changed.id, plan: changed.plan }, [
      `${changed.id} is on the plan ${changed.plan}.`,
    ])
    return 0
  },
}
