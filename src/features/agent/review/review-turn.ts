/** Turns reviewers' comments on the forge into a turn of the job, and replies to each of them. */
import { sql } from 'kysely'
import type { Log } from '../../../base/log.ts'
import { toStorableText } from '../../../base/text/storable.ts'
import { recordAudit, SYSTEM_ACTOR } from '../../../database/audit.ts'
import type { Database, Tx } from '../../../database/database.ts'
import { type Forge, ForgeError } from '../../../git/forges/forge.ts'
import { addAnswerMark, type ReviewComment } from '../../../git/forges/review-comments.ts'
import { escapeMarkdown } from '../check/escape-markdown.ts'
import type { AgentChoice } from '../operations/agent.ts'
import { maskPersonalData } from '../publish/mask-personal.ts'
import type { AgentSetup } from '../setup.ts'
import type { StartJobDeps } from '../start-job.ts'
import { reactivateJob } from '../steer-job.ts'
import type { JobRow } from '../store.ts'
import { insertPrompt, shortened } from '../turn-store.ts'

export interface ReviewDeps {
  database: Database
  queue: StartJobDeps['queue']
  agent: AgentSetup
  log: Log
}

const MAX_COMMENTS = 30
/** Maximum number of turns per job started by comments, so that a bot cannot keep the agent talking forever. */
const MAX_TURNS = 20
const MAX_ANSWERS = 10
const MAX_REVIEW_COMMENT_CHARACTERS = 4000
const MAX_REPLY_TEXT_CHARACTERS = 2000
const PROMPT = 'Address the review comments on the pull request.'
const TURN_LIMIT_NOTE = `This job has handled ${MAX_TURNS} rounds of comments and does not handle more automatically. To continue, send it a message on the dashboard.`

/** Rejects with ForgeError. */
export async function followReview(
  deps: ReviewDeps,
  job: JobRow,
  forge: Forge,
  signal: AbortSignal,
): Promise<void> {
  const requestId = job.pull_request_id
  if (requestId === null || forge.readComments === undefined) return
  const { comments, answered } = await forge.readComments(requestId, signal)
  await handleComments(deps, job, requestId, comments)
  await sendAnswers(deps, { job, requestId, forge, answered }, signal)
}

async function handleComments(
  deps: ReviewDeps,
  { id }: JobRow,
  requestId: string,
  comments: readonly ReviewComment[],
): Promise<void> {
  if (comments.length === 0) return
  await deps.database.transaction(async (tx) => {
    const job = await tx
      .selectFrom('agent_jobs')
      .selectAll()
      .where('id', '=', id)
      .where('status', '!=', 'archived')
      .where('pull_request_id', '=', requestId)
      .where('pull_request_state', '=', 'open')
      .forUpdate()
      .executeTakeFirst()
    if (job === undefined) return
    const newComments = await findNewComments(tx, id, requestId, comments)
    if (newComments.length === 0) return
    const project = await tx
      .selectFrom('projects')
      .select(['agent', 'docs_folder'])
      .where('id', '=', job.project_id)
      .executeTakeFirstOrThrow()
    if (deps.agent.modelName === null || (project.agent as AgentChoice).answersReviews === false) return
    const number = await findOrCreatePrompt(tx, id)
    await storeComments(tx, { jobId: id, requestId, number, docsFolder: project.docs_folder }, newComments)
    if (number === 0) return
    await reactivateJob(deps, tx, job)
    await recordAudit(tx, {
      organizationId: job.organization_id,
      actor: SYSTEM_ACTOR,
      action: 'agent_job.messaged',
      subject: id,
      details: { projectId: job.project_id, comments: newComments.length },
    })
  })
}

async function findNewComments(
  tx: Tx,
  jobId: string,
  requestId: string,
  comments: readonly ReviewComment[],
): Promise<ReviewComment[]> {
  const rows = await tx
    .selectFrom('agent_job_comments')
    .select('comment_id')
    .where('job_id', '=', jobId)
    .where('request_id', '=', requestId)
    .execute()
  const known = new Set(rows.map(({ comment_id }) => comment_id))
  return comments.filter(({ id }) => !known.has(id)).slice(0, MAX_COMMENTS)
}

/** Returns the waiting prompt that accepts further comments, or a new one; 0 if the job has reached its limit. */
async function findOrCreatePrompt(tx: Tx, jobId: string): Promise<number> {
  const rows = await tx
    .selectFrom('agent_job_comments as comment')
    .innerJoin('agent_job_prompts as prompt', (join) =>
      join.onRef('prompt.job_id', '=', 'comment.job_id').onRef('prompt.number', '=', 'comment.number'),
    )
    .select(['prompt.number', 'prompt.started_at', 'prompt.ended_at'])
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('comment.job_id', '=', jobId)
    .groupBy(['prompt.number', 'prompt.started_at', 'prompt.ended_at'])
    .execute()
  const waitingPrompt = rows.find(
    (row) => row.started_at === null && row.ended_at === null && Number(row.count) < MAX_COMMENTS,
  )
  if (waitingPrompt !== undefined) return waitingPrompt.number
  if (rows.length >= MAX_TURNS) return 0
  return await insertPrompt(tx, jobId, { prompt: PROMPT, feedback: [], questions: [], askedBy: null })
}

async function storeComments(
  tx: Tx,
  at: { jobId: string; requestId: string; number: number; docsFolder: string },
  comments: readonly ReviewComment[],
): Promise<void> {
  const below = at.docsFolder === '' ? '' : `${at.docsFolder}/`
  const values = comments.map(({ id, author, path, line, text }) => ({
    job_id: at.jobId,
    request_id: at.requestId,
    comment_id: id,
    number: at.number,
    author: toStorableText(shortened(author, 200)),
    path: path === null ? null : toStorableText(path.startsWith(below) ? path.slice(below.length) : path),
    line,
    text: toStorableText(shortened(text, MAX_REVIEW_COMMENT_CHARACTERS)),
    answer: at.number === 0 ? TURN_LIMIT_NOTE : null,
    answered_at: null,
  }))
  await tx.insertInto('agent_job_comments').values(values).execute()
}

interface AnswerContext {
  job: JobRow
  requestId: string
  forge: Forge
  /** Ids of comments whose reply was found on the forge: an earlier poll sent it. */
  answered: ReadonlySet<string>
}

/** Sends the replies of ended turns. Replies that the forge rejects permanently are dropped. */
async function sendAnswers(
  { database, log }: ReviewDeps,
  { job, requestId, forge, answered }: AnswerContext,
  signal: AbortSignal,
): Promise<void> {
  for (const comment of await findDueAnswers(database, job.id, requestId)) {
    const { comment_id: id } = comment
    try {
      if (!answered.has(id))
        await forge.answerComment?.(requestId, { id, text: addAnswerMark(id, answerText(comment)) }, signal)
    } catch (error) {
      if (!(error instanceof ForgeError) || error.isTemporary) throw error
      log.warn({ jobId: job.id, comment: id, error: error.message }, 'agent.answer_refused')
    }
    await database.queries
      .updateTable('agent_job_comments')
      .set({ answered_at: sql<Date>`clock_timestamp()` })
      .where('job_id', '=', job.id)
      .where('request_id', '=', requestId)
      .where('comment_id', '=', id)
      .execute()
  }
}

async function findDueAnswers({ queries }: Database, jobId: string, requestId: string) {
  return await queries
    .selectFrom('agent_job_comments as comment')
    .innerJoin('agent_jobs as job', 'job.id', 'comment.job_id')
    .leftJoin('agent_job_prompts as prompt', (join) =>
      join.onRef('prompt.job_id', '=', 'comment.job_id').onRef('prompt.number', '=', 'comment.number'),
    )
    .select(['comment.comment_id', 'comment.author', 'comment.path', 'comment.line', 'comment.answer'])
    .select(['prompt.account', 'job.error', 'job.status'])
    .where('comment.job_id', '=', jobId)
    .where('comment.request_id', '=', requestId)
    .where('comment.answered_at', 'is', null)
    .where((eb) => eb.or([eb('comment.number', '=', 0), eb('prompt.ended_at', 'is not', null)]))
    .orderBy('comment.taken_at')
    .orderBy('comment.comment_id')
    .limit(MAX_ANSWERS)
    .execute()
}

type DueAnswer = Awaited<ReturnType<typeof findDueAnswers>>[number]

/** Returns the agent's reply or a substitute. Names the author of the comment, since not every forge has threads. */
function answerText({ author, path, line, answer, account, error, status }: DueAnswer): string {
  const location = path === null ? '' : ` on ${path}${line === null ? '' : `, line ${line}`}`
  const reply =
    answer ??
    (account !== null
      ? `The agent handled this round of comments. Its summary: ${account.summary}`
      : `The agent could not handle this${status === 'failed' && error !== null ? `: ${error}` : '.'}`)
  const about = escapeMarkdown(`To ${author}${location}:`)
  return `${about}\n\n${escapeMarkdown(maskPersonalData(shortened(reply, MAX_REPLY_TEXT_CHARACTERS)))}`
}
