/** Stores questions with their outcomes, and the assistant's monthly usage. */
import { sql } from 'kysely'
import { createId } from '../../base/ids.ts'
import type { Queries, Tx } from '../../database/database.ts'
import type { Outcome } from './answer.ts'
import type { AssistantEvent, RateAnswerBody } from './operations/assistant.ts'

export interface MonthlyCaps {
  questions: number
  tokens: number
}

export const NOT_ANSWERED = 'The assistant could not answer. Ask again, or search the docs.'

/** Tokens reserved per answer; usage above that is counted too. */
export const RESERVED_TOKENS = 16_000

const CURRENT_MONTH = sql<string>`date_trunc('month', now() AT TIME ZONE 'UTC')::date`

/** Reserves a question in the monthly budget. Returns false if the budget is used up. */
export async function reserveMonthlyUsage(tx: Tx, projectId: string, caps: MonthlyCaps): Promise<boolean> {
  if (caps.questions < 1 || caps.tokens < RESERVED_TOKENS) return false
  const row = await tx
    .insertInto('assistant_months')
    .values({ project_id: projectId, month: CURRENT_MONTH, questions: 1, tokens: RESERVED_TOKENS })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'month'])
        .doUpdateSet({
          questions: sql`assistant_months.questions + 1`,
          tokens: sql`assistant_months.tokens + ${RESERVED_TOKENS}`,
        })
        .where('assistant_months.questions', '<', caps.questions)
        .where('assistant_months.tokens', '<=', caps.tokens - RESERVED_TOKENS),
    )
    .returning('questions')
    .executeTakeFirst()
  return row !== undefined
}

export async function secondsToNextMonth(queries: Queries): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    SELECT ceil(extract(epoch FROM (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month')
      - now() AT TIME ZONE 'UTC'))::integer AS seconds`.execute(queries)
  return rows[0]?.seconds ?? 1
}

export interface NewQuestion {
  projectId: string
  threadId: string | null
  path: string | null
  language: string | null
  question: string
  /** Defaults to `web`, a page of the site. */
  caller?: 'web' | 'api'
}

export async function insertQuestion(tx: Tx, input: NewQuestion): Promise<{ id: string; threadId: string }> {
  const id = createId('ask')
  const threadId = input.threadId ?? id
  await tx
    .insertInto('assistant_questions')
    .values({
      id,
      project_id: input.projectId,
      thread_id: threadId,
      path: input.path,
      language: input.language,
      question: withoutNumbers(input.question),
      ...(input.caller && { caller: input.caller }),
    })
    .execute()
  return { id, threadId }
}

/** Removes email addresses and long numbers, which readers may have entered by mistake. */
function withoutNumbers(text: string): string {
  return text
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .toWellFormed()
    .replace(/\S+@\S+/g, '…')
    .replace(/\d{9,}/g, '…')
}

/** Returns the unused part of the reservation to the monthly budget. */
export async function endQuestion(
  tx: Tx,
  { id, projectId }: { id: string; projectId: string },
  { status, claims, withheld, nearest, isOffTopic, usage }: Outcome,
): Promise<void> {
  const { at } = await tx
    .updateTable('assistant_questions')
    .set({
      ...{ status, withheld },
      claims: JSON.stringify(claims),
      nearest: JSON.stringify(nearest),
      category: isOffTopic && status === 'unanswered' ? 'off_topic' : null,
    })
    .where('id', '=', id)
    .returning('at')
    .executeTakeFirstOrThrow()
  // The usage of a failed or cancelled call is unknown, so the full reservation stays counted.
  const isKnown = usage !== null || status === 'unanswered'
  if (!isKnown) return
  const used = usage === null ? 0 : usage.inputTokens + usage.outputTokens
  await tx
    .updateTable('assistant_months')
    .set({ tokens: sql`greatest(0, tokens + ${used - RESERVED_TOKENS}::bigint)` })
    .where('project_id', '=', projectId)
    .where('month', '=', sql<string>`date_trunc('month', ${at}::timestamptz AT TIME ZONE 'UTC')::date`)
    .execute()
}

/** Returns false if no answer with this id was created in the last day. */
export async function rateAnswer(
  tx: Tx,
  projectId: string,
  { id, helpful }: RateAnswerBody,
): Promise<boolean> {
  const row = await tx
    .updateTable('assistant_questions')
    .set({ helpful })
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('at', '>', sql<Date>`now() - interval '1 day'`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the events of a completed answer, or null while it is being generated. */
export async function readAnswer(
  queries: Queries,
  { projectId, questionId, threadId }: { projectId: string; questionId: string; threadId: string },
): Promise<AsyncIterable<AssistantEvent> | null> {
  const row = await queries
    .selectFrom('assistant_questions')
    .select(['status', 'claims', 'nearest', 'withheld'])
    .where('id', '=', questionId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (row?.status === 'asking') return null
  return answerOf(row, { id: questionId, threadId })
}

async function* answerOf(
  row: (Pick<Outcome, 'claims' | 'nearest' | 'withheld'> & { status: string }) | undefined,
  question: { id: string; threadId: string },
): AsyncGenerator<AssistantEvent> {
  yield { event: 'start', data: question }
  for (const data of row?.claims ?? []) yield { event: 'claim', data }
  const status = row?.status
  if (row !== undefined && (status === 'answered' || status === 'unanswered')) {
    const { nearest, withheld } = row
    yield { event: 'end', data: { resolutionStatus: status, nearest, withheld } }
  } else yield { event: 'error', data: { error: NOT_ANSWERED, code: 'assistant_failed' } }
}
