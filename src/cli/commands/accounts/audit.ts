/** `octavo audit`: verifies the audit log, and removes old entries. */
import { pruneAuditLogs, verifyAuditLogs } from '../../../app/operator/audit-administration.ts'
import { type Command, UsageError } from '../../command.ts'
import { withDatabase } from '../../with-database.ts'

const ORG = { value: 'id', help: 'Organization; all of them when left out.' }

export const auditVerify: Command = {
  name: 'audit verify',
  summary:
    'Check that no row of the audit log was changed, removed or reordered; prints the newest as an anchor.',
  worksOn: 'data',
  flags: {
    org: ORG,
    anchor: {
      value: 'number:hash',
      help: 'An anchor that an earlier run printed: shows that the log since then was not cut off or written anew. Needs --org.',
    },
  },
  async run({ flag, print }) {
    const anchor = readAnchor(flag('anchor'))
    if (anchor !== null && flag('org') === undefined) throw new UsageError('--anchor needs --org.')
    const verdicts = await withDatabase((context) => verifyAuditLogs(context, flag('org'), anchor))
    const areAllIntact = verdicts.every(({ faults }) => faults.length === 0)
    print.result(
      { ok: areAllIntact, organizations: verdicts },
      verdicts.flatMap(({ organizationId, rows, head, checkpoint, faults }) => [
        `${organizationId}: ${rows} rows${checkpoint === 0 ? '' : `, from row ${checkpoint + 1} on`}, ${faults.length === 0 ? 'as they were written' : 'NOT as they were written'}`,
        ...faults.map((fault) => `  ${fault}`),
        ...(head === null ? [] : [`  anchor ${head.number}:${head.hash}`]),
      ]),
    )
    if (areAllIntact) print.note('Keep the anchors elsewhere, and give them to a later run with --anchor.')
    return areAllIntact ? 0 : 1
  },
}

export const auditPrune: Command = {
  name: 'audit prune',
  summary: 'Remove rows of the audit log that are older than a day; what is kept can still be verified.',
  worksOn: 'data',
  flags: {
    before: { value: 'date', help: 'YYYY-MM-DD, in UTC: rows of earlier days go.', isRequired: true },
    org: ORG,
  },
  async run({ flag, print }) {
    const before = readDay(flag('before') as string)
    const pruned = await withDatabase((context) => pruneAuditLogs(context, flag('org'), before))
    print.result(
      { organizations: pruned },
      pruned.map(({ organizationId, rows }) => `${organizationId}: ${rows} rows removed`),
    )
    return 0
  },
}

function readAnchor(text: string | undefined) {
  if (text === undefined) return null
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (number === undefined || hash === undefined)
    throw new UsageError(
      '--anchor must be as audit verify prints it: a number, a colon and 64 hexadecimal digits.',
    )
  return { number: Number(number), hash }
}

function readDay(text: string): Date {
  const day = new Date(`${text}T00:00:00.000Z`)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime())
  if (!isDay || day.toISOString().slice(0, 10) !== text)
    throw new UsageError('--before must be a day that exists, such as 2026-01-31.')
  return day
}
