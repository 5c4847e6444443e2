/** The languages that the dashboard speaks. A new one: its name here, and its file beside this one. */

/** Each in its own words, by its tag. */
export const LANGUAGES = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
} as const
export type Language = keyof typeof LANGUAGES

const KEY = 'octavo:language'

/** What was chosen in this browser, or null: what the browser asks for, then. */
export function chosenLanguage(): Language | null {
  try {
    return known(localStorage.getItem(KEY) ?? '')
  } catch {
    return null
  }
}

/** Kept in this browser; holds from the next load on, since a page's words are read when its scripts are. */
export function chooseLanguage(language: Language | null): void {
  try {
    if (language === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, language)
  } catch {
    // Without storage the browser's language it is.
  }
  location.reload()
}

/** The first of the browser's languages that the dashboard has; `de` answers for `de-AT`. */
export function languageOf(asked: readonly string[]): Language {
  for (const tag of asked) {
    const language = known(tag.toLowerCase().split('-')[0] ?? '')
    if (language !== null) return language
  }
  return 'en'
}

function known(tag: string): Language | null {
  return Object.hasOwn(LANGUAGES, tag) ? (tag as Language) : null
}
