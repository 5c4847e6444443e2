/** `octavo operators`: people who run the server and may change server-wide settings on the dashboard. */
import { addOperator, listAllOperators, removeOperator } from '../../../app/operator/people-administration.ts'
import { programCall } from '../../../app/operator/program-call.ts'
import type { Command } from '../../command.ts'
import { table } from '../../table.ts'
import { withDatabase } from '../../with-database.ts'

export const operatorsAdd: Command = {
  name: 'operators add',
  summary: 'Let a person change the settings of the server on the dashboard.',
  worksOn: 'data',
  positionals: ['e-mail'],
  flags: {},
  async run({ positionals, print }) {
    const [email] = positionals as [string]
    const changed = await withDatabase((context) => addOperator(context, email))
    print.result({ email, changed }, [
      changed ? `${email} is an operator now.` : `${email} is an operator already.`,
    ])
    return 0
  },
}

export const operatorsRemove: Command = {
  name: 'operators remove',
  summary: 'Take the role of operator from a person.',
  worksOn: 'data',
  positionals: ['e-mail'],
  flags: {},
  async run({ positionals, print }) {
    const [email] = positionals as [string]
    const changed = await withDatabase((context) => removeOperator(context, email))
    print.result({ email, changed }, [
      changed ? `${email} is no operator any more.` : `${email} is no operator.`,
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
    const all = await withDatabase(listAllOperators)
    print.result(
      all.map(({ email, name, since }) => ({ email, name, since })),
      all.length === 0
        ? [`There is no operator. Name one: ${programCall()} operators add you@example.com`]
        : table([['E-MAIL', 'NAME'], ...all.map(({ email, name }) => [email, name])]),
    )
    return 0
  },
}
