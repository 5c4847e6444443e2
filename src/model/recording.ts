/** Records the prompts and answers of a model to a file, for a replay. */
import { rename, writeFile } from 'node:fs/promises'
import { acquireFileLock } from '../base/files/file-lock.ts'
import type { Model, ModelRequest, ModelResponse } from './model.ts'
import { type RecordedResponse, type Recording, readRecording } from './replay-file.ts'

/** Wraps a model. The folder of `file` must exist. Several processes may record to the same file. */
export function openRecording(model: Model, file: string): Model {
  return {
    name: model.name,
    async answer(request, signal, onLine) {
      const answer = await model.answer(request, signal, onLine)
      await record(file, model.name, request, answer)
      return answer
    },
  }
}

async function record(
  file: string,
  name: string,
  request: ModelRequest,
  answer: ModelResponse,
): Promise<void> {
  const { prompt, number } = findPosition(request)
  if (prompt === null) return
  await using _lock = await acquireFileLock(`${file}.lock`)
  const recording = await readOrCreate(file, name)
  let conversation = recording.conversations.find((one) => one.prompt === prompt)
  if (conversation === undefined) {
    conversation = { prompt, answers: [] }
    recording.conversations.push(conversation)
  }
  // If a prompt is repeated, replaces the answers from this position on.
  conversation.answers.splice(number, Number.POSITIVE_INFINITY, toRecordedResponse(answer))
  await writeFile(`${file}.new`, `${JSON.stringify(recording, null, 2)}\n`)
  await rename(`${file}.new`, file)
}

async function readOrCreate(file: string, name: string): Promise<Recording> {
  try {
    return await readRecording(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { model: name, conversations: [] }
  }
}

/** Returns the last prompt and the number of answers since. */
function findPosition({ messages }: ModelRequest): { prompt: string | null; number: number } {
  let number = 0
  for (const message of messages.toReversed()) {
    if (message.role === 'user') return { prompt: message.text, number }
    if (message.role === 'assistant') number++
  }
  return { prompt: null, number }
}

function toRecordedResponse({ text, toolCalls, usage }: ModelResponse): RecordedResponse {
  return { text, toolCalls: toolCalls.map(({ name, input }) => ({ name, input })), usage }
}
