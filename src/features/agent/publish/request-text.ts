/**
 * Commit message and pull request text. Text from users, readers and models is escaped, so that it mentions nobody.
 */

import { toStorableText } from '../../../base/text/storable.ts'
import type { AskedQuestion } from '../../assistant/operations/assistant.ts'
import { describeChecks } from '../check/describe-checks.ts'
import { escapeCommitLine, escapeMarkdown, escapeMarkdownLine } from '../check/escape-markdown.ts'
import type { JobReport } from '../loop/turn-account.ts'
import type { PastRequest } from '../operations/agent.ts'
import {
  type ChangeChecks,
  type CodeReference,
  type RiskLevel,
  type RiskNote,
  riskLevel,
} from '../operations/agent-review.ts'
import { shortened } from '../turn-store.ts'
import { maskPersonalData } from './mask-personal.ts'
import type { OtherChange } from './other-changes.ts'
import type { FileChange } from './workspace.ts'

const MAX_SUBJECT_CHARACTERS = 72
const MAX_TITLE = 100
const MAX_QUOTED_PROMPT_CHARACTERS = 4000
const MAX_QUOTE = 300
const MAX_FILES = 200
const MAX_RISKS = 40
const MAX_REFERENCES = 60
/** Maximum length of the generated part in characters: forges accept 65,000, and users add their own text. */
const MAX_GENERATED_CHARACTERS = 50_000

export interface RequestText {
  jobId: string
  model: string
  account: JobReport
  changes: readonly FileChange[]
  risks: readonly RiskNote[]
  /** True when every changed file has a high risk. */
  isAllRisk: boolean
  unfinished: string | null
  /** Earlier pull requests of the same job, oldest first. */
  past: readonly PastRequest[]
  /** Open changes of other jobs to the same files. */
  meets: readonly OtherChange[]
  checks: ChangeChecks | null
  jobLink: string
  previewLink: string
}

export interface Person {
  name: string
  email: string
}

interface CommitText {
  jobId: string
  title: string
  summary: string
  signedOffBy?: Person | null
  coAuthors?: readonly Person[]
}

/** Deterministic. Mentions only the given people and closes no issue, because forges also interpret commit messages. */
export function commitMessage({ signedOffBy = null, coAuthors = [], ...text }: CommitText): string {
  const subject = shortened(escapeCommitLine(maskPersonalData(text.title)), MAX_SUBJECT_CHARACTERS)
  const body = wrapText(escapeCommitLine(maskPersonalData(text.summary)), MAX_SUBJECT_CHARACTERS)
  const trailers = [
    `Octavo-Job: ${text.jobId}`,
    ...coAuthors.map((person) => `Co-authored-by: ${formatPerson(person)}`),
    ...(signedOffBy === null ? [] : [`Signed-off-by: ${formatPerson(signedOffBy)}`]),
  ]
  const parts = [subject, body, trailers.join('\n')].filter((part) => part !== '')
  return `${parts.join('\n\n')}\n`
}

/** Formats a name on one line, without anything that forges interpret. */
function formatPerson({ name, email }: Person): string {
  return `${escapeCommitLine(name).replace(/[<>]/g, '')} <${email.replace(/[<>\s]/g, '')}>`
}

/** One line without active references such as `@name` or `#12`. */
export function requestTitle({ account }: Pick<RequestText, 'account'>): string {
  return shortened(escapeCommitLine(maskPersonalData(account.title)), MAX_TITLE)
}

export function requestBody(text: RequestText): string {
  const parts = [
    ...(text.unfinished === null ? [] : [`**Not finished.**\n\n${quoteText(text.unfinished)}`]),
    ...formatPastRequests(text),
    ...formatRiskNotes(text),
    ...text.account.summaries.filter((summary) => summary.trim() !== '').map((summary) => quoteText(summary)),
    formatFileTable(text),
    ...formatCodeReferences(text),
    [
      '## Request',
      ...text.account.prompts.map((prompt) => quoteText(shortened(prompt, MAX_QUOTED_PROMPT_CHARACTERS))),
    ].join('\n\n'),
    ...formatAnsweredFeedback(text),
    ...formatAnsweredQuestions(text),
    ...formatOverlappingChanges(text),
    closingText(text),
  ]
  return `${BEGIN}\n\n${shortened(toStorableText(parts.join('\n\n')), MAX_GENERATED_CHARACTERS)}\n\n${END}`
}

/** Link definitions that nothing references, so that no forge displays them. */
const BEGIN = '[//]: # (octavo: this part is written anew with each turn; what stands around it stays)'
const END = '[//]: # (octavo: end of this part)'

/**
 * Replaces our part in a body on the forge and preserves the text around it. Without our markers the whole body
 * belongs to its editors.
 */
export function mergeBody(atForge: string, ours: string): string {
  const text = atForge.replaceAll('\r\n', '\n')
  const from = text.indexOf(BEGIN)
  const to = text.lastIndexOf(END)
  if (text.trim() === '') return ours
  if (from === -1 || to < from) return text
  return text.slice(0, from) + ours + text.slice(to + END.length)
}

function formatPastRequests({ past }: RequestText): string[] {
  return past.slice(-10).map(({ link, state }) => `Continues ${plainLink(link)}, which is ${state}.`)
}

/**
 * The forge's own URL of a pull request is safe as a plain link: it closes and mentions nothing, and shows its
 * target.
 */
function plainLink(link: string): string {
  return /^https?:\/\/[^\s<>()[\]]+$/.test(link) ? link : 'another change'
}

const RISK_LEVEL_LABELS: Record<RiskLevel, string> = { high: 'High', medium: 'Medium', low: 'Low' }
const RISK_LEVEL_LEGEND =
  'High: affects readers directly, or removes a protection. Medium: changes what readers run, see or follow. Low: worth checking.'

function formatRiskNotes({ risks, isAllRisk }: RequestText): string[] {
  if (risks.length === 0) return []
  const lines = risks.slice(0, MAX_RISKS).map(({ kind, path, line, what }) => {
    const location = `${path.replace(/[`|]/g, '')}${line === null ? '' : `:${line}`}`
    return `- ${RISK_LEVEL_LABELS[riskLevel(kind)]}, **${kind}** \`${location}\`: ${escapeMarkdownLine(maskPersonalData(what))}`
  })
  const remaining = risks.length - lines.length
  if (remaining > 0) lines.push(`- …and ${remaining} more. See the page of the change`)
  const second = isAllRisk
    ? [
        'Every file of this change has a high risk, so it needs a second approval. Mark it as ready only after someone else has reviewed it.',
      ]
    : []
  return [['## Review these first', RISK_LEVEL_LEGEND, ...second, lines.join('\n')].join('\n\n')]
}

function formatFileTable({ changes, account: { reasons } }: RequestText): string {
  const files = changes.slice(0, MAX_FILES).map(({ path, change }) => {
    const reason = escapeMarkdownLine(maskPersonalData(reasons[path] ?? ''))
    return `| \`${path.replace(/[`|]/g, '')}\` | ${change} | ${reason} |`
  })
  const remaining = changes.length - files.length
  return (
    ['## Files', '', '| file | change | why |', '|---|---|---|', ...files].join('\n') +
    (remaining > 0 ? `\n\n…and ${remaining} more files.` : '')
  )
}

function formatCodeReferences({ account: { references, dropped } }: RequestText): string[] {
  const lines = references.slice(0, MAX_REFERENCES).map((reference) => {
    const { claim, link, quote } = reference
    const location = `\`${formatCodeLocation(reference).replace(/[`|]/g, '')}\``
    const quotedText = quote === undefined ? '' : `: ${codeSpan(maskPersonalData(quote))}`
    return `- ${escapeMarkdownLine(maskPersonalData(claim))} ${link === null ? location : `[${location}](${link})`}${quotedText}`
  })
  const remaining = references.length - lines.length
  if (remaining > 0) lines.push(`- …and ${remaining} more`)
  const parts =
    lines.length === 0 ? [] : [['## Based on code', '', PRESENCE_ONLY_NOTE, '', ...lines].join('\n')]
  if (dropped.length > 0)
    parts.push(
      [
        `The agent cited code that was not found. ${dropped.length === 1 ? 'This statement is' : 'These statements are'} not verified:`,
        '',
        ...dropped
          .slice(0, MAX_REFERENCES)
          .map((quotedText) => `- ${escapeMarkdownLine(maskPersonalData(quotedText))}`),
      ].join('\n'),
    )
  return parts
}

export const PRESENCE_ONLY_NOTE =
  'Each quotation was found at the given lines and shares a word with its statement. Whether it supports the statement was not checked.'

/** Wraps a quotation of code so that it cannot end its own code span. */
function codeSpan(text: string): string {
  return `\`${text.replace(/[`\p{Cc}]/gu, ' ').trim()}\``
}

/** Returns text such as `api@0123456789ab src/cli.ts L10–L20`. */
export function formatCodeLocation(location: Omit<CodeReference, 'claim' | 'link' | 'quote'>): string {
  const { repository, commit, path, firstLine, lastLine } = location
  const lines = firstLine === lastLine ? `L${firstLine}` : `L${firstLine}–L${lastLine}`
  return `${repository}@${commit.slice(0, 12)} ${path} ${lines}`
}

function formatAnsweredFeedback({ account: { feedback } }: RequestText): string[] {
  const answered = feedback.filter(({ answer }) => answer !== null)
  const parts: string[] = []
  if (answered.length > 0) parts.push(['## Feedback addressed', '', ...answered.map(feedbackLine)].join('\n'))
  const remaining = feedback.length - answered.length
  if (remaining > 0)
    parts.push(
      `${remaining} feedback ${remaining === 1 ? 'entry' : 'entries'} of the task ${remaining === 1 ? 'was' : 'were'} not addressed and returned to the inbox.`,
    )
  return parts
}

function formatAnsweredQuestions({ account: { questions } }: RequestText): string[] {
  if (questions.length === 0) return []
  return [['## Questions answered', '', ...questions.map(questionLine)].join('\n')]
}

function formatOverlappingChanges({ meets }: RequestText): string[] {
  if (meets.length === 0) return []
  return [['## Open changes in the same files', '', ...meets.map(overlappingLine)].join('\n')]
}

function overlappingLine({ jobId, title, link, files }: OtherChange): string {
  const named = files.map((file) => `\`${file.replace(/[`|]/g, '')}\``).join(', ')
  const where = link === null ? 'running' : plainLink(link)
  const escapedTitle = escapeMarkdownLine(maskPersonalData(shortened(title ?? 'no title yet', MAX_QUOTE)))
  return `- Agent job \`${jobId}\` (${escapedTitle}, ${where}): ${named}`
}

function questionLine({ id, path, question }: AskedQuestion): string {
  const location = path === null ? '' : ` on \`${maskPersonalData(path).replaceAll('`', '')}\``
  return `- \`${id}\`${location}: “${escapeMarkdownLine(shortened(maskPersonalData(question), MAX_QUOTE))}”`
}

function feedbackLine({ entry, answer }: JobReport['feedback'][number]): string {
  const quotedText =
    entry.comment === null
      ? ''
      : `: “${escapeMarkdownLine(shortened(maskPersonalData(entry.comment), MAX_QUOTE))}”`
  const answerNote =
    answer === null ? '' : ` ${escapeMarkdownLine(maskPersonalData(shortened(answer, MAX_QUOTE * 2)))}`
  return `- \`${entry.id}\` on \`${maskPersonalData(entry.path).replaceAll('`', '')}\`${quotedText}${answerNote}`
}

function closingText({ jobId, model, previewLink, jobLink, unfinished, checks }: RequestText): string {
  return [
    '---',
    `Created by agent job \`${jobId}\` with ${escapeMarkdownLine(model)}. ${unfinished === null ? describeChecks(checks) : UNFINISHED_NOTE}`,
    '',
    `[Preview before and after](${previewLink}) · [Agent job](${jobLink})`,
  ].join('\n')
}

const UNFINISHED_NOTE = 'The change is not finished. Missing parts and problems are listed above.'

/** Quotes each line, so that anything opened inside, such as a code block, ends with the quotation. */
function quoteText(text: string): string {
  return escapeMarkdown(maskPersonalData(text))
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}

function wrapText(text: string, width: number): string {
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
