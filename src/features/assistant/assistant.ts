/** Assistant that answers readers through the reader API: accepts a question, then streams the answer. */

import { AppError } from '../../base/errors/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Database, Tx } from '../../database/database.ts'
import type { Model } from '../../model/model.ts'
import { type AskedInput, type Claim, findPassagesFor, generateAnswer, type Outcome } from './answer.ts'
import { findInstructions, hasPassages } from './find-passages.ts'
import type { AssistantEvent } from './operations/assistant.ts'
import { lastQuestion } from './prompt.ts'
import {
  endQuestion,
  insertQuestion,
  type MonthlyCaps,
  NOT_ANSWERED,
  reserveMonthlyUsage,
  secondsToNextMonth,
} from './questions.ts'

export interface Assistant {
  /**
   * Accepts a question. Throws AppError `assistant_unavailable` for a site without passages, and `assistant_spent` when
   * the monthly budget is used up.
   */
  begin(tx: Tx, input: AskedInput): Promise<Question>
  /** Streams the events of the answer. Aborting `signal` cancels the model call. */
  answer(question: Question, input: AskedInput, signal: AbortSignal): AsyncIterable<AssistantEvent>
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

/** Time limit of a whole answer; readers do not wait longer. */
const ANSWER_TIMEOUT_MS = 120_000

export function createAssistant(deps: AssistantDeps): Assistant {
  return {
    async begin(tx, input) {
      const { projectId, place: questionRef, body } = input
      if (!(await hasPassages(tx, projectId, questionRef))) throw new AppError('assistant_unavailable')
      if (!(await reserveMonthlyUsage(tx, projectId, deps.monthly)))
        throw new AppError('assistant_spent', {
          headers: { 'Retry-After': String(await secondsToNextMonth(tx)) },
        })
      return insertQuestion(tx, {
        projectId,
        threadId: body.threadId ?? null,
        path: body.currentPath ?? null,
        language: body.filter?.language ?? null,
        question: lastQuestion(body),
        ...(input.caller && { caller: input.caller }),
      })
    },
    answer: (question, input, signal) => answerEvents(deps, question, input, signal),
  }
}

async function* answerEvents(
  deps: AssistantDeps,
  question: Question,
  input: AskedInput,
  signal: AbortSignal,
): AsyncGenerator<AssistantEvent> {
  yield { event: 'start', data: { ...question } }
  const readerGone = new AbortController()
  const claims: Claim[] = []
  let wake = Promise.withResolvers<void>()
  const onClaim = (claim: Claim) => {
    claims.push(claim)
    wake.resolve()
  }
  const working = answerQuestion(deps, question, input, AbortSignal.any([signal, readerGone.signal]), onClaim)
  let end: AssistantEvent | null = null
  working.then(
    (event) => {
      end = event
      wake.resolve()
    },
    () => wake.resolve(),
  )
  try {
    while (end === null || claims.length > 0) {
      const claim = claims.shift()
      if (claim !== undefined) {
        yield { event: 'claim', data: claim }
        continue
      }
      await Promise.race([wake.promise, working])
      if (end === null && claims.length === 0) wake = Promise.withResolvers()
    }
    yield end
  } finally {
    readerGone.abort()
    await working.catch(() => undefined)
  }
}

async function answerQuestion(
  deps: AssistantDeps,
  question: Question,
  input: AskedInput,
  signal: AbortSignal,
  onClaim: (claim: Claim) => void,
): Promise<AssistantEvent> {
  const { database, log, model } = deps
  const questionRef = { id: question.id, projectId: input.projectId }
  try {
    const passages = await findPassagesFor(database.queries, input)
    const instructions = await findInstructions(database.queries, input)
    const late = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
    const outcome = await generateAnswer(
      model,
      { body: input.body, passages, instructions },
      AbortSignal.any([signal, late]),
      onClaim,
    )
    if (late.aborted && !signal.aborted) outcome.status = 'failed'
    await database.transaction((tx) => endQuestion(tx, questionRef, outcome))
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
