/** Languages of the dashboard: English, and each language with a translation file in `locales`. */

import { ownLanguageName } from '../../../../src/base/text/own-language-name.ts'
import { readStored, writeStored } from '../app/stored.ts'

const STORAGE_KEY = 'octavo:language'
const ENGLISH = 'en'

/** Returns the language tags, which are also the names of the folders. */
export function listLanguages(): readonly string[] {
  return [ENGLISH, ...(globalThis.octavoLanguages ?? [])].sort()
}

export function languageOwnName(language: string): string {
  return ownLanguageName(language) ?? language
}

/** Returns the language stored in this browser; null to use the browser's language. */
export function readChosenLanguage(): string | null {
  return findLanguage(readStored(STORAGE_KEY) ?? '')
}

/** Stores the language in this browser. Takes effect with the next page load, because texts are read at startup. */
export function chooseLanguage(language: string | null): void {
  writeStored(STORAGE_KEY, language)
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
