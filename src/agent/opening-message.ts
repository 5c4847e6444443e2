/** A prompt as the model is told it. */
import type { ModelMessage } from '../model/model.ts'
import { quoteFeedback, quoteQuestions } from './quote-untrusted.ts'
import type { Prompt } from './turn-store.ts'

export function openingMessage({ text, feedback, questions }: Prompt): ModelMessage {
  const parts = [text]
  if (feedback.length > 0) parts.push(quoteFeedback(feedback), ANSWERS)
  if (questions.length > 0) parts.push(quoteQuestions(questions))
  return { role: 'user', text: parts.join('\n\n') }
}

const ANSWERS =
  'When you finish, name in `answers` each entry that your change answers, with the file that holds the answer. Entries that you leave out go back to the team, which is right for those that need no change, or another one.'
