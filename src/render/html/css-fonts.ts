/** Adds a fallback to code fonts in author style sheets. */

const COMMENT_OR_STRING = /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/.source
const PROPERTY = /font(?:-family)?|--(?:font-(?:family-)?(?:mono|code)|(?:mono|code)-font(?:-family)?)/.source
/** Matches `@font-face` (a rule that must not list fallbacks), the end of a block, properties, comments and strings. */
const PART = new RegExp(`@font-face\\b|\\}|((?<![\\w-])(?:${PROPERTY})\\s{0,9}:)|${COMMENT_OR_STRING}`, 'gi')
const VALUE_END = new RegExp(`[;{}]|${COMMENT_OR_STRING}`, 'g')
const CODE_FONT =
  /mono\b|\b(?:code|console|consolas|courier|cousine|hack|inconsolata|iosevka|menlo|monaco|typewriter)\b/i
/** Matches generic families, keywords, and lists that are defined elsewhere. */
const SUFFICIENT_FALLBACK =
  /(?<![\w"'-])(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-\w{1,20}|inherit|initial|unset|revert|revert-layer)(?![\w"'-])|\bvar\(|\benv\(/i

/** Appends `monospace` to font lists that contain a code font and no generic family. */
export function addMonospaceFallback(css: string): string {
  const pieces: string[] = []
  let from = 0
  let isFace = false
  PART.lastIndex = 0
  for (let part = PART.exec(css); part !== null; part = PART.exec(css)) {
    const [text, property] = part
    if (text === '}') isFace = false
    else if (property === undefined) isFace ||= text.startsWith('@')
    else if (!isFace) {
      const start = PART.lastIndex
      PART.lastIndex = findValueEnd(css, start)
      const value = css.slice(start, PART.lastIndex).trimEnd()
      // Skips a value that extends to the end of the text, because an unclosed block may end inside a string.
      if (PART.lastIndex === css.length || !CODE_FONT.test(value) || SUFFICIENT_FALLBACK.test(value)) continue
      const at = start + value.replace(/!\s{0,9}important$/i, '').trimEnd().length
      pieces.push(css.slice(from, at), ', monospace')
      from = at
    }
  }
  return pieces.join('') + css.slice(from)
}

function findValueEnd(css: string, from: number): number {
  VALUE_END.lastIndex = from
  for (let found = VALUE_END.exec(css); found !== null; found = VALUE_END.exec(css))
    if (/^[;{}]$/.test(found[0])) return found.index
  return css.length
}
