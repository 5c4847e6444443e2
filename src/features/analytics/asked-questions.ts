/** Readers' questions for the dashboard: a filtered list, a conversation, totals of a period. */
import { type SqlBool, sql } from 'kysely'
import type { Resolution } from '../../base/api/form-choices.ts'
import { AppError } from '../../base/errors/errors.ts'
import { type CursorCodec, pageOf } from '../../base/signed-cursor.ts'
import type { Queries } from '../../database/database.ts'
import { readPosition } from '../../database/newest-first.ts'
import type { AskedQuestion } from '../assistant/operations/assistant.ts'
import {
  type AskedConversation,
  type AskedCounts,
  type AskedQuestions,
  type AskedQuestionsQuery,
  type AskedTurn,
  MAX_TURNS,
} from '../assistant/operations/questions.ts'
import { checkProject } from '../feedback/list-feedback.ts'
import type { ProjectScope } from '../feedback/page-sql.ts'
import { recentPeriod } from './insights.ts'
import type { Range } from './range.ts'

const PAGE_SIZE = 50
const MAX_SHOWN_QUESTION_CHARACTERS = 300
const MAX_LANGUAGES = 100
const MAX_EARLIER_QUESTIONS = 3

const RESOLUTION_CASE = sql<Resolution>`CASE
  WHEN status = 'answered' THEN 'answered'
  WHEN status <> 'unanswered' THEN 'unfinished'
  WHEN category = 'off_topic' THEN 'off_topic'
  ELSE 'unanswered' END`

/** Throws AppError `not_found`, or `invalid_request` for a cursor from another list. */
export async function listAskedQuestions(
  { cursors }: { cursors: CursorCodec },
  queries: Queries,
  projectScope: ProjectScope,
  { limit = PAGE_SIZE, cursor, ...filters }: AskedQuestionsQuery,
): Promise<AskedQuestions> {
  await checkProject(queries, projectScope)
  const { projectId } = projectScope
  const scope = `asked:${projectId}:${JSON.stringify(Object.entries(filters).sort())}`
  const position = readPosition(cursors, scope, cursor)
  const rows = await queries
    .selectFrom('assistant_questions as asked')
    .select(['id', 'at', 'path', 'language', 'helpful', RESOLUTION_CASE.as('resolution')])
    .select(sql<string>`left(question, ${MAX_SHOWN_QUESTION_CHARACTERS})`.as('question'))
    .select(
      sql<number>`(SELECT count(*)::integer FROM agent_job_questions AS taken
      WHERE taken.question_id = asked.id)`.as('agentJobs'),
    )
    .where('project_id', '=', projectId)
    .where(matchesFilters(filters))
    .$if(position !== null, (select) =>
      select.where(sql<SqlBool>`(at, id) < (${new Date(String(position?.[0]))}, ${String(position?.[1])})`),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const found = rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
  const { shown, paging } = pageOf(found, limit, (last) => cursors.encode(scope, [last.at, last.id]))
  return { questions: shown, ...paging }
}

function matchesFilters({ resolution, rating, handed, path, language, days }: AskedQuestionsQuery) {
  const parts = [sql`true`]
  if (resolution !== undefined) parts.push(sql`${RESOLUTION_CASE} = ${resolution}`)
  if (rating !== undefined) parts.push(sql`helpful = ${rating === 'up'}`)
  if (path !== undefined) parts.push(sql`path = ${path}`)
  if (language !== undefined) parts.push(sql`language = ${language}`)
  if (days !== undefined) parts.push(sql`at >= ${new Date(recentPeriod(days).now.from)}`)
  if (handed !== undefined) {
    const isTaken = sql`EXISTS (SELECT FROM agent_job_questions AS taken WHERE taken.question_id = asked.id)`
    parts.push(handed === 'yes' ? isTaken : sql`NOT ${isTaken}`)
  }
  return sql<SqlBool>`${sql.join(parts, sql` AND `)}`
}

/** Returns the conversation around a question, oldest first. Throws AppError `not_found`. */
export async function readConversation(
  queries: Queries,
  projectScope: ProjectScope,
  questionId: string,
): Promise<Pick<AskedConversation, 'id' | 'turns'>> {
  await checkProject(queries, projectScope)
  const askedQuestion = await queries
    .selectFrom('assistant_questions')
    .select(['thread_id', 'at', 'id'])
    .where('project_id', '=', projectScope.projectId)
    .where('id', '=', questionId)
    .executeTakeFirst()
  if (askedQuestion === undefined) throw new AppError('not_found')
  // Readers choose thread ids and threads have no limit, so read only the nearest turns before and after.
  const before = await readTurns(queries, projectScope.projectId, askedQuestion, 'before')
  const after = await readTurns(queries, projectScope.projectId, askedQuestion, 'after')
  return { id: questionId, turns: [...before.toReversed(), ...after] }
}

async function readTurns(
  queries: Queries,
  projectId: string,
  { thread_id, at, id }: { thread_id: string; at: Date; id: string },
  side: 'before' | 'after',
): Promise<AskedTurn[]> {
  const isThere =
    side === 'before' ? sql<SqlBool>`(at, id) <= (${at}, ${id})` : sql<SqlBool>`(at, id) > (${at}, ${id})`
  const order = side === 'before' ? 'desc' : 'asc'
  const rows = await queries
    .selectFrom('assistant_questions')
    .select(['id', 'at', 'path', 'language', 'helpful', 'question', RESOLUTION_CASE.as('resolution')])
    .select(['claims', 'withheld', 'nearest'])
    .where('project_id', '=', projectId)
    .where('thread_id', '=', thread_id)
    .where(isThere)
    .orderBy('at', order)
    .orderBy('id', order)
    .limit(MAX_TURNS / 2)
    .execute()
  return rows.map(({ at: askedQuestion, ...row }) => ({ ...row, at: askedQuestion.toISOString() }))
}

export async function readAskedFigures(
  queries: Queries,
  projectScope: ProjectScope,
  days: number,
): Promise<{
  now: AskedCounts
  before: AskedCounts
  languages: string[]
  hasAny: boolean
  hasPassages: boolean
}> {
  await checkProject(queries, projectScope)
  const { projectId } = projectScope
  const period = recentPeriod(days)
  const [now, before, languages, one, corpus] = await Promise.all([
    countAskedQuestions(queries, projectId, period.now),
    countAskedQuestions(queries, projectId, period.before),
    queries
      .selectFrom('assistant_questions')
      .select('language')
      .distinct()
      .where('project_id', '=', projectId)
      .where('language', 'is not', null)
      .orderBy('language')
      .limit(MAX_LANGUAGES)
      .execute(),
    queries
      .selectFrom('assistant_questions')
      .select('id')
      .where('project_id', '=', projectId)
      .limit(1)
      .execute(),
    queries
      .selectFrom('assistant_corpora')
      .select('id')
      .where('project_id', '=', projectId)
      .where('place', '=', 'hosted')
      .where('passages', '>', 0)
      .execute(),
  ])
  return {
    ...{ now, before },
    languages: languages.flatMap(({ language }) => language ?? []),
    hasAny: one.length > 0,
    hasPassages: corpus.length > 0,
  }
}

async function countAskedQuestions(
  queries: Queries,
  projectId: string,
  { from, to }: Range,
): Promise<AskedCounts> {
  const of = (resolution: Resolution) => sql`(count(*) FILTER (WHERE resolution = ${resolution}))::integer`
  const { rows } = await sql<AskedCounts>`
    SELECT count(*)::integer AS questions, ${of('answered')} AS answered, ${of('unanswered')} AS unanswered,
      ${of('off_topic')} AS "offTopic", ${of('unfinished')} AS unfinished,
      (count(*) FILTER (WHERE helpful))::integer AS helpful,
      (count(*) FILTER (WHERE NOT helpful))::integer AS unhelpful
    FROM (
      SELECT helpful, ${RESOLUTION_CASE} AS resolution FROM assistant_questions
      WHERE project_id = ${projectId} AND at >= ${new Date(from)} AND at < ${new Date(to)}
    ) AS asked`.execute(queries)
  return rows[0] as AskedCounts
}

/** Returns questions in the order of the ids; `missing` lists ids that are not in the project. */
export async function findQuestionsForJob(
  queries: Queries,
  { projectId, questionIds }: { projectId: string; questionIds: readonly string[] },
): Promise<{ questions: AskedQuestion[]; missing: string[] }> {
  const { rows } = await sql<AskedQuestion>`
    SELECT asked.id, asked.path, asked.language, asked.question, asked.nearest,
      coalesce((SELECT string_agg(claim ->> 'text', E'\n' ORDER BY number)
        FROM jsonb_array_elements(asked.claims) WITH ORDINALITY AS one(claim, number)), '') AS response,
      ARRAY(SELECT question FROM (
        SELECT question, at, id FROM assistant_questions AS older
        WHERE older.project_id = asked.project_id AND older.thread_id = asked.thread_id
          AND (older.at, older.id) < (asked.at, asked.id)
        ORDER BY at DESC, id DESC LIMIT ${MAX_EARLIER_QUESTIONS}
      ) AS before ORDER BY at, id) AS earlier
    FROM assistant_questions AS asked
    WHERE asked.project_id = ${projectId} AND asked.id = ANY(${[...questionIds]}::text[])`.execute(queries)
  const found = new Map(rows.map((row) => [row.id, row]))
  return {
    questions: questionIds.flatMap((id) => found.get(id) ?? []),
    missing: questionIds.filter((id) => !found.has(id)),
  }
}
