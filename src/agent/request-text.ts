/** Commit message and pull request text. What people, readers and models wrote is quoted so that it can call nobody. */

import { storableText } from '../base/storable.ts'
import type { AskedQuestion } from '../contract/assistant.ts'
import type { FeedbackEntry } from '../contract/feedback.ts'
import type { OtherChange } from './other-changes.ts'
import { shortened } from './turn-store.ts'
import type { FileChange } from './workspace.ts'

const MAX_SUBJECT = 72
const MAX_PROMPT = 4000
const MAX_QUOTE = 300
const MAX_FILES = 200

export interface RequestText {
  jobId: string
  model: string
  title: string
  summary: string
  reasons: Record<string, string>
  changes: readonly FileChange[]
  prompts: readonly string[]
  feedback: readonly FeedbackEntry[]
  questions: readonly AskedQuestion[]
  /** What is missing; null when the work was done. */
  unfinished: string | null
  /** Open changes of other jobs in the same files. */
  meets: readonly OtherChange[]
  /** Where the job's state stands, for callers with a key. */
  jobLink: string
  /** Where the changed pages can be seen before and after. */
  previewLink: string
}

/** Deterministic. Names no person and closes no issue: those words work in commits as well. */
export function commitMessage({ jobId, title, summary }: RequestText): string {
  const subject = shortened(commitLine(title), MAX_SUBJECT)
  const body = wrapped(commitLine(summary), MAX_SUBJECT)
  const parts = [subject, body, `Octavo-Job: ${jobId}`].filter((part) => part !== '')
  return `${parts.join('\n\n')}\n`
}

/** One line, without what forges act upon: `@name`, `#12`. */
export function requestTitle({ title }: RequestText): string {
  return shortened(commitLine(title), 100)
}

export function requestBody(text: RequestText): string {
  const { changes, reasons, feedback, questions } = text
  const files = changes.slice(0, MAX_FILES).map(({ path, change }) => {
    const reason = reasons[path] ?? ''
    return `| \`${path.replace(/[`|]/g, '')}\` | ${change} | ${cell(reason)} |`
  })
  const left = changes.length - files.length
  const parts = [
    ...(text.unfinished === null ? [] : [`**Not finished.**\n\n${quoted(text.unfinished)}`]),
    quoted(text.summary),
    ['## Files', '', '| file | change | why |', '|---|---|---|', ...files].join('\n') +
      (left > 0 ? `\n\n…and ${left} more files.` : ''),
    ['## Asked for', ...text.prompts.map((prompt) => quoted(shortened(prompt, MAX_PROMPT)))].join('\n\n'),
  ]
  if (feedback.length > 0)
    parts.push(['## Feedback that it answers', '', ...feedback.map(feedbackLine)].join('\n'))
  if (questions.length > 0)
    parts.push(['## Questions that it answers', '', ...questions.map(questionLine)].join('\n'))
  if (text.meets.length > 0)
    parts.push(['## Open changes in the same files', '', ...text.meets.map(meetingLine)].join('\n'))
  parts.push(
    [
      '---',
      `Made by agent job \`${text.jobId}\` with ${muted(text.model)}. ${text.unfinished === null ? CHECKED : CUT_SHORT}`,
      '',
      `[See the pages before and after](${text.previewLink}) · [The job](${text.jobLink})`,
    ].join('\n'),
  )
  return storableText(parts.join('\n\n'))
}

const CHECKED =
  'Before it was published, the whole site was loaded, every changed page rendered, and links and navigation checked: the change brings no new problem.'
const CUT_SHORT = 'A limit of the job cut it short: what is missing, and what its check found, stands above.'

function meetingLine({ jobId, title, link, files }: OtherChange): string {
  const named = files.map((file) => `\`${file.replace(/[`|]/g, '')}\``).join(', ')
  const where = link === null ? 'at work' : link
  return `- Agent job \`${jobId}\` (${cell(shortened(title ?? 'no title yet', MAX_QUOTE))}, ${where}): ${named}`
}

function feedbackLine(entry: FeedbackEntry): string {
  const said = entry.comment === null ? '' : `: “${cell(shortened(entry.comment, MAX_QUOTE))}”`
  return `- \`${entry.id}\` on \`${entry.path.replaceAll('`', '')}\`${said}`
}

function questionLine({ id, path, question }: AskedQuestion): string {
  const place = path === null ? '' : ` on \`${path.replaceAll('`', '')}\``
  return `- \`${id}\`${place}: “${cell(shortened(question, MAX_QUOTE))}”`
}

/** Commits have no way to hide a sign, so what would work is written another way. */
function commitLine(text: string): string {
  return oneLine(text)
    .replace(/@(?=[\w-])/g, '')
    .replace(/#(?=\d)/g, '')
    .replace(/\bGH-(?=\d)/gi, 'GH ')
    .replace(NUMBERED_PLACE, '$1 ')
    .replace(/\[\s*((?:skip|no|ci|actions)\b[^\][]*)\]/gi, '($1)')
    .replace(/(?<!\*)\*+(NO_CI)\*+/gi, '$1')
}

/** Addresses of issues and requests close these just as their numbers do. */
const NUMBERED_PLACE = /(\/(?:issues|pulls?|merge_requests|work_items|epics))\/(?=\d)/gi

/** An HTML comment between the sign and the name: reads the same, calls nobody, closes nothing, shows and leads nowhere. */
function muted(text: string): string {
  return plain(text)
    .replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'))
    .replace(/@(?=[\w-])/g, '@<!-- -->')
    .replace(/([#!&%~])(?=\d)/g, '$1<!-- -->')
    .replace(/\bGH-(?=\d)/gi, '$&<!-- -->')
    .replace(NUMBERED_PLACE, '$1/<!-- -->')
    .replace(/\](?=[(:])/g, ']<!-- -->')
}

/** Without what terminals and browsers act upon: controls, and marks that turn text around. */
function plain(text: string): string {
  return storableText(text)
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
    .replace(TURNING, '')
}

const TURNING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

function cell(text: string): string {
  return muted(oneLine(text)).replaceAll('|', '&#124;')
}

/** Whatever is opened in a quotation, such as a block of code, ends with it. */
function quoted(text: string): string {
  return muted(text.replaceAll('\r\n', '\n'))
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(TURNING, '')
    .trim()
}

function wrapped(text: string, width: number): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}
