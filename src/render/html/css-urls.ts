/** Addresses in CSS: `url(…)` and `@import "…"`. */

const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/.source
/** Of a string that is never closed nothing is an address, and its end is not looked for again. */
const OPEN_STRING = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/.source
const ADDRESS = new RegExp(
  `/\\*[\\s\\S]*?(?:\\*/|$)|url\\(\\s*(?:(${STRING})|([^"'()\\s]+))\\s*\\)|(@import\\s+)(${STRING})|${OPEN_STRING}`,
  'g',
)

/** What stands for an address that is taken out: no image and no font, so that the declaration counts for nothing. */
const NOTHING = 'local("")'

/**
 * `rewrite` gets each address without its quotes and gives null for one that is not to be fetched; strings and
 * comments are left alone.
 */
export function rewriteCssUrls(css: string, rewrite: (url: string) => string | null): string {
  if (!css.includes('url(') && !css.includes('@import')) return css
  return css.replace(ADDRESS, (whole, quoted, bare, rule, imported) => {
    const text = quoted ?? imported
    const url: string | undefined = text === undefined ? bare : text.slice(1, -1)
    if (url === undefined) return whole
    const rewritten = rewrite(url)
    if (rewritten === url) return whole
    if (rewritten === null) return rule ? `${rule}"data:text/css,"` : NOTHING
    const string = `"${rewritten.replace(/["\\\n]/g, encodeURIComponent)}"`
    return rule ? `${rule}${string}` : `url(${string})`
  })
}
