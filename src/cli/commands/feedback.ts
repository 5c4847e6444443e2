/** `octavo feedback`: reader feedback, and import of the feedback file of an offline bundle. */
import { readFile, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { resolveProgramCommand } from '../../app/operator/program-call.ts'
import { splitList } from '../../base/text/split-list.ts'
import type { OctavoClient } from '../../client/client.ts'
import { downloadFeedback, type FeedbackFilters } from '../../client/download-feedback.ts'
import {
  FEEDBACK_SOURCES,
  FEEDBACK_STATUSES,
  type FeedbackStatus,
} from '../../features/feedback/operations/feedback.ts'
import {
  FEEDBACK_FILE_FORMAT,
  type FeedbackFile,
  MAX_FEEDBACK_FILE_BYTES,
} from '../../features/feedback/operations/feedback-file.ts'
import {
  CLIENT_FLAGS,
  openProjectApi,
  PAGE_FLAGS,
  PROJECT_FLAG,
  pageQuery,
  withErrorMessages,
  withServer,
} from '../api-client.ts'
import { type Command, type CommandInput, UsageError } from '../command.ts'
import { oneLine } from '../one-line.ts'
import { RefusedError } from '../operator-error.ts'
import { checkOutputFile, writeOutputFile } from '../output-file.ts'
import { createProgressLine } from '../progress-line.ts'

const FILTERS = {
  from: { value: 'date', help: 'Only feedback at or after this date or time.' },
  to: { value: 'date', help: 'Only feedback before this date or time.' },
  source: { value: 'source', help: `Only feedback from this source: ${FEEDBACK_SOURCES.join(', ')}.` },
  status: {
    value: 'list',
    help: `Only feedback with these statuses, separated by commas: ${FEEDBACK_STATUSES.join(', ')}.`,
  },
  path: { value: 'path', help: 'Only feedback on this page.' },
} as const

export const feedbackList: Command = {
  name: 'feedback list',
  summary: 'List feedback of a project, newest first.',
  worksOn: 'api',
  flags: {
    project: PROJECT_FLAG,
    ...FILTERS,
    ...PAGE_FLAGS,
    ...CLIENT_FLAGS,
  },
  async run({ flag, print }) {
    const { client, project } = await openProjectApi({ flag })
    const query = { ...readFilters(flag), ...pageQuery(flag), include: 'vote' } as const
    const page = await client.listFeedback(project.id, query)
    const rows = page.feedback.map((entry) => [
      entry.id,
      entry.createdAt ?? 'no time',
      entry.source,
      entry.status,
      oneLine(entry.path),
      `${formatVote(entry.helpful)}${oneLine(entry.comment ?? '')}`,
    ])
    print.list(
      page,
      ['ID', 'SAID', 'SOURCE', 'STATUS', 'PAGE', 'COMMENT'],
      rows,
      'There is no matching feedback.',
    )
    if (page.nextCursor !== null) print.note(`For more: --cursor ${page.nextCursor}`)
    return 0
  },
}

export const feedbackExport: Command = {
  name: 'feedback export',
  summary: 'Export all feedback of a project, newest first, as JSON Lines or CSV.',
  worksOn: 'api',
  flags: {
    project: PROJECT_FLAG,
    ...FILTERS,
    format: { value: 'format', help: 'jsonl (default), which survives broken connections, or csv.' },
    bom: { help: 'Begin CSV with a byte order mark, for Excel.' },
    out: { value: 'file', help: 'Output file. Default: standard output.' },
    ...CLIENT_FLAGS,
  },
  async run({ flag, has, print }) {
    const format = flag('format') ?? 'jsonl'
    if (format !== 'jsonl' && format !== 'csv') throw new UsageError('--format must be jsonl or csv.')
    const out = flag('out')
    if (out === undefined && print.isJson)
      throw new UsageError('--json and the feedback cannot share standard output. Choose a file with --out.')
    if (out !== undefined) await checkOutputFile(out)
    const { client, project } = await openProjectApi({ flag })
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
  summary: 'Update the status of the given feedback entries, or of all entries that match the filters.',
  worksOn: 'api',
  positionals: ['status'],
  flags: {
    project: PROJECT_FLAG,
    ids: { value: 'list', help: 'Only entries with these IDs, separated by commas.' },
    note: { value: 'text', help: 'Internal note to add to the history of the entries.' },
    from: FILTERS.from,
    to: FILTERS.to,
    source: FILTERS.source,
    was: { value: 'list', help: 'Only entries that currently have one of these statuses.' },
    path: FILTERS.path,
    ...CLIENT_FLAGS,
  },
  async run({ positionals, flag, print }) {
    const status = readStatus(positionals[0] as string)
    const note = flag('note')
    const { client, project } = await openProjectApi({ flag })
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
  summary: 'Import the feedback collected by an air-gapped bundle; importing a file again adds nothing.',
  worksOn: 'data',
  positionals: ['file'],
  flags: {},
  async run({ positionals, print }) {
    const body = await readFeedbackFile(positionals[0] as string)
    const done = await withServer(({ call }) =>
      withErrorMessages(call('importFeedback', { body }), {
        not_found: `The file belongs to the site ${body.siteId}, which this server does not have.`,
      }),
    )
    print.result(done, [
      `${done.entries} entries: ${done.added} new, ${done.changed} updated, ${done.known} unchanged.`,
      ...(done.conflicting.length === 0
        ? []
        : [`Skipped, because other entries have the same ID: ${done.conflicting.join(', ')}`]),
    ])
    return 0
  },
}

/** Reads the file, whose contents the server validates. Throws RefusedError if it is not a feedback file. */
async function readFeedbackFile(file: string): Promise<FeedbackFile> {
  try {
    const { size } = await stat(file)
    if (size > MAX_FEEDBACK_FILE_BYTES)
      throw new RefusedError(`${file} is larger than ${MAX_FEEDBACK_FILE_BYTES} bytes.`)
    const document = JSON.parse(await readFile(file, 'utf8')) as FeedbackFile | null
    if (document?.format !== FEEDBACK_FILE_FORMAT)
      throw new RefusedError(
        `This is not a feedback file. Its \`/format\` must be \`${FEEDBACK_FILE_FORMAT}\`.`,
      )
    return document
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new RefusedError(`${file} is not a JSON document: ${error.message}.`)
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined ? error : new RefusedError(`${file} cannot be read (${code}).`)
  }
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
  const all = splitList(ids)
  if (all.length === 0) throw new UsageError('--ids contains no ID.')
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

export const feedbackDelete: Command = {
  name: 'feedback delete',
  summary: 'Permanently delete feedback by ID, contact address or age. Without --yes, only count it.',
  worksOn: 'api',
  flags: {
    project: PROJECT_FLAG,
    ids: { value: 'ids', help: 'Only entries with these IDs, separated by commas, at most 1,000.' },
    contact: { value: 'address', help: 'Only entries with this contact address.' },
    before: { value: 'date', help: 'Only feedback before this date or time.' },
    yes: { help: 'Delete permanently. This cannot be undone.' },
    ...CLIENT_FLAGS,
  },
  async run({ flag, has, print }) {
    const [contact, before] = [flag('contact'), flag('before')]
    const ids = flag('ids')?.split(',').filter(Boolean)
    if (ids === undefined && contact === undefined && before === undefined)
      throw new UsageError('Select the feedback with --ids, --contact or --before, or several of them.')
    const { client, project } = await openProjectApi({ flag })
    const selection = {
      ...(ids !== undefined && { ids }),
      ...(contact !== undefined && { contact }),
      ...(before !== undefined && { before }),
    }
    if (!has('yes')) {
      const { matched } = await client.deleteFeedback(project.id, { ...selection, isDryRun: true })
      print.result({ matched, deleted: 0 }, [
        `${entries(matched)} would be permanently deleted.`,
        ...(matched > 0
          ? [`To delete, run the same ${resolveProgramCommand()} feedback delete with --yes`]
          : []),
      ])
      return 0
    }
    let deleted = 0
    for (let hasMore = true; hasMore; ) {
      const part = await client.deleteFeedback(project.id, selection)
      deleted += part.deleted
      hasMore = part.hasMore && part.deleted > 0
    }
    print.result({ deleted }, [`${entries(deleted)} deleted.`])
    return 0
  },
}

function entries(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}`
}
