/** What another language than English says of a finding of the server: of content, or of settings that were tried. */
import { meaningName, remedyName } from '../../../../src/base/text/code-names.ts'
import { messageName } from '../../../../src/base/text/message-name.ts'
import { catalog } from './words.ts'

export interface Finding {
  /** Work of older versions has none. */
  code?: string | undefined
  /** The server's own, in English. */
  sentence: string
  remedy?: string
}

interface ToldFinding {
  meaning: string
  remedy: string
  /** The server's own words, where they say more exactly what was found. */
  original: string | null
}

/** Null in English, and for a code that the language does not have: the server's own words are all there is. */
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
