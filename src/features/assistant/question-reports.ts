/** Questions to the assistant: single questions, and counts by page or day. */
import { type SqlBool, sql } from 'kysely'
import { AppError } from '../../base/errors/errors.ts'
import { type CursorCodec, pageOf } from '../../base/signed-cursor.ts'
import { csvLine } from '../../base/text/csv.ts'
import type { Queries } from '../../database/database.ts'
import { readPosition } from '../../database/newest-first.ts'
import type { Range } from '../analytics/range.ts'
import { checkProject } from '../feedback/list-feedback.ts'
import type { ProjectScope } from '../feedback/page-sql.ts'
import type { AssistantConversation } from './operations/assistant.ts'
import {
  type AssistantCallerStats,
  type AssistantConversations,
  type AssistantQuery,
  type AssistantThread,
  MAX_TRANSCRIPT_TURNS,
} from './operations/assistant-analytics.ts'

const PAGE_SIZE = 100
const COUNT_PAGE_SIZE = 50
const EXPORT_PAGE_SIZE = 1000

/** Lists the newest first. Throws AppError `not_found`, `invalid_request` for a cursor of another list. */
export async function listQuestions(
  { cursors }: { cursors: CursorCodec },
  queries: Queries,
  projectScope: ProjectScope,
  range: Range,
  query: AssistantQuery,
): Promise<AssistantConversations> {
  await checkProject(queries, projectScope)
  const { projectId } = projectScope
  const { limit = PAGE_SIZE, resolution = 'any' } = query
  const scope = `questions:${projectId}:${JSON.stringify([range.from, range.to, range.path, resolution])}`
  const position = readPosition(cursors, scope, query.cursor)
  const after = position && { at: new Date(String(position[0])), id: String(position[1]) }
  const rows = await readQuestions(queries, { projectId, range, resolution, after, limit: limit + 1 })
  const { shown, paging } = pageOf(rows, limit, (last) => cursors.encode(scope, [last.timestamp, last.id]))
  return { conversations: shown, ...paging }
}

interface Reading {
  projectId: string
  range: Range
  resolution: 'any' | 'answered' | 'unanswered'
  after: { at: Date; id: string } | null
  limit: number
}

async function readQuestions(queries: Queries, reading: Reading): Promise<AssistantConversation[]> {
  const { projectId, range, resolution, after, limit } = reading
  const rows = await queries
    .selectFrom('assistant_questions')
    .select(['id', 'thread_id', 'at', 'path', 'question', 'status', 'claims', 'helpful', 'category'])
    .where(isInRange(projectId, range))
    .$if(resolution === 'answered', (select) => select.where('status', '=', 'answered'))
    .$if(resolution === 'unanswered', (select) => select.where('status', '=', 'unanswered'))
    .$if(after !== null, (select) => select.where(sql<SqlBool>`(at, id) < (${after?.at}, ${after?.id})`))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    threadId: row.thread_id,
    timestamp: row.at.toISOString(),
    query: row.question,
    response: textOf(row.claims),
    responseType: 'answer',
    sources: row.claims.map(({ source }) => ({
      title: source.title,
      url: source.anchor === null ? source.path : `${source.path}#${source.anchor}`,
    })),
    resolutionStatus: row.claims.length > 0 ? 'answered' : 'unanswered',
    queryCategory: row.category,
    pageUrl: row.path,
    helpful: row.helpful,
  }))
}

/** Maximum size of the answers in a transcript; the earliest are omitted. */
const MAX_TRANSCRIPT_BYTES = 4 << 20

/** Throws AppError `not_found`, also for a conversation of another project. */
export async function readThread(
  queries: Queries,
  projectScope: ProjectScope,
  threadId: string,
): Promise<AssistantThread> {
  await checkProject(queries, projectScope)
  const inThread = sql<SqlBool>`project_id = ${projectScope.projectId} AND thread_id = ${threadId}`
  const { turns, first } = await queries
    .selectFrom('assistant_questions')
    .select([sql<number>`count(*)::integer`.as('turns'), sql<Date | null>`min(at)`.as('first')])
    .where(inThread)
    .executeTakeFirstOrThrow()
  if (first === null) throw new AppError('not_found')
  const newest = queries
    .selectFrom('assistant_questions')
    .select(['id', 'at', 'question', 'claims'])
    .select(
      sql<number>`sum(pg_column_size(claims) + octet_length(question)) OVER (ORDER BY at DESC, id DESC)`.as(
        'bytes',
      ),
    )
    .where(inThread)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_TRANSCRIPT_TURNS)
  const rows = await queries
    .selectFrom(newest.as('newest'))
    .selectAll()
    .where('bytes', '<=', MAX_TRANSCRIPT_BYTES)
    .orderBy('at')
    .orderBy('id')
    .execute()
  const messages = rows.flatMap(({ id, at, question, claims }) => {
    const createdAt = at.toISOString()
    const asked = { id, role: 'user' as const, content: question, createdAt }
    if (claims.length === 0) return [asked]
    const content = textOf(claims)
    return [asked, { id: id.replace(/^ask_/, 'ans_'), role: 'assistant' as const, content, createdAt }]
  })
  return { threadId, createdAt: first.toISOString(), messages, omitted: turns - rows.length }
}

export async function countCallers(
  queries: Queries,
  projectScope: ProjectScope,
  range: Range,
): Promise<AssistantCallerStats> {
  await checkProject(queries, projectScope)
  const count = (caller: string) =>
    sql<number>`(count(*) FILTER (WHERE caller = ${caller}))::integer`.as(caller)
  return (await queries
    .selectFrom('assistant_questions')
    .select([count('web'), count('api'), count('other'), sql<number>`count(*)::integer`.as('total')])
    .where(isInRange(projectScope.projectId, range))
    .executeTakeFirstOrThrow()) as AssistantCallerStats
}

const textOf = (claims: readonly { text: string }[]) => claims.map(({ text }) => text).join('\n\n')

function isInRange(projectId: string, { from, to, path }: Range) {
  return sql<SqlBool>`project_id = ${projectId} AND at >= ${new Date(from)} AND at < ${new Date(to)}
    AND (${path}::text IS NULL OR path = ${path})`
}

interface Counts {
  questions: number
  answered: number
  unanswered: number
  helpful: number
  unhelpful: number
}

export async function countQuestions<By extends 'path' | 'date'>(
  queries: Queries,
  projectScope: ProjectScope,
  { by, range }: { by: By; range: Range },
  { limit = COUNT_PAGE_SIZE, offset = 0 }: { limit?: number; offset?: number },
) {
  await checkProject(queries, projectScope)
  const reading = { projectId: projectScope.projectId, range }
  const [rows, [totals]] = await Promise.all([
    readCounts(queries, { ...reading, by, limit: limit + 1, offset }),
    readCounts(queries, { ...reading, by: null, limit: 1, offset: 0 }),
  ])
  const none: Counts = { questions: 0, answered: 0, unanswered: 0, helpful: 0, unhelpful: 0 }
  const { key: _, ...sums } = totals ?? { key: '', ...none }
  return {
    totals: sums,
    questions: rows
      .slice(0, limit)
      .map(({ key, ...counts }) => ({ [by]: key, ...counts }) as Record<By, string> & Counts),
    hasMore: rows.length > limit,
  }
}

async function readCounts(
  queries: Queries,
  selection: { projectId: string; range: Range; by: 'path' | 'date' | null; limit: number; offset: number },
): Promise<(Counts & { key: string })[]> {
  const { projectId, range, by, limit, offset } = selection
  const key = { path: sql`coalesce(path, '')`, date: sql`to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD')` }
  const of = by === null ? sql`''` : key[by]
  const order = by === 'date' ? sql`key DESC` : sql`questions DESC, key`
  const { rows } = await sql<Counts & { key: string }>`
    SELECT ${of} AS key, count(*)::integer AS questions,
      (count(*) FILTER (WHERE status = 'answered'))::integer AS answered,
      (count(*) FILTER (WHERE status = 'unanswered'))::integer AS unanswered,
      (count(*) FILTER (WHERE helpful))::integer AS helpful,
      (count(*) FILTER (WHERE NOT helpful))::integer AS unhelpful
    FROM assistant_questions WHERE ${isInRange(projectId, range)}
    GROUP BY 1 ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`.execute(queries)
  return rows
}

/** Throws AppError `not_found` before the first line. */
export async function exportQuestions(
  queries: Queries,
  projectScope: ProjectScope,
  { by, range }: { by: 'question' | 'page' | 'day'; range: Range },
): Promise<{ filename: string; lines: AsyncIterable<string> }> {
  await checkProject(queries, projectScope)
  const { projectId } = projectScope
  const lines =
    by === 'question'
      ? questionLines(queries, projectId, range)
      : countLines(queries, projectId, { by: by === 'page' ? 'path' : 'date', range })
  return { filename: `assistant-by-${by}-${projectId}.csv`, lines }
}

async function* questionLines(queries: Queries, projectId: string, range: Range): AsyncGenerator<string> {
  yield csvLine([
    'id',
    'threadId',
    'timestamp',
    'pageUrl',
    'resolutionStatus',
    'helpful',
    'query',
    'response',
  ])
  let after: Reading['after'] = null
  for (;;) {
    const rows = await readQuestions(queries, {
      ...{ projectId, range, after, limit: EXPORT_PAGE_SIZE },
      resolution: 'any',
    })
    yield rows
      .map((row) =>
        csvLine([
          ...[row.id, row.threadId, row.timestamp, row.pageUrl, row.resolutionStatus],
          ...[row.helpful, row.query, row.response],
        ]),
      )
      .join('')
    const last = rows.at(-1)
    if (last === undefined || rows.length < EXPORT_PAGE_SIZE) return
    after = { at: new Date(last.timestamp), id: last.id }
  }
}

async function* countLines(
  queries: Queries,
  projectId: string,
  { by, range }: { by: 'path' | 'date'; range: Range },
): AsyncGenerator<string> {
  yield csvLine([by, 'questions', 'answered', 'unanswered', 'helpful', 'unhelpful'])
  for (let offset = 0; ; offset += EXPORT_PAGE_SIZE) {
    const rows = await readCounts(queries, { projectId, range, by, limit: EXPORT_PAGE_SIZE, offset })
    yield rows.map(({ key, ...counts }) => csvLine([key, ...Object.values(counts).map(String)])).join('')
    if (rows.length < EXPORT_PAGE_SIZE) return
  }
}
