/** Texts of the sign-in page of private sites, in all languages of pages. */
import { direction, LANGUAGE_TAGS, uiText } from '../../../render/words/ui-text.ts'
import { preferredLanguage } from './preferred-language.ts'

export interface EntranceLanguage {
  tag: string
  direction: 'ltr' | 'rtl'
  words: ReturnType<typeof uiText>
}

const LANGUAGES = LANGUAGE_TAGS.map((tag) => ({ tag: new Intl.Locale(tag).toString() }))

/** Selects the language by the `Accept-Language` header; English if none matches. */
export function selectEntranceLanguage(acceptLanguage: string): EntranceLanguage {
  const { tag } = preferredLanguage(acceptLanguage, LANGUAGES) ?? { tag: 'en' }
  return { tag, direction: direction(tag), words: uiText(tag) }
}
