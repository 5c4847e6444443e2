/** `octavo audit`: verifies the audit log, and removes old entries. */
import { type OperatorApi, ORG_FLAG, withServer } from '../../api-client.ts'
import { type Command, UsageError } from '../../command.ts'

const ORG = { ...ORG_FLAG, help: 'Organization. Default: all.' }

export const auditVerify: Command = {
  name: 'audit verify',
  summary:
    'Check that no row of the audit log was changed, removed or reordered; prints the newest row as an anchor.',
  worksOn: 'data',
  flags: {
    org: ORG,
    anchor: {
      value: 'number:hash',
      help: 'Anchor printed by an earlier run. Verifies that the log up to the anchor was not truncated or rewritten. Requires --org.',
    },
  },
  async run({ flag, print }) {
    const anchor = flag('anchor')
    if (anchor !== undefined && !/^\d{1,15}:[0-9a-f]{64}$/.test(anchor))
      throw new UsageError(
        '--anchor must be a number, a colon and 64 hexadecimal digits, as printed by audit verify.',
      )
    if (anchor !== undefined && flag('org') === undefined) throw new UsageError('--anchor requires --org.')
    const query = anchor === undefined ? {} : { anchor }
    const verdicts = await forEachOrganization(flag('org'), ({ call }) => call('verifyAudit', { query }))
    const areAllIntact = verdicts.every(({ faults }) => faults.length === 0)
    print.result(
      { ok: areAllIntact, organizations: verdicts },
      verdicts.flatMap(({ organizationId, rows, head, checkpoint, faults }) => [
        `${organizationId}: ${rows} rows${checkpoint === 0 ? '' : `, from row ${checkpoint + 1}`}, ${faults.length === 0 ? 'intact' : 'NOT intact'}`,
        ...faults.map((fault) => `  ${fault}`),
        ...(head === null ? [] : [`  anchor ${head.number}:${head.hash}`]),
      ]),
    )
    if (areAllIntact) print.note('Store the anchors elsewhere, and pass them to a later run with --anchor.')
    return areAllIntact ? 0 : 1
  },
}

export const auditPrune: Command = {
  name: 'audit prune',
  summary: 'Remove audit log entries before a date; the rest can still be verified.',
  worksOn: 'data',
  flags: {
    before: {
      value: 'date',
      help: 'YYYY-MM-DD, in UTC. Rows of earlier days are removed.',
      isRequired: true,
    },
    org: ORG,
  },
  async run({ flag, print }) {
    const body = { before: readDay(flag('before') as string).toISOString() }
    const pruned = await forEachOrganization(flag('org'), ({ call }) => call('pruneAudit', { body }))
    print.result(
      { organizations: pruned },
      pruned.map(({ organizationId, rows }) => `${organizationId}: ${rows} rows removed`),
    )
    return 0
  },
}

function forEachOrganization<Answer>(
  named: string | undefined,
  work: (server: OperatorApi) => Promise<Answer>,
): Promise<Answer[]> {
  return withServer(async (server) => {
    const answers: Answer[] = []
    const { organizations } = await server.call('listOrganizations')
    for (const id of named === undefined ? organizations.map((one) => one.organizationId) : [named]) {
      await server.chooseOrganization(id)
      answers.push(await work(server))
    }
    return answers
  })
}

function readDay(text: string): Date {
  const day = new Date(`${text}T00:00:00.000Z`)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime())
  if (!isDay || day.toISOString().slice(0, 10) !== text)
    throw new UsageError('--before must be a valid date, such as 2026-01-31.')
  return day
}
