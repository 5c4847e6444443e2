import { inlineFormula } from '../../render/compile/page-tokens.ts'

/** `$x$`, which stays where Octavo takes it for a formula, and is `$$x$$` where that takes it for money. Null where no formula begins. */
export function inlineMath(text: string, at: number): { text: string; end: number } | null {
  if (text[at + 1] === '$') return null
  const pattern = /\$(?=\S)([^$\n]{1,1000})\$(?![\d$])/y
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (!found || /\s$/.test(found[1] as string)) return null
  const isKept = inlineFormula(text, at) === found[1]
  return { text: isKept ? found[0] : `$$${found[1]}$$`, end: pattern.lastIndex }
}

/** A dollar that is text on the site, where Octavo would take it for the sign of a formula. */
export function plainDollar(text: string, at: number): { text: string; end: number } | null {
  const tex = text[at + 1] === '$' ? null : inlineFormula(text, at)
  return tex === null ? null : { text: '\\$', end: at + 1 }
}
