/** The languages that the dashboard speaks: English, and each that has a file of words beside this one. */

import { ownLanguageName } from '../../../../src/base/text/own-language-name.ts'

const KEY = 'octavo:language'
const ENGLISH = 'en'

/** Their tags. The shell names the files by them. */
export function languages(): readonly string[] {
  return [ENGLISH, ...(globalThis.octavoLanguages ?? [])].sort()
}

/** In the language itself, so that whoever has come to the wrong one finds the way out. */
export function nameOf(language: string): string {
  return ownLanguageName(language) ?? language
}

/** What was chosen in this browser, or null: what the browser asks for, then. */
export function chosenLanguage(): string | null {
  try {
    return known(localStorage.getItem(KEY) ?? '')
  } catch {
    return null
  }
}

/** Kept in this browser; holds from the next load on, since a page's words are read when its scripts are. */
export function chooseLanguage(language: string | null): void {
  try {
    if (language === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, language)
  } catch {
    // Without storage the browser's language it is.
  }
  location.reload()
}

/** The first of the browser's languages that the dashboard has; `de` answers for `de-AT`. */
export function languageOf(asked: readonly string[]): string {
  for (const tag of asked) {
    const language = known(tag.toLowerCase().split('-')[0] ?? '')
    if (language !== null) return language
  }
  return ENGLISH
}

function known(tag: string): string | null {
  return languages().includes(tag) ? tag : null
}
