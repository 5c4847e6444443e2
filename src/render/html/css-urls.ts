/** Rewrites URLs in CSS: `url(…)` and `@import "…"`. */

const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/.source
/** Also matches unclosed strings, to skip them instead of searching for their end repeatedly. */
const OPEN_STRING = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/.source
const ADDRESS = new RegExp(
  `/\\*[\\s\\S]*?(?:\\*/|$)|url\\(\\s*(?:(${STRING})|([^"'()\\s]+))\\s*\\)|(@import\\s+)(${STRING})|${OPEN_STRING}`,
  'g',
)

/** Replaces removed URLs. Neither an image nor a font, so that browsers ignore the declaration. */
const EMPTY_SOURCE = 'local("")'

/**
 * Replaces each URL with the result of `rewrite`, or removes it if the result is null. Other strings and comments are
 * unchanged.
 */
export function rewriteCssUrls(css: string, rewrite: (url: string) => string | null): string {
  if (!css.includes('url(') && !css.includes('@import')) return css
  return css.replace(ADDRESS, (whole, quoted, bare, rule, imported) => {
    const text = quoted ?? imported
    const url: string | undefined = text === undefined ? bare : text.slice(1, -1)
    if (url === undefined) return whole
    const rewritten = rewrite(url)
    if (rewritten === url) return whole
    if (rewritten === null) return rule ? `${rule}"data:text/css,"` : EMPTY_SOURCE
    const string = `"${rewritten.replace(/["\\\n]/g, encodeURIComponent)}"`
    return rule ? `${rule}${string}` : `url(${string})`
  })
}
