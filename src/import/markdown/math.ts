import { inlineFormula } from '../../render/compile/page-tokens.ts'

/**
 * Converts the formula `$x$` at `at`. Writes `$$x$$` if Octavo would read `$x$` as an amount of money.
 * Returns null if there is no formula.
 */
export function inlineMath(text: string, at: number): { text: string; end: number } | null {
  if (text[at + 1] === '$') return null
  const pattern = /\$(?=\S)([^$\n]{1,1000})\$(?![\d$])/y
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (!found || /\s$/.test(found[1] as string)) return null
  const isUnchanged = inlineFormula(text, at) === found[1]
  return { text: isUnchanged ? found[0] : `$$${found[1]}$$`, end: pattern.lastIndex }
}

/** Escapes a dollar sign that is text on the old site but would start a formula in Octavo. */
export function escapeDollar(text: string, at: number): { text: string; end: number } | null {
  const tex = text[at + 1] === '$' ? null : inlineFormula(text, at)
  return tex === null ? null : { text: '\\$', end: at + 1 }
}
