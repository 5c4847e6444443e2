/** Languages whose words are stemmed, and their stemmers. */
import type { Stemmer } from './words.ts'

export const STEMMER_MODULES: Readonly<Record<string, string>> = {
  ar: 'arabic',
  bg: 'bulgarian',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  hi: 'indian',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  uk: 'ukrainian',
}

/** Returns `de` for `de-AT`; null for languages without stemming. */
export function stemmedLanguage(language: string): string | null {
  const code = language.toLowerCase().split(/[-_]/)[0] ?? ''
  const known = code === 'nb' || code === 'nn' ? 'no' : code
  return Object.hasOwn(STEMMER_MODULES, known) ? known : null
}

export async function loadStemmer(language: string): Promise<Stemmer | null> {
  const known = stemmedLanguage(language)
  if (known === null) return null
  const { stemmer } = (await import(`@orama/stemmers/${STEMMER_MODULES[known]}`)) as { stemmer: Stemmer }
  return stemmer
}
