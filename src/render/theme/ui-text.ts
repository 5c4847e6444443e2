/** Words of the chrome by language. A language without words of its own reads English. */
import { LATIN } from './ui-words-latin.ts'
import { OTHER } from './ui-words-other.ts'

export const ENGLISH = {
  skip: 'Skip to content',
  search: 'Search',
  searchPrompt: 'Search…',
  searchEmpty: 'No results for',
  searchHint: 'Try another word, or fewer of them.',
  searchStart: 'Type to search this documentation',
  searchRecent: 'Recent',
  searchFailed: 'The search index could not be loaded.',
  clear: 'Clear',
  close: 'Close',
  menu: 'Open navigation',
  navigation: 'Documentation',
  sections: 'Sections',
  breadcrumbs: 'Breadcrumbs',
  onThisPage: 'On this page',
  language: 'Language',
  version: 'Version',
  product: 'Product',
  switcher: 'Section',
  theme: 'Theme',
  light: 'light',
  dark: 'dark',
  system: 'system',
  previous: 'Previous',
  next: 'Next',
  lastModified: 'Last modified on',
  deprecated: 'Deprecated',
  copy: 'Copy',
  copied: 'Copied',
  copyPage: 'Copy page',
  moreActions: 'More actions',
  askIn: 'Ask about this page in',
  wrap: 'Wrap lines',
  dismiss: 'Dismiss',
  notFoundTitle: 'Page not found',
  notFoundText: 'There is no page at this address. It may have moved, or the link may be mistyped.',
  home: 'Go to the start page',
  moved: 'This page has moved.',
} as const

export type UiText = Readonly<Record<keyof typeof ENGLISH, string>>

const RIGHT_TO_LEFT = new Set(['ar', 'he', 'fa', 'ur'])
/** Codes of the format that are not language tags. */
const ALIASES: Record<string, string> = {
  cn: 'zh-CN',
  jp: 'ja',
  ja_jp: 'ja',
  'fr-ca': 'fr-CA',
  'ja-jp': 'ja-JP',
}

export function uiText(language: string): UiText {
  const tag = languageTag(language).toLowerCase()
  const base = tag.split('-')[0] ?? tag
  const isTraditional = /^zh-(?:hant|tw|hk)/.test(tag)
  return { ...ENGLISH, ...LATIN[base], ...OTHER[base], ...(isTraditional ? OTHER['zh-hant'] : {}) }
}

/** Value for `lang` attributes. */
export function languageTag(code: string): string {
  return ALIASES[code.toLowerCase()] ?? code
}

export function direction(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(languageTag(language).split('-')[0]?.toLowerCase() ?? '') ? 'rtl' : 'ltr'
}
