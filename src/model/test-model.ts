/** Tests whether a model answers and calls tools, and thus its URL, name and key, with one small request. */

import { TRIAL_TEXTS, type TrialFinding } from '../base/errors/finding-texts.ts'
import type { AddressGuard } from '../base/net/address-guard.ts'
import { type AnswerLimits, answerLimits } from './bounded-fetch.ts'
import { ModelError, type ModelErrorReason, type ModelRequest } from './model.ts'
import { type ModelKeys, type ModelSettings, openModel } from './open-model.ts'

export interface ModelTest {
  milliseconds: number
  /** Beginning of the answer; null if it has no text. */
  said: string | null
  /** Whether the model calls tools, as agent jobs require. */
  callsTools: boolean
  /** Failure with advice; null if the model answered. */
  failure: (TrialFinding & { remedy: string }) | null
}

/** Long enough for a model that must be loaded first, short enough for a waiting person. */
const FIRST_BYTE_TIMEOUT_MS = 20_000
/** Time limit for the whole test. */
const TOTAL_TIMEOUT_MS = 30_000
const MAX_ANSWER_BYTES = 256 * 1024
const MAX_TEXT_CHARACTERS = 300

const REQUEST: ModelRequest = {
  system: 'You are being tested. Answer by calling the tool `ready` once, and with nothing else.',
  messages: [{ role: 'user', text: 'Call the tool `ready` with the word "ready".' }],
  tools: [
    {
      name: 'ready',
      description: 'Say that you are ready.',
      inputSchema: {
        type: 'object',
        properties: { word: { type: 'string', description: 'The word "ready".' } },
        required: ['word'],
        additionalProperties: false,
      },
    },
  ],
  // Some models reason before they answer.
  maxOutputTokens: 2048,
}

/** Tests a model. Never rejects because of the model. Throws RangeError if the name does not refer to one. */
export async function testModel(
  settings: ModelSettings,
  keys: ModelKeys,
  guard: AddressGuard,
  limits: Partial<AnswerLimits> = {},
): Promise<ModelTest> {
  const bounds = { ...answerLimits(FIRST_BYTE_TIMEOUT_MS), bytes: MAX_ANSWER_BYTES, ...limits }
  const model = openModel({ ...settings, recordFile: null }, keys, guard, bounds)
  const began = performance.now()
  const elapsedMs = () => Math.round(performance.now() - began)
  const timeout = AbortSignal.timeout(TOTAL_TIMEOUT_MS)
  try {
    const { text, toolCalls } = await model.answer(REQUEST, timeout)
    const said = text.trim().slice(0, MAX_TEXT_CHARACTERS)
    return {
      milliseconds: elapsedMs(),
      said: said === '' ? null : said,
      callsTools: toolCalls.some(({ name }) => name === 'ready'),
      failure: null,
    }
  } catch (error) {
    return { milliseconds: elapsedMs(), said: null, callsTools: false, failure: toFailure(error, timeout) }
  }
}

function toFailure(error: unknown, timeout: AbortSignal): NonNullable<ModelTest['failure']> {
  if (error instanceof ModelError) return createFailure(error.reason, error.message)
  if (!timeout.aborted) throw error
  return createFailure('unreachable', `The model was not done after ${TOTAL_TIMEOUT_MS / 1000} seconds.`)
}

function createFailure(reason: ModelErrorReason, sentence: string): NonNullable<ModelTest['failure']> {
  const code = `model.${reason}` as const
  return { code, sentence, remedy: TRIAL_TEXTS[code].remedy }
}
