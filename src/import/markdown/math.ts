/** `$x$`, which is `$$x$$` in Octavo: a lone dollar is money there. Null where no formula begins. */
export function inlineMath(text: string, at: number): { text: string; end: number } | null {
  if (text[at + 1] === '$') return null
  const pattern = /\$(?=\S)([^$\n]{1,1000})\$(?![\d$])/y
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (!found || /\s$/.test(found[1] as string)) return null
  return { text: `$$${found[1]}$$`, end: pattern.lastIndex }
}
