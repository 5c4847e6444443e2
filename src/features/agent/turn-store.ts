/** Stores the progress of a turn after each step: conversation, changes, state of the model's work. */
import { type SqlBool, sql } from 'kysely'
import { toStorable, toStorableText } from '../../base/text/storable.ts'
import type { Queries, Tx } from '../../database/database.ts'
import type { OutsideText } from '../../database/schema/agent.ts'
import type { ReviewComment } from '../../git/forges/review-comments.ts'
import type { ModelMessage } from '../../model/model.ts'
import type { RowLease } from '../../queue/leased-rows.ts'
import type { AskedQuestion } from '../assistant/operations/assistant.ts'
import type { FeedbackEntry } from '../feedback/operations/feedback.ts'
import type { Finish } from './loop/tool.ts'
import { saveTurnReport } from './loop/turn-account.ts'
import type { AgentEvent, PlanItem } from './operations/agent.ts'
import { type Changes, contentBytes, toImage } from './review/change-content.ts'
import { addEvents, endPrompts, type JobRow, jobEvent, updateLeased } from './store.ts'

export interface Prompt {
  number: number
  text: string
  feedback: FeedbackEntry[]
  questions: AskedQuestion[]
  comments: ReviewComment[]
  /** Untrusted texts sent with the prompt. */
  externalTexts: OutsideText[]
  isStarted: boolean
}

interface NewPrompt {
  prompt: string
  feedback: readonly FeedbackEntry[]
  questions: readonly AskedQuestion[]
  externalTexts?: readonly OutsideText[]
  /** Null for reviewers on the forge. */
  askedBy: string | null
}

export async function insertPrompt(
  tx: Tx,
  jobId: string,
  { prompt, feedback, questions, externalTexts = [], askedBy }: NewPrompt,
): Promise<number> {
  const { number } = await tx
    .insertInto('agent_job_prompts')
    .values({
      job_id: jobId,
      number: sql`(SELECT coalesce(max(number), 0) + 1 FROM agent_job_prompts WHERE job_id = ${jobId})`,
      prompt: toStorableText(prompt),
      feedback: JSON.stringify(toStorable(feedback.map(withoutContact))),
      questions: JSON.stringify(toStorable(questions)),
      told: JSON.stringify(toStorable(externalTexts)),
      asked_by: askedBy,
    })
    .returning('number')
    .executeTakeFirstOrThrow()
  return number
}

/** Removes the contact, which the job does not need, so that personal data is not stored twice. */
function withoutContact(entry: FeedbackEntry): FeedbackEntry {
  return 'contact' in entry ? { ...entry, contact: null } : entry
}

export async function nextPrompt(queries: Queries, jobId: string): Promise<Prompt | null> {
  const row = await queries
    .selectFrom('agent_job_prompts')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('ended_at', 'is', null)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  const { number, prompt: text, feedback, questions, told: externalTexts } = row
  const comments = await listComments(queries, jobId, number)
  return { number, text, feedback, questions, comments, externalTexts, isStarted: row.started_at !== null }
}

async function listComments(queries: Queries, jobId: string, number: number): Promise<ReviewComment[]> {
  return await queries
    .selectFrom('agent_job_comments')
    .select(['comment_id as id', 'author', 'path', 'line', 'text'])
    .where('job_id', '=', jobId)
    .where('number', '=', number)
    .orderBy('taken_at')
    .orderBy('comment_id')
    .execute()
}

/** Starts a prompt and resets the counters. Preserves the changes of a stopped turn, with their base commit. */
export async function beginTurn(
  tx: Tx,
  held: RowLease,
  prompt: Prompt,
  messageOf: (prompt: Prompt) => ModelMessage,
): Promise<JobRow> {
  const row = await updateLeased(tx, held, {
    phase: 'work',
    kept_commit: sql`CASE WHEN EXISTS (SELECT FROM agent_job_changes WHERE job_id = ${held.id})
      THEN coalesce(base_commit, kept_commit) END`,
    base_commit: null,
    finished_at: null,
    unfinished: null,
    steps: 0,
    turn_tokens: 0,
    turn_ms: 0,
    check_rounds: 0,
    is_reviewed: false,
    turn_started_at: sql`clock_timestamp()`,
  })
  await tx
    .updateTable('agent_job_prompts')
    .set({ started_at: sql`clock_timestamp()` })
    .where('job_id', '=', held.id)
    .where('number', '=', prompt.number)
    .execute()
  // Comments may have been added before the row was locked.
  const comments = await listComments(tx, held.id, prompt.number)
  await appendMessages(tx, held.id, [messageOf({ ...prompt, comments })])
  await addEvents(tx, held.id, [
    jobEvent(row),
    { type: 'prompt', data: { prompt: shortened(prompt.text, 4000), number: prompt.number } },
  ])
  return row
}

/** Returns earlier prompts that never started because the previous turn was stopped. */
export async function findUntakenPrompts(queries: Queries, jobId: string, before: number): Promise<string[]> {
  const rows = await queries
    .selectFrom('agent_job_prompts')
    .select('prompt')
    .where('job_id', '=', jobId)
    .where('number', '<', before)
    .where('started_at', 'is', null)
    .orderBy('number')
    .execute()
  return rows.map(({ prompt }) => prompt)
}

/** Stores the changes rebased onto the turn's new base, and the message that describes them to the model. */
export async function saveCarriedChanges(
  tx: Tx,
  held: RowLease,
  prompt: Prompt,
  { changes, message }: { changes: Changes; message: ModelMessage | null },
): Promise<void> {
  await saveChanges(tx, held.id, changes)
  await tx
    .updateTable('agent_job_prompts')
    .set({ started_at: sql`clock_timestamp()` })
    .where('job_id', '=', held.id)
    .where('number', '<', prompt.number)
    .where('started_at', 'is', null)
    .execute()
  if (message !== null) await appendMessages(tx, held.id, [message])
}

export interface SavedTurn {
  messages: ModelMessage[]
  changes: Changes
}

export async function loadTurn(queries: Queries, jobId: string): Promise<SavedTurn> {
  const messages = await queries
    .selectFrom('agent_job_messages')
    .select('message')
    .where('job_id', '=', jobId)
    .orderBy('number')
    .execute()
  return {
    messages: messages.map(({ message }) => message as ModelMessage),
    changes: await loadChanges(queries, jobId),
  }
}

export async function loadChanges(queries: Queries, jobId: string): Promise<Changes> {
  const rows = await queries
    .selectFrom('agent_job_changes')
    .select(['path', 'content', 'picture'])
    .where('job_id', '=', jobId)
    .orderBy('path')
    .execute()
  return new Map(
    rows.map(({ path, content, picture }) => [path, picture === null ? content : toImage(picture)]),
  )
}

export interface Step {
  messages: readonly ModelMessage[]
  /** Null if unchanged since the last save. */
  changes: Changes | null
  plan: readonly PlanItem[]
  finish: Finish | null
  question: string | null
  usage: { inputTokens: number; outputTokens: number }
  countedTokens: number
  workedMs: number
  /** Null if no price is configured. */
  costMicros: number | null
  events: readonly AgentEvent[]
  /** Maps the digest of each added image to its source. */
  pictureSources: Readonly<Record<string, string>>
}

export async function saveStep(tx: Tx, held: RowLease, step: Step): Promise<JobRow> {
  const { inputTokens, outputTokens } = step.usage
  const row = await updateLeased(tx, held, {
    steps: sql`steps + 1`,
    input_tokens: sql`input_tokens + ${inputTokens}`,
    output_tokens: sql`output_tokens + ${outputTokens}`,
    turn_tokens: sql`turn_tokens + ${step.countedTokens}`,
    turn_ms: Math.round(step.workedMs),
    cost_micros: step.costMicros === null ? null : sql`cost_micros + ${step.costMicros}`,
    plan: JSON.stringify(toStorable(step.plan)),
    picture_sources: JSON.stringify(toStorable(step.pictureSources)),
    ...(step.question !== null && step.finish === null && { question: toStorableText(step.question) }),
    ...(step.finish === null
      ? {}
      : {
          title: toStorableText(step.finish.title),
          summary: toStorableText(step.finish.summary),
          reasons: JSON.stringify(toStorable(step.finish.reasons)),
          finished_at: sql`clock_timestamp()`,
        }),
  })
  if (step.finish !== null) Object.assign(row, await saveTurnReport(tx, held.id, step.finish))
  await appendMessages(tx, held.id, step.messages)
  if (step.changes !== null) await saveChanges(tx, held.id, step.changes)
  const usage: AgentEvent = {
    type: 'usage',
    data: {
      steps: row.steps,
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      costUsd: row.cost_micros === null ? null : row.cost_micros / 1e6,
    },
  }
  await addEvents(tx, held.id, [...step.events, usage])
  return row
}

export async function reopenTurn(
  tx: Tx,
  held: RowLease,
  message: ModelMessage,
  events: readonly AgentEvent[],
): Promise<JobRow> {
  const row = await updateLeased(tx, held, { finished_at: null, check_rounds: sql`check_rounds + 1` })
  await appendMessages(tx, held.id, [message])
  await addEvents(tx, held.id, events)
  return row
}

/** Starts the self-review of a finished change; only once per turn, even if the attempt fails. */
export async function requestSelfReview(tx: Tx, held: RowLease, message: ModelMessage): Promise<JobRow> {
  const row = await updateLeased(tx, held, { finished_at: null, is_reviewed: true })
  await appendMessages(tx, held.id, [message])
  return row
}

/** Reopens the prompt of the last stopped turn. Returns false if no turn was stopped. */
export async function reopenPrompt(tx: Tx, jobId: string): Promise<boolean> {
  const row = await tx
    .updateTable('agent_job_prompts')
    .set({ ended_at: null })
    .where('job_id', '=', jobId)
    .where('number', '=', ({ selectFrom }) =>
      selectFrom('agent_job_prompts')
        .select(({ fn }) => fn.max('number').as('last'))
        .where('job_id', '=', jobId)
        .where('started_at', 'is not', null),
    )
    .returning('number')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the current prompt. Returns true if another prompt is waiting. */
export async function endPrompt(tx: Tx, jobId: string, number: number): Promise<boolean> {
  await endPrompts(tx, jobId, number)
  return (await nextPrompt(tx, jobId)) !== null
}

async function appendMessages(tx: Tx, jobId: string, messages: readonly ModelMessage[]): Promise<void> {
  if (messages.length === 0) return
  const texts = messages.map((message) => JSON.stringify(toStorable(message)))
  await sql`
      INSERT INTO agent_job_messages (job_id, number, message)
        SELECT ${jobId}, coalesce((SELECT max(number) FROM agent_job_messages WHERE job_id = ${jobId}), 0) + given.place,
            given.message::jsonb
          FROM unnest(${texts}::text[]) WITH ORDINALITY AS given (message, place)`.execute(tx)
}

export async function saveChanges(tx: Tx, jobId: string, changes: Changes): Promise<void> {
  const rows = [...changes].map(([path, content]) => ({
    job_id: jobId,
    path,
    ...(typeof content === 'object' && content !== null
      ? { content: null, picture: contentBytes(content) }
      : { content, picture: null }),
  }))
  await tx
    .deleteFrom('agent_job_changes')
    .where('job_id', '=', jobId)
    .$if(rows.length > 0, (query) =>
      query.where(
        'path',
        'not in',
        rows.map(({ path }) => path),
      ),
    )
    .execute()
  if (rows.length === 0) return
  await tx
    .insertInto('agent_job_changes')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['job_id', 'path'])
        .doUpdateSet({ content: sql`excluded.content`, picture: sql`excluded.picture` })
        .where(
          sql<SqlBool>`(agent_job_changes.content, agent_job_changes.picture) IS DISTINCT FROM (excluded.content, excluded.picture)`,
        ),
    )
    .execute()
}

/** Truncates for display; the full text is stored elsewhere. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`
}
