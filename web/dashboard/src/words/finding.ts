/** Translates the server's findings about content or tested settings, by code. */
import { TEST_RESULTS } from '../../../../src/base/errors/catalogue.ts'
import { translateError } from './words.ts'

export interface Finding {
  /** Missing in data of older versions. */
  code?: string | undefined
  /** The server's message, in English. */
  sentence: string
  remedy?: string
}

interface TranslatedFinding {
  meaning: string
  remedy: string
  /** The server's message, when it is more specific than the translated meaning. */
  original: string | null
}

const TEST_MESSAGES: ReadonlySet<string> = new Set(Object.values(TEST_RESULTS).map(({ message }) => message))

/** Returns null for English and for codes without a translation, for which only the server's message exists. */
export function translateFinding({ code, sentence, remedy = '' }: Finding): TranslatedFinding | null {
  const translate = (end = '') =>
    translateError(`problem.${code}${end}`) ?? translateError(`test.${code}${end}`)
  const meaning = translate()
  if (meaning === null) return null
  const original = TEST_MESSAGES.has(sentence) ? null : `${sentence} ${remedy}`.trim()
  return { meaning, remedy: translate('.remedy') ?? '', original }
}
