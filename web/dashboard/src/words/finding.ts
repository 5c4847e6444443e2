/** Translations of the server's findings about content or tested settings. */
import { meaningName, remedyName } from '../../../../src/base/text/code-names.ts'
import { messageName } from '../../../../src/base/text/message-name.ts'
import { catalog } from './words.ts'

export interface Finding {
  /** Missing in data of older versions. */
  code?: string | undefined
  /** The server's message, in English. */
  sentence: string
  remedy?: string
}

interface ToldFinding {
  meaning: string
  remedy: string
  /** The server's message, when it is more specific than the translated meaning. */
  original: string | null
}

/** Returns null for English and for codes without a translation; only the server's message exists then. */
export function toldFinding({ code, sentence, remedy = '' }: Finding): ToldFinding | null {
  const meaning = code === undefined ? undefined : catalog[meaningName(code)]
  if (code === undefined || typeof meaning !== 'string') return null
  const help = catalog[remedyName(code)]
  const isSaid = catalog[messageName(sentence)] !== undefined
  return {
    meaning,
    remedy: typeof help === 'string' ? help : '',
    original: isSaid ? null : `${sentence} ${remedy}`.trim(),
  }
}
