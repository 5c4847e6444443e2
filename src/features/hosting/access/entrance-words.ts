/** Texts of the sign-in page of private sites, in every language that pages support. */
import type { uiText } from '../../../render/words/ui-text.ts'
import { preferredLanguage } from './preferred-language.ts'

export interface EntranceLanguage {
  tag: string
  direction: 'ltr' | 'rtl'
  words: ReturnType<typeof uiText>
}

let entranceLanguages: Promise<readonly EntranceLanguage[]> | null = null

/** Chooses the language from the `Accept-Language` header; English if none matches. */
export async function findEntranceWords(acceptLanguage: string): Promise<EntranceLanguage> {
  entranceLanguages ??= loadWords()
  const languages = await entranceLanguages
  return preferredLanguage(acceptLanguage, languages) ?? (languages[0] as EntranceLanguage)
}

/** Loads all languages at the first refusal, because most nodes refuse no reader. */
async function loadWords(): Promise<readonly EntranceLanguage[]> {
  const { direction, LANGUAGE_TAGS, uiText } = await import('../../../render/words/ui-text.ts')
  return LANGUAGE_TAGS.map((tag) => ({
    tag: new Intl.Locale(tag).toString(),
    direction: direction(tag),
    words: uiText(tag),
  }))
}
