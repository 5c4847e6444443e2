/** Translations of the server's findings about content or tested settings. */
import { meaningMessageName, remedyMessageName } from '../../../../src/base/text/code-names.ts'
import { messageName } from '../../../../src/base/text/message-name.ts'
import { catalog } from './words.ts'

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

/** Returns null for English and for codes without a translation; only the server's message exists then. */
export function translateFinding({ code, sentence, remedy = '' }: Finding): TranslatedFinding | null {
  const meaning = code === undefined ? undefined : catalog[meaningMessageName(code)]
  if (code === undefined || typeof meaning !== 'string') return null
  const help = catalog[remedyMessageName(code)]
  const hasOwnTranslation = catalog[messageName(sentence)] !== undefined
  return {
    meaning,
    remedy: typeof help === 'string' ? help : '',
    original: hasOwnTranslation ? null : `${sentence} ${remedy}`.trim(),
  }
}
