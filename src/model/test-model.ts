/** Tests the URL, name and key of a model, and its support for tool calls, with a small request. */

import type { TrialFinding } from '../base/api/trial.ts'
import { TEST_RESULTS } from '../base/errors/catalogue.ts'
import type { AddressGuard } from '../base/net/address-guard.ts'
import { type ResponseLimits, responseLimits } from './bounded-fetch.ts'
import { ModelError, type ModelErrorReason, type ModelRequest } from './model.ts'
import { type ModelKeys, type ModelSettings, openModel } from './open-model.ts'

export interface ModelTest {
  milliseconds: number
  /** Beginning of the text; null if there is none. */
  said: string | null
  /** Whether the model supports tool calls, which agent jobs require. */
  callsTools: boolean
  /** Error with a remedy; null if the model answered. */
  failure: (TrialFinding & { remedy: string }) | null
}

/** Long enough for the server to load the model, and short enough for a person who is waiting. */
const FIRST_BYTE_TIMEOUT_MS = 20_000
const TOTAL_TIMEOUT_MS = 30_000
const MAX_ANSWER_BYTES = 256 * 1024
const MAX_TEXT_CHARACTERS = 300

const REQUEST: ModelRequest = {
  system: 'This is a test. Call the tool `ready` once, and do nothing else.',
  messages: [{ role: 'user', text: 'Call the tool `ready` with the word "ready".' }],
  tools: [
    {
      name: 'ready',
      description: 'Reports that you are ready.',
      inputSchema: {
        type: 'object',
        properties: { word: { type: 'string', description: 'The word "ready".' } },
        required: ['word'],
        additionalProperties: false,
      },
    },
  ],
  // Allows for reasoning before the answer.
  maxOutputTokens: 2048,
}

/** Tests a model. Failures of the model are part of the result. Throws RangeError for an invalid name. */
export async function testModel(
  settings: ModelSettings,
  keys: ModelKeys,
  guard: AddressGuard,
  limits: Partial<ResponseLimits> = {},
): Promise<ModelTest> {
  const bounds = { ...responseLimits(FIRST_BYTE_TIMEOUT_MS), bytes: MAX_ANSWER_BYTES, ...limits }
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
  return createFailure('unreachable', `The model did not finish within ${TOTAL_TIMEOUT_MS / 1000} seconds.`)
}

function createFailure(reason: ModelErrorReason, sentence: string): NonNullable<ModelTest['failure']> {
  const code = `model.${reason}` as const
  return { code, sentence, remedy: TEST_RESULTS[code].remedy }
}
