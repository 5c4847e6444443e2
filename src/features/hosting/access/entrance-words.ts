/** What the way into a private site says, in the languages that pages can speak. */
import type { uiText } from '../../../render/words/ui-text.ts'
import { preferredLanguage } from './preferred-language.ts'

export interface Spoken {
  tag: string
  direction: 'ltr' | 'rtl'
  words: ReturnType<typeof uiText>
}

let spoken: Promise<readonly Spoken[]> | null = null

/** By the header with which a browser asks; English where none of its languages is here. */
export async function entranceWords(acceptLanguage: string): Promise<Spoken> {
  spoken ??= loadWords()
  const languages = await spoken
  return preferredLanguage(acceptLanguage, languages) ?? (languages[0] as Spoken)
}

/** All languages are read by the first who is refused: most nodes refuse nobody. */
async function loadWords(): Promise<readonly Spoken[]> {
  const { direction, LANGUAGE_TAGS, uiText } = await import('../../../render/words/ui-text.ts')
  return LANGUAGE_TAGS.map((tag) => ({
    tag: new Intl.Locale(tag).toString(),
    direction: direction(tag),
    words: uiText(tag),
  }))
}
