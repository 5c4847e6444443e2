/** Words of the chrome by language. A language without words of its own reads English. */

import { ACTIONS } from './ui-words-actions.ts'
import { API_ENGLISH, API_WORDS } from './ui-words-api.ts'
import { COMPONENT_ENGLISH, COMPONENT_WORDS } from './ui-words-components.ts'
import { FEEDBACK_LATIN } from './ui-words-feedback-latin.ts'
import { FEEDBACK_OTHER } from './ui-words-feedback-other.ts'
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
  viewMarkdown: 'View as Markdown',
  savePdf: 'Save as PDF',
  downloadSpec: 'Download API description',
  subscribe: 'Subscribe to the feed',
  askIn: 'Ask about this page in',
  wrap: 'Wrap lines',
  dismiss: 'Dismiss',
  notFoundTitle: 'Page not found',
  notFoundText: 'There is no page at this address. It may have moved, or the link may be mistyped.',
  home: 'Go to the start page',
  moved: 'This page has moved.',
  feedback: 'Feedback',
  feedbackQuestion: 'Was this page helpful?',
  feedbackYes: 'Yes',
  feedbackNo: 'No',
  feedbackHelped: 'What helped?',
  feedbackMissed: 'What went wrong?',
  reasonSolved: 'It solved my problem',
  reasonClear: 'Easy to understand',
  reasonExamples: 'Good examples',
  reasonMissing: 'Something is missing',
  reasonUnclear: 'Hard to understand',
  reasonWrong: 'Wrong or out of date',
  reasonBroken: 'An example does not work',
  reasonOther: 'Something else',
  feedbackComment: 'Tell us more (optional)',
  feedbackEmail: 'E-mail, if you want an answer (optional)',
  feedbackEmailFault: 'Enter an address such as name@example.com, or leave this empty.',
  feedbackSend: 'Send',
  feedbackCancel: 'Cancel',
  feedbackThanks: 'Thank you for your feedback.',
  feedbackUndo: 'Undo',
  feedbackUndone: 'Taken back.',
  feedbackMore: 'Add a comment',
  feedbackLeft: 'Characters left:',
  feedbackDropped: 'The oldest feedback kept in this browser had to make room.',
  feedbackKept: 'It is kept in this browser.',
  feedbackSave: 'Save feedback',
  feedbackCode: 'Feedback on this code',
  feedbackCodeComment: 'What should we know about this code?',
  feedbackCodeEmpty: 'Write a few words first.',
  suggestEdit: 'Suggest an edit',
  raiseIssue: 'Raise an issue',
  ...API_ENGLISH,
  ...COMPONENT_ENGLISH,
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
  const keys = isTraditional ? [base, 'zh-hant'] : [base]
  const words = [LATIN, OTHER, ACTIONS, FEEDBACK_LATIN, FEEDBACK_OTHER, COMPONENT_WORDS, API_WORDS]
  return Object.assign({ ...ENGLISH }, ...keys.flatMap((key) => words.map((list) => list[key])))
}

/** Value for `lang` attributes. */
export function languageTag(code: string): string {
  return ALIASES[code.toLowerCase()] ?? code
}

export function direction(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(languageTag(language).split('-')[0]?.toLowerCase() ?? '') ? 'rtl' : 'ltr'
}
