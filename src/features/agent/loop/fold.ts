/**
 * Shortens a long conversation for the model: all messages of people and the newest steps stay whole. When there is
 * no room for all of it, older tool results, and texts that the model wrote into files, are reduced to one line each.
 * No message is dropped, so that answers keep their positions.
 *
 * Compaction happens in steps: nothing changes while there is room, and otherwise half of the room is freed at once.
 * Providers that cache the beginning of a conversation therefore still find it. The result depends on the messages
 * and the room alone, whichever worker computes it.
 */
import type { ModelMessage, ToolCall, ToolResult } from '../../../model/model.ts'

/** Messages that stay whole: the results to be answered next, and those before them with the model's reaction. */
const WHOLE_MESSAGES = 2
/** Shorter texts are not worth shortening. */
const SHORT = 400
/** Text that takes as much room as a picture, about. */
const PICTURE_BYTES = 6000
/** Share of the room that is still used after compaction. */
const LOW = 0.5

/** Replaces a shortened text; no model would write this into a file on purpose. */
export const FOLDED = 'characters, folded away since they are old'

/** `room` is in bytes. */
export function foldConversation(messages: readonly ModelMessage[], room: number): ModelMessage[] {
  const { upTo, bytes } = placeFolds(messages, room)
  const folded = messages.map((message, index) => (index < upTo ? fold(message).message : message))
  return bytes > room ? cutNewest(folded, bytes - room) : folded
}

/** Replays the growth of the conversation to find the message up to which texts are shortened. */
function placeFolds(messages: readonly ModelMessage[], room: number): { upTo: number; bytes: number } {
  let upTo = 0
  let bytes = 0
  const tools: number[] = []
  for (const [index, message] of messages.entries()) {
    bytes += fold(message).wholeBytes
    if (message.role === 'tool') tools.push(index)
    if (message.role === 'assistant' || bytes <= room) continue
    // The answer that precedes the first whole results stays whole too.
    const limit = Math.max(0, (tools.at(-WHOLE_MESSAGES) ?? 0) - 1)
    for (; upTo < limit && bytes > room * LOW; upTo++) {
      const old = messages[upTo]
      if (old !== undefined) bytes -= fold(old).wholeBytes - fold(old).foldedBytes
    }
  }
  return { upTo, bytes }
}

interface Folded {
  message: ModelMessage
  wholeBytes: number
  foldedBytes: number
}

/** Cached, since the same messages are sent with every step. */
const known = new WeakMap<ModelMessage, Folded>()

function fold(message: ModelMessage): Folded {
  const before = known.get(message)
  if (before !== undefined) return before
  const short = shortOf(message)
  const folded = { message: short, wholeBytes: bytesOf(message), foldedBytes: bytesOf(short) }
  known.set(message, folded)
  return folded
}

function shortOf(message: ModelMessage): ModelMessage {
  if (message.role === 'user') return message
  if (message.role === 'assistant')
    return { role: 'assistant', text: message.text, toolCalls: message.toolCalls.map(shortCall) }
  return { role: 'tool', results: message.results.map(shortResult) }
}

function shortResult({ picture: _, ...result }: ToolResult): ToolResult {
  if (result.text.length <= SHORT) return result
  const text = `[${result.text.length} ${FOLDED}; call ${result.name} again to see it]`
  return { ...result, text }
}

function shortCall(call: ToolCall): ToolCall {
  const text = JSON.stringify(call.input) ?? ''
  if (text.length <= SHORT) return call
  const input: unknown = JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'string' && value.length > SHORT / 2 ? `[${value.length} ${FOLDED}]` : value,
  )
  return { ...call, input }
}

/** Truncates the longest of the newest results when even these exceed the room. */
function cutNewest(messages: ModelMessage[], excess: number): ModelMessage[] {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return messages
  const all = last.results.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const share = Math.max(SHORT, Math.floor((all - excess) / last.results.length))
  const results = last.results.map((result) => {
    if (Buffer.byteLength(result.text) <= share) return result
    const text = Buffer.from(result.text)
      .subarray(0, share)
      .toString('utf8')
      .replace(/\ufffd$/, '')
    return { ...result, text: `${text}\n(Cut off: there is no room for more. Ask for less at a time.)` }
  })
  return [...messages.slice(0, -1), { role: 'tool', results }]
}

function bytesOf(message: ModelMessage): number {
  switch (message.role) {
    case 'user':
      return Buffer.byteLength(message.text)
    case 'assistant':
      return (
        Buffer.byteLength(message.text) +
        Buffer.byteLength(JSON.stringify([message.toolCalls, message.reasoning]))
      )
    case 'tool':
      return message.results.reduce(
        (sum, { text, picture }) => sum + Buffer.byteLength(text) + (picture ? PICTURE_BYTES : 0),
        0,
      )
  }
}
