/** `octavo storage`: usage by organization, sweeps, and retention settings. */
import {
  MAX_RETENTION_DAYS,
  ORGANIZATION_RETENTION_KINDS,
  STORAGE_HOLDER_LABELS,
} from '../../base/api/retention.ts'
import type { StorageSweep } from '../../features/storage/operations/operator.ts'
import { ORG_FLAG, withOrganization, withServer } from '../api-client.ts'
import { type Command, UsageError } from '../command.ts'
import { megabytes, table } from '../table.ts'

export const storageShow: Command = {
  name: 'storage',
  summary: 'Show the usage of object storage, and what the next sweep would delete.',
  worksOn: 'data',
  flags: {},
  async run({ print }) {
    const measured = await withServer(({ call }) => call('measureStorage'))
    const { use, deletable, lastSweep } = measured
    print.result(measured, [
      ...formatUsage(use),
      `${amount(deletable)} would be deleted now.`,
      lastSweep === null ? 'There has been no sweep yet.' : `The last sweep ended at ${lastSweep}.`,
    ])
    return 0
  },
}

export const storageSweep: Command = {
  name: 'storage sweep',
  summary: 'Remove expired data now, as a running server does every hour.',
  worksOn: 'data',
  flags: { 'dry-run': { help: 'Only print what would be deleted.' } },
  async run({ has, print }) {
    if (has('dry-run')) {
      const { use, deletable } = await withServer(({ call }) => call('measureStorage'))
      print.result({ use, deleted: deletable, isDryRun: true }, [
        `${amount(deletable)} would be deleted now.`,
      ])
      return 0
    }
    const { sweep } = await withServer(({ call }) => call('sweepStorage'))
    if (sweep === null) {
      print.note('Another sweep is running. Nothing was done.')
      return 1
    }
    print.result({ ...sweep, isDryRun: false }, [`${amount(sweep.deleted)} deleted.`])
    return 0
  },
}

export const storageKeep: Command = {
  name: 'storage keep',
  summary: `Set an organization's retention in days for one kind of data: ${ORGANIZATION_RETENTION_KINDS.join(', ')}.`,
  worksOn: 'data',
  positionals: ['kind', 'days'],
  flags: { org: ORG_FLAG },
  async run({ positionals, flag, print }) {
    const [kind, text] = positionals as [string, string]
    const known = ORGANIZATION_RETENTION_KINDS.find((one) => one === kind)
    if (known === undefined)
      throw new UsageError(`Unknown kind ${kind}. The kinds are ${ORGANIZATION_RETENTION_KINDS.join(', ')}.`)
    const days = readDays(text)
    const { id: organizationId, name } = await withOrganization(flag('org'), ({ call }) =>
      call('updateOrganization', { body: { retention: { [known]: days } } }),
    )
    print.result({ organizationId, kind: known, days }, [`${name} keeps ${known} ${formatDays(days)}.`])
    return 0
  },
}

function readDays(text: string): number | null {
  if (text === 'default') return null
  if (/^\d{1,6}$/.test(text) && Number(text) <= MAX_RETENTION_DAYS) return Number(text)
  throw new UsageError(
    `Invalid days: ${text}. Use a whole number up to ${MAX_RETENTION_DAYS}, 0 for forever, or default.`,
  )
}

function formatDays(days: number | null): string {
  if (days === null) return "for the operator's default"
  return days === 0 ? 'forever' : `for ${days} ${days === 1 ? 'day' : 'days'}`
}

function formatUsage(use: StorageSweep['use']): string[] {
  if (use.length === 0) return ['Nothing is stored.']
  const rows = use
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ organizationId, holder, objects, bytes }) => [
      organizationId ?? '-',
      String(objects),
      megabytes(bytes),
      STORAGE_HOLDER_LABELS[holder],
    ])
  return table([['ORGANIZATION', 'OBJECTS', 'MB', 'WHAT'], ...rows])
}

function amount({ objects, bytes }: { objects: number; bytes: number }): string {
  return `${objects} ${objects === 1 ? 'object' : 'objects'} with ${megabytes(bytes)} MB`
}
