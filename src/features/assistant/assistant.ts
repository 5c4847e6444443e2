/** The assistant that answers readers through the reader API: accepts a question, then streams the answer. */

import { AppError } from '../../base/errors/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Database, Tx } from '../../database/database.ts'
import type { Model } from '../../model/model.ts'
import { type Asked, answerFrom, type Claim, type Outcome, passagesFor } from './answer.ts'
import { findInstructions, hasPassages } from './find-passages.ts'
import type { AssistantEvent } from './operations/assistant.ts'
import { questionOf } from './prompt.ts'
import {
  endQuestion,
  insertQuestion,
  type MonthlyCaps,
  NOT_ANSWERED,
  secondsToNextMonth,
  takeFromMonth,
} from './questions.ts'

export interface Assistant {
  /**
   * Accepts a question. Throws AppError `assistant_unavailable` for a site without passages, `assistant_spent` when the
   * monthly budget is used up.
   */
  begin(tx: Tx, asked: Asked): Promise<Question>
  /** Streams the events of the answer. The call of the model ends when `signal` aborts. */
  answer(question: Question, asked: Asked, signal: AbortSignal): AsyncIterable<AssistantEvent>
}

export interface Question {
  id: string
  threadId: string
}

export interface AssistantDeps {
  database: Database
  model: Model
  monthly: MonthlyCaps
  log: Log
}

/** Time limit of a whole answer: readers do not wait longer. */
const ANSWER_MS = 120_000

export function createAssistant(deps: AssistantDeps): Assistant {
  return {
    async begin(tx, asked) {
      const { projectId, place, body } = asked
      if (!(await hasPassages(tx, projectId, place))) throw new AppError('assistant_unavailable')
      if (!(await takeFromMonth(tx, projectId, deps.monthly)))
        throw new AppError('assistant_spent', {
          headers: { 'Retry-After': String(await secondsToNextMonth(tx)) },
        })
      return insertQuestion(tx, {
        projectId,
        threadId: body.threadId ?? null,
        path: body.currentPath ?? null,
        language: body.filter?.language ?? null,
        question: questionOf(body),
        ...(asked.caller && { caller: asked.caller }),
      })
    },
    answer: (question, asked, signal) => answerEvents(deps, question, asked, signal),
  }
}

async function* answerEvents(
  deps: AssistantDeps,
  question: Question,
  asked: Asked,
  signal: AbortSignal,
): AsyncGenerator<AssistantEvent> {
  yield { event: 'start', data: { ...question } }
  const gone = new AbortController()
  const told: Claim[] = []
  let wake = Promise.withResolvers<void>()
  const tell = (claim: Claim) => {
    told.push(claim)
    wake.resolve()
  }
  const working = work(deps, question, asked, AbortSignal.any([signal, gone.signal]), tell)
  let end: AssistantEvent | null = null
  working.then(
    (event) => {
      end = event
      wake.resolve()
    },
    () => wake.resolve(),
  )
  try {
    while (end === null || told.length > 0) {
      const claim = told.shift()
      if (claim !== undefined) {
        yield { event: 'claim', data: claim }
        continue
      }
      await Promise.race([wake.promise, working])
      if (end === null && told.length === 0) wake = Promise.withResolvers()
    }
    yield end
  } finally {
    gone.abort()
    await working.catch(() => undefined)
  }
}

/** Returns the last event, after the outcome has been stored. */
async function work(
  deps: AssistantDeps,
  question: Question,
  asked: Asked,
  signal: AbortSignal,
  tell: (claim: Claim) => void,
): Promise<AssistantEvent> {
  const { database, log, model } = deps
  const place = { id: question.id, projectId: asked.projectId }
  try {
    const passages = await passagesFor(database.queries, asked)
    const instructions = await findInstructions(database.queries, asked)
    const late = AbortSignal.timeout(ANSWER_MS)
    const outcome = await answerFrom(
      model,
      { body: asked.body, passages, instructions },
      AbortSignal.any([signal, late]),
      tell,
    )
    if (late.aborted && !signal.aborted) outcome.status = 'failed'
    await database.transaction((tx) => endQuestion(tx, place, outcome))
    return lastEvent(outcome)
  } catch (error) {
    log.warn({ questionId: question.id, err: error }, 'assistant.failed')
    return { event: 'error', data: { error: NOT_ANSWERED, code: 'assistant_failed' } }
  }
}

function lastEvent({ status, nearest, withheld }: Outcome): AssistantEvent {
  if (status === 'failed' || status === 'stopped')
    return { event: 'error', data: { error: NOT_ANSWERED, code: 'assistant_failed' } }
  return { event: 'end', data: { resolutionStatus: status, nearest, withheld } }
}
