/** Texts of the playground forms. */
import { PLAYGROUND_WORDS, type UiText } from './languages/en.ts'

const SHARED = [
  'clear',
  'close',
  'copy',
  'copied',
  'download',
  'language',
  'apiAuthorization',
  'apiPath',
  'apiQuery',
  'apiHeader',
  'apiCookie',
  'apiBody',
  'apiResponse',
  'apiHeaders',
  'apiServer',
  'apiMedia',
  'apiMessages',
  'apiSend',
  'apiReceive',
  'apiScopes',
  'apiNone',
  'apiOneOf',
  'apiAnyOf',
  'fieldRequired',
  'fieldDeprecated',
] as const

export type PlaygroundWords = Pick<UiText, keyof typeof PLAYGROUND_WORDS | (typeof SHARED)[number]>

export function playgroundWords(text: UiText): PlaygroundWords {
  const words = [...(Object.keys(PLAYGROUND_WORDS) as (keyof typeof PLAYGROUND_WORDS)[]), ...SHARED]
  return Object.fromEntries(words.map((word) => [word, text[word]])) as PlaygroundWords
}
