/**
 * What the model is sent of a long conversation: all that people and the model said, and of tool results the newest ones
 * whole; older ones are folded to a line when the whole is longer than the budget. Nothing is left out, so that answers
 * keep their places.
 */
import type { ModelMessage, ToolResult } from '../model/model.ts'

/** Characters of a conversation, some 100,000 tokens. */
export const FOLD_BUDGET = 400_000
/** What is never folded: the results that the model is about to answer, and the one before. */
const WHOLE_MESSAGES = 2
/** Results shorter than this are not worth it. */
const SHORT = 400

export function foldConversation(messages: readonly ModelMessage[], budget: number): ModelMessage[] {
  let excess = messages.reduce((sum, message) => sum + lengthOf(message), 0) - budget
  if (excess <= 0) return [...messages]
  const lastWhole = indexOfNthLast(messages, WHOLE_MESSAGES)
  return messages.map((message, index) => {
    if (message.role !== 'tool' || index >= lastWhole || excess <= 0) return message
    const results = message.results.map((result) => {
      const folded = fold(result)
      excess -= result.text.length - folded.text.length
      return folded
    })
    return { role: 'tool', results }
  })
}

function fold(result: ToolResult): ToolResult {
  if (result.text.length <= SHORT) return result
  const text = `[${result.text.length} characters, folded away since they are old; call ${result.name} again to see it]`
  return { ...result, text }
}

/** Index of the nth tool message from the end. */
function indexOfNthLast(messages: readonly ModelMessage[], nth: number): number {
  let found = 0
  for (let index = messages.length - 1; index >= 0; index--) {
    if (messages[index]?.role === 'tool' && ++found === nth) return index
  }
  return 0
}

/** Of messages that are sent again with every step. */
const lengths = new WeakMap<ModelMessage, number>()

function lengthOf(message: ModelMessage): number {
  const length = lengths.get(message) ?? measure(message)
  lengths.set(message, length)
  return length
}

function measure(message: ModelMessage): number {
  switch (message.role) {
    case 'user':
      return message.text.length
    case 'assistant':
      return message.text.length + JSON.stringify(message.toolCalls).length
    case 'tool':
      return message.results.reduce((sum, result) => sum + result.text.length, 0)
  }
}
