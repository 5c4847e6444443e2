/**
 * Escapes third-party Markdown for a forge, so that it mentions nobody, closes no issue, shows no image and has no
 * links with misleading text. Code is left unchanged only where the forge certainly treats it as code too.
 */
import { toStorableText } from '../../../base/text/storable.ts'

/** Matches the paths of issues and pull requests: on forges, such a URL can close an issue just as `#12` can. */
const NUMBERED_PATH = /(\/(?:issues|pulls?|merge_requests|work_items|epics))\/(?=\d)/gi
/** References that forges resolve, or might resolve, even in code. */
const ACTIVE_REFERENCE = /[#!&%~]\d|\bGH-\d|\/(?:issues|pulls?|merge_requests|work_items|epics)\/\d/i
const BIDI_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

export function escapeMarkdownLine(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(BIDI_MARKS, '')
    .trim()
  return escapeBlock(withoutControls(line)).replaceAll('|', '&#124;')
}

export function escapeMarkdown(text: string): string {
  const clean = withoutControls(text.replaceAll('\r\n', '\n'))
  if (/^[ \t]*~~~/m.test(clean)) return escapeReferences(clean)
  const parts = clean.split(/^(```[\w+-]*\n(?:(?![^\S\n]*```)[^\n]*\n)*```)$/m)
  // After an unpaired fence, it is unclear whether the rest is code.
  if (parts.some((part, index) => index % 2 === 0 && part.includes('```'))) return escapeReferences(clean)
  return parts
    .map((part, index) =>
      index % 2 === 1 ? (ACTIVE_REFERENCE.test(part) ? escapeReferences(part) : part) : escapeBlocks(part),
    )
    .join('')
}

function escapeBlocks(text: string): string {
  return text
    .split(/(\n[ \t]*\n)/)
    .map((block) => escapeBlock(block))
    .join('')
}

/** Escapes a block of lines. A code span must end on its own line and leave no unpaired backtick. */
function escapeBlock(block: string): string {
  const lines = block.split('\n')
  const isPlain =
    !block.includes('``') &&
    !block.includes('\\`') &&
    lines.every((line) => (line.match(/`/g)?.length ?? 0) % 2 === 0)
  if (!isPlain) return escapeReferences(block)
  const pieces = lines.map((line) => line.split('`'))
  // A pipe ends a table cell, even in code.
  const codes = pieces.flatMap((line) => line.filter((_, index) => index % 2 === 1))
  if (codes.some((code) => code.includes('|') || code.trim() === '' || ACTIVE_REFERENCE.test(code)))
    return escapeReferences(block)
  return pieces
    .map((line) => line.map((piece, index) => (index % 2 === 1 ? piece : escapeReferences(piece))).join('`'))
    .join('\n')
}

/**
 * Inserts an HTML comment between the sign and the name or number of each reference. The text reads the same, but
 * mentions nobody, closes nothing, and shows or links to nothing.
 */
function escapeReferences(text: string): string {
  return text
    .replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'))
    .replace(/@(?=[\w-])/g, '@<!-- -->')
    .replace(/([#!&%~])(?=\d)/g, '$1<!-- -->')
    .replace(/\bGH-(?=\d)/gi, '$&<!-- -->')
    .replace(NUMBERED_PATH, '$1/<!-- -->')
    .replace(/\](?=[(:])/g, ']<!-- -->')
}

/** Removes control characters and bidirectional marks, which affect terminals and browsers. */
function withoutControls(text: string): string {
  return toStorableText(text)
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
    .replace(BIDI_MARKS, '')
}

/** Commit messages have no escapes, so active references are rewritten. */
export function escapeCommitLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(BIDI_MARKS, '')
    .trim()
    .replace(/@(?=[\w-])/g, '')
    .replace(/#(?=\d)/g, '')
    .replace(/\bGH-(?=\d)/gi, 'GH ')
    .replace(NUMBERED_PATH, '$1 ')
    .replace(/\[\s*((?:skip|no|ci|actions)\b[^\][]*)\]/gi, '($1)')
    .replace(/(?<!\*)\*+(NO_CI)\*+/gi, '$1')
}
