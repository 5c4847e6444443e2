/** Stores the agent's report at the end of each turn, and combines the reports of all turns for reviewers. */
import { sql } from 'kysely'
import { toStorable, toStorableText } from '../../../base/text/storable.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { TurnReport } from '../../../database/schema/agent.ts'
import { fileToRoute, isPageFile } from '../../../site/navigation/routes.ts'
import type { AskedQuestion } from '../../assistant/operations/assistant.ts'
import type { FeedbackEntry } from '../../feedback/operations/feedback.ts'
import type { CodeReference } from '../operations/agent-review.ts'
import type { JobRow } from '../store.ts'
import type { Finish } from './tool.ts'

export const UNFINISHED = 'Unfinished: '

/**
 * Runs in the transaction of the finishing step. If the turn continues after all, the next report replaces this one.
 */
export async function saveTurnReport(
  tx: Tx,
  jobId: string,
  finish: Finish,
): Promise<Pick<JobRow, 'request_title'>> {
  const { title, summary, reasons, requestTitle, references, dropped } = finish
  const account: TurnReport = { title, summary, reasons, references, dropped }
  const currentPrompt = tx
    .selectFrom('agent_job_prompts')
    .select((eb) => eb.fn.min('number').as('number'))
    .where('job_id', '=', jobId)
    .where('ended_at', 'is', null)
  await tx
    .updateTable('agent_job_prompts')
    .set({ account: JSON.stringify(toStorable(account)) })
    .where('job_id', '=', jobId)
    .where('number', '=', currentPrompt)
    .execute()
  const given = requestTitle === undefined ? null : toStorableText(requestTitle)
  const updated = await tx
    .updateTable('agent_jobs')
    .set({
      // The first turn sets the title of the pull request; later ones change it only explicitly.
      request_title: sql`CASE WHEN ${given}::text IS NOT NULL THEN ${given}
        WHEN pushed_commit IS NOT NULL AND request_title IS NOT NULL
          AND NOT starts_with(request_title, ${UNFINISHED}) THEN request_title
        ELSE ${toStorableText(title)} END`,
    })
    .where('id', '=', jobId)
    .returning('request_title')
    .executeTakeFirstOrThrow()
  await saveAnswers(tx, jobId, finish)
  for (const [id, text] of Object.entries(finish.replies ?? {}))
    await tx
      .updateTable('agent_job_comments')
      .set({ answer: toStorableText(text) })
      .where('job_id', '=', jobId)
      .where('comment_id', '=', id)
      .where('number', '=', currentPrompt)
      .execute()
  return updated
}

/**
 * When the agent does not report which feedback entries it has addressed, they are inferred: an entry counts as
 * addressed if the page that it is about has changed.
 */
async function saveAnswers(tx: Tx, jobId: string, finish: Finish): Promise<void> {
  const links = await tx
    .selectFrom('agent_job_feedback as link')
    .innerJoin('agent_jobs as job', 'job.id', 'link.job_id')
    .innerJoin('feedback as entry', 'entry.id', 'link.feedback_id')
    .select(['link.feedback_id', 'link.answer', 'entry.path', 'job.pull_request_state'])
    .where('link.job_id', '=', jobId)
    .execute()
  const files = new Map(
    Object.keys(finish.reasons).flatMap((file) =>
      isPageFile(file) ? [[fileToRoute(file), file] as const] : [],
    ),
  )
  for (const { feedback_id: id, answer, path, pull_request_state: state } of links) {
    const file = files.get(routeFromUrl(path))
    const inferred = file === undefined ? null : `Answered by “${finish.title}” in ${file}`
    const answerText = finish.answers === undefined ? inferred : (finish.answers[id] ?? null)
    // Entries addressed by a published change remain addressed.
    const next = answerText ?? (state === 'open' ? answer : null)
    if (next === answer) continue
    await tx
      .updateTable('agent_job_feedback')
      .set({ answer: next === null ? null : toStorableText(next), given_back_at: null })
      .where('job_id', '=', jobId)
      .where('feedback_id', '=', id)
      .execute()
  }
}

/** Returns the route of the page that an entry identifies by path or by URL. */
function routeFromUrl(path: string): string {
  const { pathname } = URL.parse(path, 'https://site.invalid') ?? { pathname: path }
  return pathname.replace(/(?<=.)\/$/, '')
}

export interface JobReport {
  title: string
  /** One summary per turn, oldest first. */
  summaries: string[]
  /** Reasons for each file from all turns that changed it. */
  reasons: Record<string, string>
  prompts: string[]
  feedback: { entry: FeedbackEntry; answer: string | null }[]
  questions: AskedQuestion[]
  references: CodeReference[]
  dropped: string[]
}

type ReportedJob = Pick<JobRow, 'id' | 'title' | 'summary' | 'reasons' | 'request_title' | 'first_prompt'>

/** Combines the reports of all turns since the start of the pull request, up to prompt number `last`. */
export async function readJobReport(
  queries: Queries,
  job: ReportedJob,
  last = Number.MAX_SAFE_INTEGER,
): Promise<JobReport> {
  const rows = await queries
    .selectFrom('agent_job_prompts')
    .select(['number', 'prompt', 'feedback', 'questions', 'account', 'ended_at'])
    .where('job_id', '=', job.id)
    .where('number', '<=', Math.min(last, 2 ** 31 - 1))
    .orderBy('number')
    .execute()
  const links = await queries
    .selectFrom('agent_job_feedback')
    .select(['feedback_id', 'answer'])
    .where('job_id', '=', job.id)
    .execute()
  const answers = new Map(links.map(({ feedback_id, answer }) => [feedback_id, answer]))
  const turns = rows.filter(({ number }) => number >= job.first_prompt)
  const accounts = turns.flatMap(({ account }) => account ?? [])
  return {
    title: job.request_title ?? job.title ?? '',
    summaries: accounts.length > 0 ? accounts.map(({ summary }) => summary) : [job.summary ?? ''],
    reasons: accounts.length > 0 ? mergeReasons(accounts) : job.reasons,
    prompts: rows.map(({ prompt }) => prompt),
    feedback: rows
      .flatMap(({ feedback }): FeedbackEntry[] => feedback)
      .map((entry) => ({ entry, answer: answers.get(entry.id) ?? null })),
    questions: rows.flatMap(({ questions }): AskedQuestion[] => questions),
    references: mergeReferences(accounts.flatMap(({ references = [] }) => references)),
    dropped: [...new Set(accounts.flatMap(({ dropped = [] }) => dropped))],
  }
}

/** Deduplicates claims about the same lines; the newest turn wins. */
function mergeReferences(all: readonly CodeReference[]): CodeReference[] {
  const keyOf = ({ claim, repository, path, firstLine, lastLine }: CodeReference) =>
    JSON.stringify([claim, repository, path, firstLine, lastLine])
  return [...new Map(all.map((reference) => [keyOf(reference), reference])).values()]
}

function mergeReasons(accounts: readonly TurnReport[]): Record<string, string> {
  const byPath = new Map<string, string[]>()
  for (const { reasons } of accounts)
    for (const [path, reason] of Object.entries(reasons)) {
      const known = byPath.get(path) ?? []
      if (!known.includes(reason)) byPath.set(path, [...known, reason])
    }
  return Object.fromEntries([...byPath].map(([path, reasons]) => [path, reasons.join(' ')]))
}
