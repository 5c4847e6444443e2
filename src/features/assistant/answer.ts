/** Creates one answer: finds passages, asks the model, and shows only statements that a passage supports. */

import type { Queries } from '../../database/database.ts'
import { type Model, type ModelAnswer, ModelError, type ModelUsage } from '../../model/model.ts'
import { type FoundPassage, findPassages, type PassageQuery } from './find-passages.ts'
import type { AskAssistantBody, AssistantEvent, NearestPage } from './operations/assistant.ts'
import { type PromptParts, promptOf, questionOf, textOf } from './prompt.ts'
import { createStatementReader } from './read-statements.ts'
import { supports } from './support.ts'

export interface Asked {
  projectId: string
  place: PassageQuery['place']
  body: AskAssistantBody
  caller?: 'web' | 'api'
}

export type Claim = Extract<AssistantEvent, { event: 'claim' }>['data']

/** Outcome of a question. */
export interface Outcome {
  status: 'answered' | 'unanswered' | 'failed' | 'stopped'
  claims: Claim[]
  withheld: number
  nearest: NearestPage[]
  /** The model considers the question unrelated to the site's subject. */
  isOffTopic: boolean
  usage: ModelUsage | null
}

const MOST_CLAIMS = 16
const MOST_NEAREST = 3
const MOST_TEXT = 64_000

export function passagesFor(queries: Queries, { projectId, place, body }: Asked): Promise<FoundPassage[]> {
  const earlier = body.messages.slice(0, -1).filter(({ role }) => role === 'user')
  const selected = (body.context ?? []).map(({ value }) => value.slice(0, 300))
  return findPassages(queries, {
    projectId,
    place,
    texts: [questionOf(body), ...selected, ...earlier.toReversed().map(textOf)],
    path: body.currentPath ?? null,
    language: body.filter?.language ?? null,
    version: body.filter?.version ?? null,
    limit: body.retrievalPageSize ?? 8,
  })
}

/**
 * Reports claims as they arrive. Never rejects because of the model: the status is then `failed`. It is `stopped`
 * when the reader has left, which also cancels the call of the model.
 */
export async function answerFrom(
  model: Model,
  parts: PromptParts,
  signal: AbortSignal,
  tell: (claim: Claim) => void,
): Promise<Outcome> {
  const { passages } = parts
  const outcome: Outcome = {
    ...{ status: 'unanswered', claims: [], withheld: 0, nearest: [] },
    ...{ isOffTopic: false, usage: null },
  }
  if (passages.length === 0) return outcome
  const ending = new AbortController()
  const reader = createStatementReader()
  let characters = 0
  const take = (line: string) => {
    characters += line.length
    if (characters > MOST_TEXT || outcome.claims.length >= MOST_CLAIMS) return ending.abort()
    const statement = reader.add(line)
    if (statement === null) return
    const passage = passages[statement.passage - 1]
    if (passage === undefined || !supports(passage, statement)) {
      outcome.withheld++
      return
    }
    const claim = { text: statement.text, source: sourceOf(passage, statement.quote) }
    outcome.claims.push(claim)
    tell(claim)
  }
  const answer = await ask(model, parts, AbortSignal.any([signal, ending.signal]), take)
  outcome.usage = answer?.usage ?? null
  outcome.withheld += reader.unread()
  outcome.isOffTopic = reader.isOffTopic()
  if (signal.aborted) outcome.status = 'stopped'
  else if (outcome.claims.length > 0 && (answer !== null || ending.signal.aborted))
    outcome.status = 'answered'
  else if (answer === null && !ending.signal.aborted) outcome.status = 'failed'
  if (outcome.status === 'unanswered') outcome.nearest = nearestOf(passages)
  return outcome
}

/** Returns null when the call failed or was cancelled. */
async function ask(
  model: Model,
  parts: PromptParts,
  signal: AbortSignal,
  take: (line: string) => void,
): Promise<ModelAnswer | null> {
  try {
    return await model.answer(promptOf(parts), signal, take)
  } catch (error) {
    if (error instanceof ModelError || signal.aborted) return null
    throw error
  }
}

function sourceOf({ path, anchor, title, heading }: FoundPassage, quote: string): Claim['source'] {
  return { path, anchor, title, heading, quote: quote.replace(/\s+/g, ' ').trim() }
}

function nearestOf(passages: readonly FoundPassage[]): NearestPage[] {
  const byPage = new Map<string, NearestPage>()
  for (const { path, anchor, title, heading } of passages)
    if (!byPage.has(path)) byPage.set(path, { path, anchor, title, heading })
  return [...byPage.values()].slice(0, MOST_NEAREST)
}
