/** Applies the stored scheme and language before the first paint, to avoid a visible change. */
import { readStored } from './app/stored.ts'
import { matchLanguage, readChosenLanguage } from './words/languages.ts'

const scheme = readStored('octavo:scheme')
if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme

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
