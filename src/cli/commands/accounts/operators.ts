/** `octavo operators`: users who run the server and may change server-wide settings on the dashboard. */
import { resolveProgramCommand } from '../../../app/operator/program-call.ts'
import { withErrorMessages, withServer } from '../../api-client.ts'
import type { Command } from '../../command.ts'

export const operatorsAdd: Command = {
  name: 'operators add',
  summary: 'Make a person an operator, who can change the server settings on the dashboard.',
  worksOn: 'data',
  positionals: ['e-mail'],
  flags: {},
  async run({ positionals, print }) {
    const changed = await changeOperator('addOperator', positionals[0] as string)
    print.result(changed, [
      changed.changed ? `${changed.email} is now an operator.` : `${changed.email} is already an operator.`,
    ])
    return 0
  },
}

export const operatorsRemove: Command = {
  name: 'operators remove',
  summary: 'Remove an operator.',
  worksOn: 'data',
  positionals: ['e-mail'],
  flags: {},
  async run({ positionals, print }) {
    const changed = await changeOperator('removeOperator', positionals[0] as string)
    print.result(changed, [
      changed.changed ? `${changed.email} is no longer an operator.` : `${changed.email} is not an operator.`,
    ])
    return 0
  },
}

export const operatorsList: Command = {
  name: 'operators list',
  summary: 'List the operators of the server.',
  worksOn: 'data',
  flags: {},
  async run({ print }) {
    const { operators } = await withServer(({ call }) => call('listOperators'))
    print.list(
      operators,
      ['E-MAIL', 'NAME'],
      operators.map(({ email, name }) => [email, name]),
      `There is no operator. Add one: ${resolveProgramCommand()} operators add you@example.com`,
    )
    return 0
  },
}

function changeOperator(operation: 'addOperator' | 'removeOperator', email: string) {
  return withServer(({ call }) =>
    withErrorMessages(call(operation, { body: { email } }), {
      not_found: `There is no account with the email address ${email}.`,
    }),
  )
}
