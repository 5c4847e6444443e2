/** Labels and icons of feedback. */

import type {
  FeedbackEntry,
  FeedbackSource,
  FeedbackStatus,
} from '../../../../../src/features/feedback/operations/feedback.ts'
import type { IconName } from '../../ui/icon-names.ts'
import { plural, t } from '../../words/words.ts'

interface StatusLabel {
  status: FeedbackStatus
  label: string
  /** `Set 3 entries to resolved?` */
  confirmationTitle: (entries: number) => string
  /** `3 entries resolved`. */
  doneMessage: (entries: number) => string
  /** Keys pressed after `s`. */
  keys: readonly string[]
  icon: IconName
  tone: string
}

export const STATUSES: readonly StatusLabel[] = [
  {
    status: 'pending',
    label: t('Pending'),
    confirmationTitle: (entries) =>
      plural(entries, 'Set {count} entry to pending?', 'Set {count} entries to pending?'),
    doneMessage: (entries) =>
      plural(entries, '{count} entry set to pending', '{count} entries set to pending'),
    keys: ['1', 'p'],
    icon: 'circle',
    tone: 'text-warning',
  },
  {
    status: 'in_progress',
    label: t('In progress'),
    confirmationTitle: (entries) =>
      plural(entries, 'Set {count} entry to in progress?', 'Set {count} entries to in progress?'),
    doneMessage: (entries) =>
      plural(entries, '{count} entry set to in progress', '{count} entries set to in progress'),
    keys: ['2', 'i'],
    icon: 'circle-dot',
    tone: 'text-info',
  },
  {
    status: 'resolved',
    label: t('Resolved'),
    confirmationTitle: (entries) =>
      plural(entries, 'Set {count} entry to resolved?', 'Set {count} entries to resolved?'),
    doneMessage: (entries) => plural(entries, '{count} entry resolved', '{count} entries resolved'),
    keys: ['3', 'r'],
    icon: 'circle-check',
    tone: 'text-success',
  },
  {
    status: 'dismissed',
    label: t('Dismissed'),
    confirmationTitle: (entries) =>
      plural(entries, 'Set {count} entry to dismissed?', 'Set {count} entries to dismissed?'),
    doneMessage: (entries) => plural(entries, '{count} entry dismissed', '{count} entries dismissed'),
    keys: ['4', 'd'],
    icon: 'circle-x',
    tone: 'text-faint',
  },
]

export const OPEN_STATUSES: readonly FeedbackStatus[] = ['pending', 'in_progress']

const LABELS_BY_STATUS = new Map(STATUSES.map((label) => [label.status, label]))

export function statusLabel(status: FeedbackStatus): StatusLabel {
  return LABELS_BY_STATUS.get(status) as StatusLabel
}

export const SOURCES: Record<FeedbackSource, { label: string; icon: IconName }> = {
  contextual: { label: t('Page comment'), icon: 'message-square-text' },
  code_snippet: { label: t('Code note'), icon: 'code' },
  agent: { label: t('AI agent'), icon: 'bot' },
  thumbs_only: { label: t('Vote only'), icon: 'thumbs-up' },
}

export const SOURCE_NAMES = Object.keys(SOURCES) as FeedbackSource[]

export const TEXT_SOURCES = SOURCE_NAMES.filter((source) => source !== 'thumbs_only')

/** Characters shown before the first match when it is not near the start of the text. */
const CONTEXT_CHARACTERS = 24

/** Returns the one-line text of a list row, around the first match; the full text is in the detail. */
export function summarizeEntry(
  entry: FeedbackEntry,
  q: string | null = null,
): { text: string; isQuiet: boolean } {
  const comment = entry.comment?.replace(/\s+/g, ' ').trim()
  if (comment) {
    const at = q === null ? -1 : comment.toLowerCase().indexOf(q.toLowerCase())
    const text = at > 2 * CONTEXT_CHARACTERS ? `… ${comment.slice(at - CONTEXT_CHARACTERS)}` : comment
    return { text: text.slice(0, 300), isQuiet: false }
  }
  if (entry.reason) return { text: entry.reason.slice(0, 300), isQuiet: false }
  if (entry.source === 'code_snippet') {
    const code = entry.code.replace(/\s+/g, ' ').trim()
    return { text: code.slice(0, 300), isQuiet: true }
  }
  return { text: voteLabel(entry) ?? t('No comment'), isQuiet: true }
}

export function entryVote(entry: FeedbackEntry): boolean | null {
  return entry.helpful ?? null
}

function voteLabel(entry: FeedbackEntry): string | null {
  const vote = entryVote(entry)
  return vote === null ? null : vote ? t('Helpful') : t('Not helpful')
}
