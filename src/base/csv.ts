/** CSV as RFC 4180 has it, made harmless for spreadsheets. */

// What Excel, LibreOffice and Google Sheets begin a formula with; tab and the line ends are skipped by some of them.
const RUNS = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * One line with its CRLF. Null is an empty cell. A text that a spreadsheet would run gets an apostrophe in front, which
 * spreadsheets show as text; whoever needs the text as it was takes JSON lines.
 */
export function csvLine(cells: readonly (string | boolean | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: string | boolean | null): string {
  if (value === null) return ''
  if (typeof value === 'boolean') return String(value)
  const harmless = RUNS.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
