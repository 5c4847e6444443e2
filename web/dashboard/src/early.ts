/** Applies the stored scheme and language before the first paint, so that nothing flashes. */
import { matchLanguage, readChosenLanguage } from './words/languages.ts'

try {
  const scheme = localStorage.getItem('octavo:scheme')
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme
} catch {
  // Without storage, the scheme of the system applies.
}

const files = document.currentScript?.dataset ?? {}
globalThis.octavoLanguages = Object.keys(files)
const language = readChosenLanguage() ?? matchLanguage(navigator.languages)
document.documentElement.lang = language
const file = files[language]
// Without a translation file, the language is English.
if (file !== undefined)
  globalThis.octavoWords = fetch(file)
    .then((answer) => (answer.ok ? answer.json() : {}))
    .catch(() => ({}))
