/** A prompt as the model is told it. */
import type { ModelMessage } from '../model/model.ts'
import { quoteFeedback } from './quote-untrusted.ts'
import type { Prompt } from './turn-store.ts'

export function openingMessage({ text, feedback }: Prompt): ModelMessage {
  if (feedback.length === 0) return { role: 'user', text }
  return { role: 'user', text: `${text}\n\n${quoteFeedback(feedback)}` }
}
