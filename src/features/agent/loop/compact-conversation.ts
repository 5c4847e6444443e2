/**
 * Shortens a long conversation for the model. Messages from people and the newest steps remain whole. If the
 * conversation is too large, older tool results, and texts that the model wrote into files, are reduced to one line
 * each. No message is dropped, so that responses keep their positions.
 *
 * Nothing changes while the conversation fits. When it no longer fits, half of its size is freed in one step, so that
 * its beginning changes rarely and providers can continue to cache it. The result depends only on the messages and the
 * size, not on the worker that computes it.
 */
import type { ModelMessage, ToolCall, ToolResult } from '../../../model/model.ts'

/**
 * Number of newest tool messages that stay in full, along with the model messages around them: the last one, which the
 * model responds to next, and the one before it.
 */
const RECENT_MESSAGES = 2
/** Shorter texts are not worth shortening. */
const MIN_OMITTED_LENGTH = 400
/** Estimated size of an image in a conversation, as bytes of text. */
const ESTIMATED_IMAGE_BYTES = 6000
/** Share of the available size that is used after compaction. */
const TARGET_SHARE = 0.5

/** Replaces a shortened text; no model would write this into a file on purpose. */
export const OMISSION_TEXT = 'characters, omitted because they are old'

/** `room` is in bytes. */
export function compactConversation(messages: readonly ModelMessage[], room: number): ModelMessage[] {
  const { upTo, bytes } = findCompactionPoint(messages, room)
  const compacted = messages.map((message, index) =>
    index < upTo ? compactMessage(message).message : message,
  )
  return bytes > room ? truncateNewestResults(compacted, bytes - room) : compacted
}

function findCompactionPoint(
  messages: readonly ModelMessage[],
  room: number,
): { upTo: number; bytes: number } {
  let upTo = 0
  let bytes = 0
  const tools: number[] = []
  for (const [index, message] of messages.entries()) {
    bytes += compactMessage(message).wholeBytes
    if (message.role === 'tool') tools.push(index)
    if (message.role === 'assistant' || bytes <= room) continue
    // The model message before the first uncompacted results is not compacted either.
    const limit = Math.max(0, (tools.at(-RECENT_MESSAGES) ?? 0) - 1)
    for (; upTo < limit && bytes > room * TARGET_SHARE; upTo++) {
      const old = messages[upTo]
      if (old !== undefined) bytes -= compactMessage(old).wholeBytes - compactMessage(old).foldedBytes
    }
  }
  return { upTo, bytes }
}

interface CompactedMessage {
  message: ModelMessage
  wholeBytes: number
  foldedBytes: number
}

/** Cached, since the same messages are sent with every step. */
const compactedMessages = new WeakMap<ModelMessage, CompactedMessage>()

function compactMessage(message: ModelMessage): CompactedMessage {
  const before = compactedMessages.get(message)
  if (before !== undefined) return before
  const short = shortenMessage(message)
  const compacted = { message: short, wholeBytes: messageBytes(message), foldedBytes: messageBytes(short) }
  compactedMessages.set(message, compacted)
  return compacted
}

function shortenMessage(message: ModelMessage): ModelMessage {
  if (message.role === 'user') return message
  if (message.role === 'assistant')
    return { role: 'assistant', text: message.text, toolCalls: message.toolCalls.map(shortenCall) }
  return { role: 'tool', results: message.results.map(shortenResult) }
}

function shortenResult({ picture: _, ...result }: ToolResult): ToolResult {
  if (result.text.length <= MIN_OMITTED_LENGTH) return result
  const text = `[${result.text.length} ${OMISSION_TEXT}; call ${result.name} again to see them]`
  return { ...result, text }
}

function shortenCall(call: ToolCall): ToolCall {
  const text = JSON.stringify(call.input) ?? ''
  if (text.length <= MIN_OMITTED_LENGTH) return call
  const input: unknown = JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'string' && value.length > MIN_OMITTED_LENGTH / 2
      ? `[${value.length} ${OMISSION_TEXT}]`
      : value,
  )
  return { ...call, input }
}

/** Truncates the longest of the newest results when even these exceed the available size. */
function truncateNewestResults(messages: ModelMessage[], excess: number): ModelMessage[] {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return messages
  const all = last.results.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const share = Math.max(MIN_OMITTED_LENGTH, Math.floor((all - excess) / last.results.length))
  const results = last.results.map((result) => {
    if (Buffer.byteLength(result.text) <= share) return result
    const text = Buffer.from(result.text)
      .subarray(0, share)
      .toString('utf8')
      .replace(/\ufffd$/, '')
    return { ...result, text: `${text}\n(Truncated: the output is too long. Request less at a time.)` }
  })
  return [...messages.slice(0, -1), { role: 'tool', results }]
}

function messageBytes(message: ModelMessage): number {
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
        (sum, { text, picture }) => sum + Buffer.byteLength(text) + (picture ? ESTIMATED_IMAGE_BYTES : 0),
        0,
      )
  }
}
