/** CSV as RFC 4180 has it, made harmless for spreadsheets. */

/**
 * What a spreadsheet begins a formula with, the minus of mathematics, and the forms that programs make one with these
 * (Unicode's compatibility forms): full-width and small ones of Asian keyboards, raised and lowered ones.
 */
const INITIALS = new Set('=+-@−⁺⁻⁼₊₋₌﬩﹢﹣﹦﹫＋－＝＠')
/** Where some programs begin a new cell inside of ours: they part cells by these, or do not see our quotes. */
const SEPARATORS = new Set(';\t\r\n|')
/** What programs skip, or nobody sees, in front of a formula: spaces, quotes, control, format and filling characters. */
const SKIPPED = /[\s"\p{Cc}\p{Cf}]|[\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}/u
/** At the beginning of a cell some programs take these for a part of what follows. */
const BEGINNINGS = new Set('\t\r\n')

/**
 * One line with its CRLF. Null is an empty cell. A text that a spreadsheet would run gets an apostrophe in front, which
 * spreadsheets show as text, and so does what would become a cell of its own inside of it; whoever needs the text as it
 * was takes JSON lines.
 */
export function csvLine(cells: readonly (string | boolean | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: string | boolean | null): string {
  if (value === null) return ''
  if (typeof value === 'boolean') return String(value)
  const text = harmless(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One walk, however long the text is. */
function harmless(text: string): string {
  let written = ''
  /** Up to where the text is written. */
  let from = 0
  let isFirst = true
  let isBeginning = true
  let index = 0
  for (const character of text) {
    if (SEPARATORS.has(character)) {
      if (index === 0 && BEGINNINGS.has(character)) written = "'"
      isFirst = false
      isBeginning = true
    } else if (isBeginning && !SKIPPED.test(character)) {
      isBeginning = false
      if (INITIALS.has(character)) {
        // At the cell's own beginning the apostrophe goes in front of all that is skipped.
        const at = isFirst ? 0 : index
        written += `${text.slice(from, at)}'`
        from = at
      }
    }
    index += character.length
  }
  return written + text.slice(from)
}
