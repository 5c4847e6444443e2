/** CSV according to RFC 4180, protected against formula injection in spreadsheets. */

/**
 * Characters that begin a formula in a spreadsheet, including the minus sign of mathematics and Unicode's
 * compatibility forms, which some programs normalize: full-width, small, superscript and subscript.
 */
const FORMULA_INITIALS = new Set('=+-@−⁺⁻⁼₊₋₌﬩﹢﹣﹦﹫＋－＝＠')
/** Characters at which some programs start a new cell, because they use other separators or ignore quotes. */
const SEPARATORS = new Set(';\t\r\n|')
/** Characters that programs skip before a formula, or that are invisible: spaces, quotes, control, format, filler. */
const SKIPPED = /[\s"\p{Cc}\p{Cf}]|[\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}/u
/** Separators that some programs merge with the following text at the start of a cell. */
const LEADING_SEPARATORS = new Set('\t\r\n')

/**
 * Returns one line with CRLF; null is an empty cell. An apostrophe is inserted before text that a spreadsheet would
 * run as a formula, both at the start of a cell and where a program may start a new cell within the text. Consumers
 * that need unmodified text should use JSON lines.
 */
export function csvLine(cells: readonly (string | boolean | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: string | boolean | null): string {
  if (value === null) return ''
  if (typeof value === 'boolean') return String(value)
  const text = escapeFormulas(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function escapeFormulas(text: string): string {
  let escaped = ''
  let from = 0
  let isFirst = true
  let isAtCellStart = true
  let index = 0
  for (const character of text) {
    if (SEPARATORS.has(character)) {
      if (index === 0 && LEADING_SEPARATORS.has(character)) escaped = "'"
      isFirst = false
      isAtCellStart = true
    } else if (isAtCellStart && !SKIPPED.test(character)) {
      isAtCellStart = false
      if (FORMULA_INITIALS.has(character)) {
        // At the start of the cell, the apostrophe goes before any skipped characters.
        const at = isFirst ? 0 : index
        escaped += `${text.slice(from, at)}'`
        from = at
      }
    }
    index += character.length
  }
  return escaped + text.slice(from)
}
