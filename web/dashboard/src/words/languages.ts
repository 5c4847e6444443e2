/** Languages of the dashboard: English, and each language with a translation file in this folder. */

import { ownLanguageName } from '../../../../src/base/text/own-language-name.ts'

const STORAGE_KEY = 'octavo:language'
const ENGLISH = 'en'

/** Returns the language tags, which are also the names of the files. */
export function listLanguages(): readonly string[] {
  return [ENGLISH, ...(globalThis.octavoLanguages ?? [])].sort()
}

/** Returns the name of a language in that language, so that it can be recognized by its speakers. */
export function languageOwnName(language: string): string {
  return ownLanguageName(language) ?? language
}

/** Returns the language stored in this browser; null to use the browser's language. */
export function readChosenLanguage(): string | null {
  try {
    return findLanguage(localStorage.getItem(STORAGE_KEY) ?? '')
  } catch {
    return null
  }
}

/** Stores the language in this browser. Takes effect with the next page load, because texts are read at startup. */
export function chooseLanguage(language: string | null): void {
  try {
    if (language === null) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, language)
  } catch {
    // Without storage, the browser's language applies.
  }
  location.reload()
}

/** Returns the first of the browser's languages that is supported; `de` matches `de-AT`. */
export function matchLanguage(preferred: readonly string[]): string {
  for (const tag of preferred) {
    const language = findLanguage(tag.toLowerCase().split('-')[0] ?? '')
    if (language !== null) return language
  }
  return ENGLISH
}

function findLanguage(tag: string): string | null {
  return listLanguages().includes(tag) ? tag : null
}
