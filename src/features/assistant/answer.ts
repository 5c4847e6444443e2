/** Generates an answer: finds passages, calls the model, and keeps only statements supported by a passage. */

import type { Queries } from '../../database/database.ts'
import { type Model, ModelError, type ModelResponse, type ModelUsage } from '../../model/model.ts'
import { type FoundPassage, findPassages, type PassageQuery } from './find-passages.ts'
import type { AskAssistantBody, AssistantEvent, NearestPage } from './operations/assistant.ts'
import { buildPrompt, lastQuestion, messageText, type PromptInput } from './prompt.ts'
import { createStatementReader } from './read-statements.ts'
import { supports } from './verify-statements.ts'

export interface AskedInput {
  projectId: string
  place: PassageQuery['place']
  body: AskAssistantBody
  caller?: 'web' | 'api'
}

export type Claim = Extract<AssistantEvent, { event: 'claim' }>['data']

export interface Outcome {
  status: 'answered' | 'unanswered' | 'failed' | 'stopped'
  claims: Claim[]
  withheld: number
  nearest: NearestPage[]
  /** True if the model considers the question unrelated to the site's subject. */
  isOffTopic: boolean
  usage: ModelUsage | null
}

const MAX_CLAIMS = 16
const MAX_NEAREST = 3
const MAX_TEXT_CHARACTERS = 64_000

export function findPassagesFor(
  queries: Queries,
  { projectId, place, body }: AskedInput,
): Promise<FoundPassage[]> {
  const earlier = body.messages.slice(0, -1).filter(({ role }) => role === 'user')
  const selected = (body.context ?? []).map(({ value }) => value.slice(0, 300))
  return findPassages(queries, {
    projectId,
    place,
    texts: [lastQuestion(body), ...selected, ...earlier.toReversed().map(messageText)],
    path: body.currentPath ?? null,
    language: body.filter?.language ?? null,
    version: body.filter?.version ?? null,
    limit: body.retrievalPageSize ?? 8,
  })
}

/**
 * Reports claims as they arrive. Does not reject if the model fails; the status is then `failed`. The status
 * is `stopped` when the reader has disconnected, which also cancels the model call.
 */
export async function generateAnswer(
  model: Model,
  parts: PromptInput,
  signal: AbortSignal,
  onClaim: (claim: Claim) => void,
): Promise<Outcome> {
  const { passages } = parts
  const outcome: Outcome = {
    ...{ status: 'unanswered', claims: [], withheld: 0, nearest: [] },
    ...{ isOffTopic: false, usage: null },
  }
  if (passages.length === 0) return outcome
  const abort = new AbortController()
  const reader = createStatementReader()
  let characters = 0
  const onLine = (line: string) => {
    characters += line.length
    if (characters > MAX_TEXT_CHARACTERS || outcome.claims.length >= MAX_CLAIMS) return abort.abort()
    const statement = reader.add(line)
    if (statement === null) return
    const passage = passages[statement.passage - 1]
    if (passage === undefined || !supports(passage, statement)) {
      outcome.withheld++
      return
    }
    const claim = { text: statement.text, source: toSource(passage, statement.quote) }
    outcome.claims.push(claim)
    onClaim(claim)
  }
  const answer = await callModel(model, parts, AbortSignal.any([signal, abort.signal]), onLine)
  outcome.usage = answer?.usage ?? null
  outcome.withheld += reader.unread()
  outcome.isOffTopic = reader.isOffTopic()
  if (signal.aborted) outcome.status = 'stopped'
  else if (outcome.claims.length > 0 && (answer !== null || abort.signal.aborted)) outcome.status = 'answered'
  else if (answer === null && !abort.signal.aborted) outcome.status = 'failed'
  if (outcome.status === 'unanswered') outcome.nearest = nearestPages(passages)
  return outcome
}

/** Returns null if the call failed or was cancelled. */
async function callModel(
  model: Model,
  parts: PromptInput,
  signal: AbortSignal,
  onLine: (line: string) => void,
): Promise<ModelResponse | null> {
  try {
    return await model.answer(buildPrompt(parts), signal, onLine)
  } catch (error) {
    if (error instanceof ModelError || signal.aborted) return null
    throw error
  }
}

function toSource({ path, anchor, title, heading }: FoundPassage, quote: string): Claim['source'] {
  return { path, anchor, title, heading, quote: quote.replace(/\s+/g, ' ').trim() }
}

function nearestPages(passages: readonly FoundPassage[]): NearestPage[] {
  const byPage = new Map<string, NearestPage>()
  for (const { path, anchor, title, heading } of passages)
    if (!byPage.has(path)) byPage.set(path, { path, anchor, title, heading })
  return [...byPage.values()].slice(0, MAX_NEAREST)
}
