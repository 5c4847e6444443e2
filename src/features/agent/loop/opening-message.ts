/** Formats a prompt as a message to the model. */
import type { ModelMessage } from '../../../model/model.ts'
import { quoteExternalText, quoteFeedback, quoteQuestions, quoteReview } from '../code/quote-readers.ts'
import type { Prompt } from '../turn-store.ts'

export function openingMessage({ text, feedback, questions, comments, told }: Prompt): ModelMessage {
  const parts = [text, ...told.map(quoteExternalText)]
  if (feedback.length > 0) parts.push(quoteFeedback(feedback), ANSWERS)
  if (questions.length > 0) parts.push(quoteQuestions(questions))
  if (comments.length > 0) parts.push(quoteReview(comments), REPLIES)
  return { role: 'user', text: parts.join('\n\n') }
}

const REPLIES =
  'When you finish, answer each comment in `replies`, by its id: what you changed for it, or why you did not. Lines are those of the file as the reviewer saw it, and may have moved.'

const ANSWERS =
  'When you finish, name in `answers` each entry that your change answers, with the file that holds the answer. Entries that you leave out go back to the team, which is right for those that need no change, or another one.'
