/**
 * Prepares feedback, questions, comments and messages for the model: labelled, shortened, and without their authors.
 */

import type { OutsideText } from '../../../database/schema/agent.ts'
import type { ReviewComment } from '../../../git/forges/review-comments.ts'
import type { ModelMessage } from '../../../model/model.ts'
import { quoteUntrusted } from '../../../model/quote-untrusted.ts'
import type { AskedQuestion } from '../../assistant/operations/assistant.ts'
import type { FeedbackEntry } from '../../feedback/operations/feedback.ts'
import { maskPersonalData } from '../publish/mask-personal.ts'
import type { Prompt } from '../turn-store.ts'

/** Maximum number of characters of all entries, and of one field. */
const MAX_CHARACTERS = 60_000
const MAX_QUOTED_FIELD_CHARACTERS = 4000

export function openingMessage({ text, feedback, questions, comments, externalTexts }: Prompt): ModelMessage {
  const parts = [text, ...externalTexts.map(quoteExternalText)]
  if (feedback.length > 0) parts.push(quoteFeedback(feedback), ANSWERS)
  if (questions.length > 0) parts.push(quoteQuestions(questions))
  if (comments.length > 0) parts.push(quoteReview(comments), REPLY_INSTRUCTIONS)
  return { role: 'user', text: parts.join('\n\n') }
}

const REPLY_INSTRUCTIONS =
  'When you finish, answer each comment in `replies`, by its id: what you changed, or why you did not. Lines refer to the version of the file that the reviewer saw.'

const ANSWERS =
  'When you finish, list in `answers` each entry that your change answers, with the file that contains the answer. Omitted entries return to the team. Omit those that need no change, or a different one.'

/** Formats feedback on pages without revealing who wrote it. The result is deterministic. */
export function quoteFeedback(entries: readonly FeedbackEntry[]): string {
  return quoteUntrusted('feedback', joinTextsWithinLimit(entries.map(entryText), 'entries'))
}

function quoteQuestions(questions: readonly AskedQuestion[]): string {
  return quoteUntrusted('questions', joinTextsWithinLimit(questions.map(questionText), 'questions'))
}

/** Formats comments on the pull request by users with write access to the repository. */
function quoteReview(comments: readonly ReviewComment[]): string {
  return quoteUntrusted('comments', joinTextsWithinLimit(comments.map(commentText), 'comments'))
}

function commentText({ id, author, path, line, text }: ReviewComment): string {
  return fieldLines([
    ['Review comment', id],
    ['By', author],
    ['On', path === null ? null : `${path}${line === null ? '' : `, line ${line}`}`],
    ['Says', text],
  ])
}

function joinTextsWithinLimit(texts: readonly string[], things: string): string {
  const parts: string[] = []
  let remaining = MAX_CHARACTERS
  for (const text of texts) {
    remaining -= text.length
    if (remaining < 0) {
      parts.push(
        `(${texts.length - parts.length} more ${things} are omitted because they are too long together.)`,
      )
      break
    }
    parts.push(text)
  }
  return parts.join('\n\n')
}

function quoteExternalText({ what, text }: OutsideText): string {
  return quoteUntrusted('heard', maskPersonalData(`${what}:\n\n${text}`))
}

function entryText(entry: FeedbackEntry): string {
  const fields: [string, string | null | undefined][] = [
    ['Entry', entry.id],
    ['Page', entry.path],
    ['Kind', entry.source],
    [
      'Found it helpful',
      'helpful' in entry && entry.helpful !== null ? (entry.helpful ? 'yes' : 'no') : null,
    ],
    ['Reason', 'reason' in entry ? entry.reason : null],
    ['Comment', entry.comment],
    ['File name of the code', 'filename' in entry ? entry.filename : null],
    ['Code', 'code' in entry ? entry.code : null],
  ]
  return fieldLines(fields)
}

function questionText({ id, path, language, question, earlier, response, nearest }: AskedQuestion): string {
  const pages = nearest.map(
    (page) => `${page.path} (${[page.title, page.heading].filter(Boolean).join(' › ')})`,
  )
  return fieldLines([
    ['Question', id],
    ['Asked on the page', path],
    ['Language of the page', language],
    ['Previous question in the same conversation', earlier.join('\n')],
    ['Asked', question],
    ['Answered from the docs', response],
    ['Closest passages in the docs', pages.join(', ')],
  ])
}

/** Fields that contain our ids, which must stay intact. */
const ID_FIELD_LABELS = new Set(['Entry', 'Question', 'Review comment'])

function fieldLines(fields: readonly [label: string, value: string | null | undefined][]): string {
  return fields
    .flatMap(([label, value]) =>
      value ? [`${label}: ${ID_FIELD_LABELS.has(label) ? value : shortened(maskPersonalData(value))}`] : [],
    )
    .join('\n')
}

function shortened(text: string): string {
  const clean = text.replace(/[^\P{Cc}\n\t]/gu, ' ').toWellFormed()
  return clean.length <= MAX_QUOTED_FIELD_CHARACTERS
    ? clean
    : `${clean.slice(0, MAX_QUOTED_FIELD_CHARACTERS)} (… ${clean.length - MAX_QUOTED_FIELD_CHARACTERS} more characters)`
}
