/** Texts of the playground forms. */
import { PLAYGROUND_TEXTS, type UiText } from './english.ts'

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

export type PlaygroundTexts = Pick<UiText, keyof typeof PLAYGROUND_TEXTS | (typeof SHARED)[number]>

export function pickPlaygroundTexts(text: UiText): PlaygroundTexts {
  const words = [...(Object.keys(PLAYGROUND_TEXTS) as (keyof typeof PLAYGROUND_TEXTS)[]), ...SHARED]
  return Object.fromEntries(words.map((word) => [word, text[word]])) as PlaygroundTexts
}
