/** Runs before the first paint: scheme and language as they were chosen here, so that nothing flashes. */
import { chosenLanguage, languageOf } from './words/languages.ts'

try {
  const scheme = localStorage.getItem('octavo:scheme')
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme
} catch {
  // Without storage the scheme of the system it is.
}
document.documentElement.lang = chosenLanguage() ?? languageOf(navigator.languages)
