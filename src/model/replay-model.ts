/**
 * Plays back a recorded conversation, for demonstrations and tests. Stateless: the next answer depends only
 * on the request, so that another worker can continue a job.
 */

import { toStorable, toStorableText } from '../base/text/storable.ts'
import { type Model, ModelError, type ModelRequest, type ModelResponse } from './model.ts'
import { createMatcher, type RecordedResponse, type Recording, readRecording } from './replay-file.ts'
import { countUsage } from './usage.ts'

/** Opens a replay. `name` has the form `replay:…`. The file is read for each request. */
export function openReplay(name: string, file: string): Model {
  return {
    name,
    async answer(request, signal, onLine) {
      signal.throwIfAborted()
      const recording = await readRecording(file).catch((error: Error) => {
        throw new ModelError('model_missing', `The recorded conversation is invalid: ${describeFault(error)}`)
      })
      const answer = playBack(recording, request)
      if (onLine) for (const line of answer.text.split('\n')) onLine(line)
      return answer
    },
  }
}

function describeFault(error: Error): string {
  const { code } = error as NodeJS.ErrnoException
  return code === undefined ? error.message : `its file cannot be read (${code}).`
}

function playBack(recording: Recording, request: ModelRequest): ModelResponse {
  const position = findPosition(recording, request)
  if (position === null) throw new ModelError('refused', NOT_RECORDED_MESSAGE)
  const recorded = position.answers[position.number]
  if (recorded === undefined)
    throw new ModelError('refused', `The recorded conversation ends here, after ${position.number} answers.`)
  return toResponse(recorded, request)
}

const NOT_RECORDED_MESSAGE =
  'This model replays recorded answers, and this prompt is not recorded. Set OCTAVO_MODEL to a model to use other prompts.'

/** Returns the answers to the latest recorded prompt, and the number of answers since. */
function findPosition(recording: Recording, { messages }: ModelRequest) {
  let number = 0
  for (const message of messages.toReversed()) {
    if (message.role === 'assistant') number++
    if (message.role !== 'user') continue
    const found = recording.conversations.find(({ prompt }) => createMatcher(prompt)(message.text))
    if (found !== undefined) return { answers: found.answers, number }
  }
  return null
}

function toResponse(recorded: RecordedResponse, request: ModelRequest): ModelResponse {
  const step = request.messages.filter(({ role }) => role === 'assistant').length
  const text = toStorableText(recorded.text ?? '')
  const toolCalls = (recorded.toolCalls ?? []).map(({ name, input }, index) => ({
    id: `replay-${step}-${index}`,
    name,
    input: toStorable(input),
  }))
  const counted = recorded.usage ?? { inputTokens: null, outputTokens: null }
  return {
    text,
    toolCalls,
    finish: toolCalls.length > 0 ? 'tool_calls' : 'stop',
    usage: countUsage(counted, JSON.stringify(request), JSON.stringify({ text, toolCalls })),
  }
}
