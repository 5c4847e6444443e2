/**
 * File format of recorded conversations:
 *
 *   { "model": "anthropic:claude-sonnet-4-5",          the model that answered
 *     "conversations": [
 *       { "prompt": "Fix the typo on the start page.",   the exact text, or "/a pattern/i"
 *         "answers": [                                   one for each request, in order
 *           { "text": "I'll look at the page.",
 *             "toolCalls": [{ "name": "read_file", "input": { "path": "index.mdx" } }],
 *             "usage": { "inputTokens": 1200, "outputTokens": 40 } } ] } ] }
 *
 * `text`, `toolCalls` and `usage` are optional.
 */
import { readFile } from 'node:fs/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const RecordedResponse = Type.Object(
  {
    text: Type.Optional(Type.String()),
    toolCalls: Type.Optional(
      Type.Array(
        Type.Object(
          { name: Type.String({ minLength: 1 }), input: Type.Unknown() },
          { additionalProperties: false },
        ),
      ),
    ),
    usage: Type.Optional(
      Type.Object(
        { inputTokens: Type.Integer({ minimum: 0 }), outputTokens: Type.Integer({ minimum: 0 }) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type RecordedResponse = Static<typeof RecordedResponse>

const Recording = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    conversations: Type.Array(
      Type.Object(
        { prompt: Type.String({ minLength: 1 }), answers: Type.Array(RecordedResponse, { minItems: 1 }) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type Recording = Static<typeof Recording>

/** Reads a recording. Throws a read error, or an Error with a message about the invalid part. */
export async function readRecording(file: string): Promise<Recording> {
  const text = await readFile(file, 'utf8')
  const value = parse(text)
  const [fault] = Value.Errors(Recording, value)
  if (fault !== undefined) throw new Error(`${fault.instancePath || 'The file'} ${fault.message}.`)
  const recording = value as Recording
  for (const { prompt } of recording.conversations) createMatcher(prompt)
  return recording
}

/**
 * Parses JSON. Omits the parser's error, which would quote the file even if the file is not a recording.
 */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('The file is not JSON.')
  }
}

/**
 * Returns a function that tests whether a text matches the prompt or pattern. Throws an Error with a message
 * if the pattern is invalid.
 */
export function createMatcher(prompt: string): (text: string) => boolean {
  const [, pattern, flags] = /^\/(.+)\/([imsu]*)$/s.exec(prompt) ?? []
  if (pattern === undefined) return (text) => text.trim() === prompt.trim()
  try {
    const expression = new RegExp(pattern, flags)
    return (text) => expression.test(text)
  } catch (error) {
    throw new Error(`The pattern ${prompt} is invalid.`, { cause: error })
  }
}
