/**
 * Ids of headings and other anchors. Readers' links depend on them, so the rules never change. Each is made
 * unique on its page by `createIds` of isolate/page-state.ts.
 */

/**
 * Lower case; white space and `.` become `-`; `/`, `&`, `_`, `$` and typographic apostrophes stay; brackets, quotes and
 * other punctuation go. Letters and digits of every script stay, and so does the wide punctuation that stands between
 * Chinese and Japanese words.
 */
export function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/['‘’]/g, '’')
    .replace(/[\s.]+/g, '-')
    .replace(/[^\p{L}\p{N}\p{M}\-_/&$’\u3001\u3002\u30fb\uff01-\uff5e]/gu, '')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
}

/** As GitHub makes it: what is no word goes, and each space is a hyphen. Links that came from there go on working. */
export function githubSlug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
}

/**
 * As links of sites of this format spell it: punctuation stays, an underscore is a hyphen. `step-1:-install`,
 * `what-is-it?`, `start-session` for `start_session()`, `meta` for `_meta`.
 */
export function punctuatedSlug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/['‘’]/g, '’')
    .replace(/[\s._]+/g, '-')
    .replace(/[()[\]{}<>"“”`\\]/g, '')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
}

/**
 * The name of a field as a part of its id: words of letters and digits with hyphens between, also where a capital
 * begins a word: `baseUrl` and `base_url` are both `base-url`.
 */
export function fieldSlug(name: string): string {
  return name
    .replace(/&/g, ' and ')
    .replace(/(?<=[A-Z]{2})(?=\d)|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-rt-z\d])/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
