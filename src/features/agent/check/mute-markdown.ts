/**
 * Markdown of others on its way to a forge: it calls nobody, closes nothing, shows no picture and leads nowhere under
 * another name. Code stays as it was written, where it is certain that the forge takes it for code too.
 */
import { storableText } from '../../../base/text/storable.ts'

/** Addresses of issues and requests close these just as their numbers do. */
const NUMBERED_PLACE = /(\/(?:issues|pulls?|merge_requests|work_items|epics))\/(?=\d)/gi
/** What forges act upon in code too, or might. */
const ACTING = /[#!&%~]\d|\bGH-\d|\/(?:issues|pulls?|merge_requests|work_items|epics)\/\d/i
const TURNING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** On one line, for a cell of a table or a point of a list. */
export function mutedLine(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(TURNING, '')
    .trim()
  return mutedBlock(plain(line)).replaceAll('|', '&#124;')
}

/** Of several lines. */
export function mutedText(text: string): string {
  const clean = plain(text.replaceAll('\r\n', '\n'))
  if (/^[ \t]*~~~/m.test(clean)) return muted(clean)
  const parts = clean.split(/^(```[\w+-]*\n(?:(?![^\S\n]*```)[^\n]*\n)*```)$/m)
  // A fence that is left over is open, and what stands behind it would be code or not.
  if (parts.some((part, index) => index % 2 === 0 && part.includes('```'))) return muted(clean)
  return parts
    .map((part, index) => (index % 2 === 1 ? (ACTING.test(part) ? muted(part) : part) : mutedBlocks(part)))
    .join('')
}

function mutedBlocks(text: string): string {
  return text
    .split(/(\n[ \t]*\n)/)
    .map((block) => mutedBlock(block))
    .join('')
}

/** A code span ends where it began: on its line, and with no sign left over that could pair with another. */
function mutedBlock(block: string): string {
  const lines = block.split('\n')
  const isPlain =
    !block.includes('``') &&
    !block.includes('\\`') &&
    lines.every((line) => (line.match(/`/g)?.length ?? 0) % 2 === 0)
  if (!isPlain) return muted(block)
  const pieces = lines.map((line) => line.split('`'))
  // A pipe ends a cell of a table, whatever stands around it.
  const codes = pieces.flatMap((line) => line.filter((_, index) => index % 2 === 1))
  if (codes.some((code) => code.includes('|') || code.trim() === '' || ACTING.test(code))) return muted(block)
  return pieces
    .map((line) => line.map((piece, index) => (index % 2 === 1 ? piece : muted(piece))).join('`'))
    .join('\n')
}

/** An HTML comment between the sign and the name: reads the same, calls nobody, closes nothing, shows and leads nowhere. */
function muted(text: string): string {
  return text
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

/** Commits have no way to hide a sign, so what would work is written another way. */
export function commitLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(TURNING, '')
    .trim()
    .replace(/@(?=[\w-])/g, '')
    .replace(/#(?=\d)/g, '')
    .replace(/\bGH-(?=\d)/gi, 'GH ')
    .replace(NUMBERED_PLACE, '$1 ')
    .replace(/\[\s*((?:skip|no|ci|actions)\b[^\][]*)\]/gi, '($1)')
    .replace(/(?<!\*)\*+(NO_CI)\*+/gi, '$1')
}
