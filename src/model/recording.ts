/** A model whose answers are also written to a file that can be played back. Holds prompts and answers, nothing else. */
import { rename, writeFile } from 'node:fs/promises'
import { acquireFileLock } from '../base/files/file-lock.ts'
import type { Model, ModelAnswer, ModelRequest } from './model.ts'
import { type RecordedAnswer, type Recording, readRecording } from './replay-file.ts'

/** The folder of `file` must exist. Several processes may write to one file. */
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

async function record(file: string, name: string, request: ModelRequest, answer: ModelAnswer): Promise<void> {
  const { prompt, number } = placeOf(request)
  if (prompt === null) return
  await using _held = await acquireFileLock(`${file}.lock`)
  const recording = await readOrBegin(file, name)
  let conversation = recording.conversations.find((one) => one.prompt === prompt)
  if (conversation === undefined) {
    conversation = { prompt, answers: [] }
    recording.conversations.push(conversation)
  }
  // A prompt that is asked again replaces what was said to it before, from the same place on.
  conversation.answers.splice(number, Number.POSITIVE_INFINITY, toRecorded(answer))
  await writeFile(`${file}.new`, `${JSON.stringify(recording, null, 2)}\n`)
  await rename(`${file}.new`, file)
}

async function readOrBegin(file: string, name: string): Promise<Recording> {
  try {
    return await readRecording(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { model: name, conversations: [] }
  }
}

/** The last prompt, and how many answers it has had. */
function placeOf({ messages }: ModelRequest): { prompt: string | null; number: number } {
  let number = 0
  for (const message of messages.toReversed()) {
    if (message.role === 'user') return { prompt: message.text, number }
    if (message.role === 'assistant') number++
  }
  return { prompt: null, number }
}

function toRecorded({ text, toolCalls, usage }: ModelAnswer): RecordedAnswer {
  return { text, toolCalls: toolCalls.map(({ name, input }) => ({ name, input })), usage }
}
