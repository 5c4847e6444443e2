/** Selects a site's language for a browser according to RFC 9110, using the lookup of RFC 4647. */
import type { SiteManifest } from '../../../render/versions/manifest.ts'

export type RoutedLanguage = NonNullable<SiteManifest['languages']>[number]

/** Limits of parsed characters and entries. Browsers send about fifty characters and ten entries. */
const MAX_HEADER_CHARACTERS = 1000
const MAX_RANGES = 30
const RANGE = /^([a-z]{1,8}(?:-[a-z\d]{1,8}){0,7}|\*)(?:;q=([01](?:\.\d{0,3})?))?$/
/** Scripts and regions that use traditional Chinese. */
const TRADITIONAL_CHINESE = /^zh-(?:hant|tw|hk|mo)\b/

/** Browsers and sites use `nb`, `nn` and `no` interchangeably. */
const NORWEGIAN = /^(?:nb|nn|no)$/

/** Expects the default language first. Returns null if that language is the best match or none matches. */
export function preferredLanguage<Language extends Pick<RoutedLanguage, 'tag'>>(
  header: string,
  languages: readonly Language[],
): Language | null {
  const [standard] = languages
  for (const range of parseRanges(header)) {
    const found = range === '*' ? standard : matchLanguage(range, languages)
    if (found) return found === standard ? null : found
  }
  return null
}

/** Returns the accepted ranges, most preferred first, without ranges of quality 0. */
function parseRanges(header: string): string[] {
  return header
    .slice(0, MAX_HEADER_CHARACTERS)
    .toLowerCase()
    .split(',', MAX_RANGES)
    .flatMap((part) => {
      const [, range, quality = '1'] = RANGE.exec(part.replace(/[ \t]+/g, '')) ?? []
      return range === undefined || Number(quality) === 0 ? [] : [{ range, quality: Number(quality) }]
    })
    .sort((a, b) => b.quality - a.quality)
    .map(({ range }) => range)
}

/** Tries the exact language, the range without its last subtags, then an equal primary subtag. */
function matchLanguage<Language extends Pick<RoutedLanguage, 'tag'>>(
  range: string,
  languages: readonly Language[],
): Language | undefined {
  const tags = languages.map(({ tag }) => tag.toLowerCase())
  const at = (index: number) => (index < 0 ? undefined : languages[index])
  for (let rest = range; rest !== ''; rest = rest.slice(0, Math.max(0, rest.lastIndexOf('-')))) {
    const exact = at(tags.indexOf(rest))
    if (exact && (rest !== 'zh' || isSameScript(range, exact.tag))) return exact
  }
  const root = rootOf(range)
  const related = tags.flatMap((tag, index) => (rootOf(tag) === root ? [index] : []))
  const near = related.find((index) => isSameScript(range, tags[index] as string))
  return at(near ?? related[0] ?? -1)
}

function rootOf(tag: string): string {
  return (tag.split('-')[0] as string).replace(NORWEGIAN, 'no')
}

function isSameScript(range: string, tag: string): boolean {
  return TRADITIONAL_CHINESE.test(range) === TRADITIONAL_CHINESE.test(tag.toLowerCase())
}
