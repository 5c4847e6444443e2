/** `octavo storage`: usage by organization, sweeps, and retention settings. */
import { measureStorage, setOrganizationRetention, sweepStorage } from '../../app/operator/storage.ts'
import { HOLDERS, MAX_RETENTION_DAYS, ORGANIZATION_RETENTION_KINDS } from '../../base/api/retention.ts'
import { type Command, UsageError } from '../command.ts'
import { table } from '../table.ts'
import { withContext, withDatabase } from '../with-database.ts'

type Measured = Awaited<ReturnType<typeof measureStorage>>

export const storageShow: Command = {
  name: 'storage',
  summary: 'Show what holds how much of object storage, and what the next sweep would delete.',
  worksOn: 'data',
  flags: {},
  async run({ print }) {
    const measured = await withContext(measureStorage)
    const { deleted: deletable, last } = measured
    print.result({ use: toUsageReport(measured), deletable, lastSweep: last?.toISOString() ?? null }, [
      ...formatUsage(measured),
      `${amount(deletable)} would be deleted now.`,
      last === null ? 'There was no sweep yet.' : `The last sweep ended at ${last.toISOString()}.`,
    ])
    return 0
  },
}

export const storageSweep: Command = {
  name: 'storage sweep',
  summary: 'Remove now what is older than it is kept; a running server does so once an hour.',
  worksOn: 'data',
  flags: { 'dry-run': { help: 'Only say what would be deleted.' } },
  async run({ has, print }) {
    if (has('dry-run')) {
      const measured = await withContext(measureStorage)
      print.result({ use: toUsageReport(measured), deleted: measured.deleted, isDryRun: true }, [
        `${amount(measured.deleted)} would be deleted now.`,
      ])
      return 0
    }
    const swept = await withContext(sweepStorage)
    if (swept === null) {
      print.note('Another sweep is at work: nothing was done.')
      return 1
    }
    print.result({ use: toUsageReport(swept), deleted: swept.deleted, isDryRun: false }, [
      `${amount(swept.deleted)} deleted.`,
    ])
    return 0
  },
}

export const storageKeep: Command = {
  name: 'storage keep',
  summary: `Say for how many days an organization keeps one kind: ${ORGANIZATION_RETENTION_KINDS.join(', ')}.`,
  worksOn: 'data',
  positionals: ['kind', 'days'],
  flags: { org: { value: 'id', help: 'Organization; may be left out when there is only one.' } },
  async run({ positionals, flag, print }) {
    const [kind, text] = positionals as [string, string]
    const known = ORGANIZATION_RETENTION_KINDS.find((one) => one === kind)
    if (known === undefined)
      throw new UsageError(`The kinds are ${ORGANIZATION_RETENTION_KINDS.join(', ')}, not ${kind}.`)
    const days = readDays(text)
    const organization = await withDatabase((context) =>
      setOrganizationRetention(context, flag('org'), { [known]: days }),
    )
    print.result({ organizationId: organization.id, kind: known, days }, [
      `${organization.name} keeps ${known} ${formatDays(days)}.`,
    ])
    return 0
  },
}

/** Parses a number of days; null reverts to the operator's setting. */
function readDays(text: string): number | null {
  if (text === 'default') return null
  if (/^\d{1,6}$/.test(text) && Number(text) <= MAX_RETENTION_DAYS) return Number(text)
  throw new UsageError(
    `The days are a whole number up to ${MAX_RETENTION_DAYS}, 0 for ever, or the word default, not ${text}.`,
  )
}

function formatDays(days: number | null): string {
  if (days === null) return 'for as long as the operator has set'
  return days === 0 ? 'for ever' : `for ${days} ${days === 1 ? 'day' : 'days'}`
}

function toUsageReport({ use }: Pick<Measured, 'use'>) {
  return use.map(({ organizationId, ...held }) => ({ organizationId: organizationId || null, ...held }))
}

function formatUsage({ use }: Measured): string[] {
  if (use.length === 0) return ['Nothing is stored.']
  const rows = use
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ organizationId, holder, objects, bytes }) => [
      organizationId || '-',
      String(objects),
      megabytes(bytes),
      HOLDERS[holder],
    ])
  return table([['ORGANIZATION', 'OBJECTS', 'MB', 'WHAT'], ...rows])
}

function amount({ objects, bytes }: { objects: number; bytes: number }): string {
  return `${objects} ${objects === 1 ? 'object' : 'objects'} with ${megabytes(bytes)} MB`
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
