/** Which languages have their words reduced to roots, and by what. */
import type { Stemmer } from './words.ts'

/** Language to the module of `@orama/stemmers`. */
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

/** `de` for `de-AT`; null where words stay as they are. */
export function stemmedLanguage(language: string): string | null {
  const code = language.toLowerCase().split(/[-_]/)[0] ?? ''
  const known = code === 'nb' || code === 'nn' ? 'no' : code
  return Object.hasOwn(STEMMER_MODULES, known) ? known : null
}

/** Null where words stay as they are. */
export async function loadStemmer(language: string): Promise<Stemmer | null> {
  const known = stemmedLanguage(language)
  if (known === null) return null
  const { stemmer } = (await import(`@orama/stemmers/${STEMMER_MODULES[known]}`)) as { stemmer: Stemmer }
  return stemmer
}
