/** Runs before the first paint: scheme and language as they were chosen here, so that nothing flashes. */
import { chosenLanguage, languageOf } from './words/languages.ts'

try {
  const scheme = localStorage.getItem('octavo:scheme')
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme
} catch {
  // Without storage the scheme of the system it is.
}

const language = chosenLanguage() ?? languageOf(navigator.languages)
document.documentElement.lang = language
const file = document.currentScript?.dataset[language]
// Without its file a language is English, as it is while a newer version of the dashboard takes the place of this one.
if (file !== undefined)
  globalThis.octavoWords = fetch(file)
    .then((answer) => (answer.ok ? answer.json() : {}))
    .catch(() => ({}))
