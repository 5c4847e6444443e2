/** Texts of the sign-in page of private sites, in every language that pages support. */
import type { uiText } from '../../../render/words/ui-text.ts'
import { preferredLanguage } from './preferred-language.ts'

export interface Spoken {
  tag: string
  direction: 'ltr' | 'rtl'
  words: ReturnType<typeof uiText>
}

let spoken: Promise<readonly Spoken[]> | null = null

/** Chooses the language from the `Accept-Language` header; English if none matches. */
export async function entranceWords(acceptLanguage: string): Promise<Spoken> {
  spoken ??= loadWords()
  const languages = await spoken
  return preferredLanguage(acceptLanguage, languages) ?? (languages[0] as Spoken)
}

/** Loads all languages at the first refusal, because most nodes refuse no reader. */
async function loadWords(): Promise<readonly Spoken[]> {
  const { direction, LANGUAGE_TAGS, uiText } = await import('../../../render/words/ui-text.ts')
  return LANGUAGE_TAGS.map((tag) => ({
    tag: new Intl.Locale(tag).toString(),
    direction: direction(tag),
    words: uiText(tag),
  }))
}
