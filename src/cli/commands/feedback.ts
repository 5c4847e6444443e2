/**
 * `octavo feedback`: reader feedback through the API; `import` writes the file of an offline bundle to the database.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { importFeedbackFile } from '../../app/operator/import-feedback.ts'
import type { OctavoClient } from '../../client/client.ts'
import { downloadFeedback, type FeedbackFilters } from '../../client/download-feedback.ts'
import {
  FEEDBACK_SOURCES,
  FEEDBACK_STATUSES,
  type FeedbackStatus,
} from '../../features/feedback/operations/feedback.ts'
import { CLIENT_FLAGS, openApi, PROJECT_FLAG } from '../api-client.ts'
import { type Command, type CommandInput, UsageError } from '../command.ts'
import { oneLine } from '../one-line.ts'
import { checkOutputFile, writeOutputFile } from '../output-file.ts'
import { createProgressLine } from '../progress-line.ts'
import { table } from '../table.ts'
import { withDatabase } from '../with-database.ts'

const FILTERS = {
  from: { value: 'date', help: 'Only what was said at this date or moment and later.' },
  to: { value: 'date', help: 'Only what was said before this date or moment.' },
  source: { value: 'source', help: `One of ${FEEDBACK_SOURCES.join(', ')}.` },
  status: { value: 'list', help: `Some of ${FEEDBACK_STATUSES.join(', ')}, separated by commas.` },
  path: { value: 'path', help: 'Only feedback on this page.' },
} as const

export const feedbackList: Command = {
  name: 'feedback list',
  summary: 'List feedback of a project, newest first.',
  worksOn: 'api',
  flags: {
    project: PROJECT_FLAG,
    ...FILTERS,
    limit: { value: 'number', help: 'How many, 1 to 100; 50 when left out.' },
    cursor: { value: 'cursor', help: 'Where the list before ended.' },
    ...CLIENT_FLAGS,
  },
  async run({ flag, print }) {
    const limit = flag('limit')
    const cursor = flag('cursor')
    const { client, project } = await openApi(flag, flag('project') as string, 'id')
    const page = await client.listFeedback(project.id, {
      ...readFilters(flag),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
      ...(cursor === undefined ? {} : { cursor }),
      include: 'vote',
    })
    const rows = page.feedback.map((entry) => [
      entry.id,
      entry.createdAt ?? 'no time',
      entry.source,
      entry.status,
      oneLine(entry.path),
      `${formatVote(entry.helpful)}${oneLine(entry.comment ?? '')}`,
    ])
    print.result(
      page,
      rows.length === 0
        ? ['There is no such feedback.']
        : table([['ID', 'SAID', 'SOURCE', 'STATUS', 'PAGE', 'COMMENT'], ...rows]),
    )
    if (page.nextCursor !== null) print.note(`There is more: --cursor ${page.nextCursor}`)
    return 0
  },
}

export const feedbackExport: Command = {
  name: 'feedback export',
  summary: 'Write all feedback of a project, newest first, as JSON lines or CSV.',
  worksOn: 'api',
  flags: {
    project: PROJECT_FLAG,
    ...FILTERS,
    format: { value: 'format', help: 'jsonl (default), which outlives broken connections, or csv.' },
    bom: { help: 'CSV begins with a byte order mark, for Excel.' },
    out: { value: 'file', help: 'Where it goes; standard output when left out.' },
    ...CLIENT_FLAGS,
  },
  async run({ flag, has, print }) {
    const format = flag('format') ?? 'jsonl'
    if (format !== 'jsonl' && format !== 'csv') throw new UsageError('--format must be jsonl or csv.')
    const out = flag('out')
    if (out === undefined && print.isJson)
      throw new UsageError('--json and the feedback cannot share standard output: name a file with --out.')
    if (out !== undefined) await checkOutputFile(out)
    const { client, project } = await openApi(flag, flag('project') as string, 'id')
    const source =
      format === 'csv'
        ? await client.exportFeedback(project.id, { ...readFilters(flag), format, bom: has('bom') })
        : jsonLines(client, project.id, readFilters(flag))
    if (out === undefined) {
      await pipeline(Readable.from(source), process.stdout, { end: false })
      return 0
    }
    await writeOutputFile(out, source)
    print.result({ out, format }, [out])
    return 0
  },
}

export const feedbackSetStatus: Command = {
  name: 'feedback set-status',
  summary: 'Set the status of feedback: of named entries, or of all that filters match.',
  worksOn: 'api',
  positionals: ['status'],
  flags: {
    project: PROJECT_FLAG,
    ids: { value: 'list', help: 'Only these entries, separated by commas.' },
    note: { value: 'text', help: 'An internal note for their history.' },
    from: FILTERS.from,
    to: FILTERS.to,
    source: FILTERS.source,
    was: { value: 'list', help: 'Only entries that have one of these statuses now.' },
    path: FILTERS.path,
    ...CLIENT_FLAGS,
  },
  async run({ positionals, flag, print }) {
    const status = readStatus(positionals[0] as string)
    const note = flag('note')
    const { client, project } = await openApi(flag, flag('project') as string, 'id')
    const filters = { ...readFilters(flag), ...optional('status', flag('was')) }
    const body = { status, ...(note === undefined ? {} : { note }) }
    let changed = 0
    for (const ids of splitBatches(flag('ids'))) {
      const given = ids === null ? body : { ...body, ids }
      for (let hasMore = true; hasMore; ) {
        const answer = await client.updateManyFeedback(project.id, filters, given)
        changed += answer.changed
        hasMore = answer.hasMore
      }
    }
    print.result({ changed }, [`${changed} ${changed === 1 ? 'entry is' : 'entries are'} ${status} now.`])
    return 0
  },
}

export const feedbackImport: Command = {
  name: 'feedback import',
  summary:
    'Take in the feedback that a bundle without a network kept; a file that is read again adds nothing.',
  worksOn: 'data',
  positionals: ['file'],
  flags: {},
  async run({ positionals, print }) {
    const done = await withDatabase((context) => importFeedbackFile(context, positionals[0] as string))
    print.result(done, [
      `${done.entries} entries: ${done.added} new, ${done.changed} with more than before, ${done.known} known already.`,
      ...(done.conflicting.length === 0
        ? []
        : [`Left out, their ids are those of other entries: ${done.conflicting.join(', ')}`]),
    ])
    return 0
  },
}

/** Does not validate values: the API checks them and reports all faults. */
function readFilters(flag: CommandInput['flag']): FeedbackFilters {
  return {
    ...optional('dateFrom', flag('from')),
    ...optional('dateTo', flag('to')),
    ...optional('source', flag('source') as FeedbackFilters['source']),
    ...optional('status', flag('status')),
    ...optional('path', flag('path')),
  }
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, Value>>
}

async function* jsonLines(
  client: OctavoClient,
  projectId: string,
  filters: FeedbackFilters,
): AsyncGenerator<string> {
  const line = createProgressLine()
  let count = 0
  try {
    for await (const entry of downloadFeedback(client, projectId, filters, { include: ['vote', 'reason'] })) {
      line.update(`${++count} entries`)
      yield `${JSON.stringify(entry)}\n`
    }
  } finally {
    line.end()
  }
}

/** Splits ids into batches of 100, the API's maximum per call. `[null]` selects by filters only. */
function splitBatches(ids: string | undefined): (string[] | null)[] {
  if (ids === undefined) return [null]
  const all = ids
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  if (all.length === 0) throw new UsageError('--ids names no entry.')
  return Array.from({ length: Math.ceil(all.length / 100) }, (_, index) =>
    all.slice(index * 100, (index + 1) * 100),
  )
}

function readStatus(text: string): FeedbackStatus {
  const status = FEEDBACK_STATUSES.find((known) => known === text)
  if (status === undefined) throw new UsageError(`The status must be one of ${FEEDBACK_STATUSES.join(', ')}.`)
  return status
}

function formatVote(helpful: boolean | null | undefined): string {
  if (helpful === null || helpful === undefined) return ''
  return helpful ? 'up   ' : 'down '
}
