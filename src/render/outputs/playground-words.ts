/** Texts of forms, one script per language, so that a form only loads its own. */
import { PLAYGROUND_WORDS_GLOBAL } from '../../openapi/playground-data.ts'
import type { Site } from '../../site/model.ts'
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import { playgroundWords } from '../words/playground-words.ts'
import { uiText } from '../words/ui-text.ts'

export function playgroundWordFiles(site: Site): Record<string, BuiltInFile<string>> {
  const languages = new Set([...site.pages.values()].map(({ language }) => language))
  return Object.fromEntries(
    [...languages].map((language) => {
      const words = JSON.stringify(playgroundWords(uiText(language)))
      return [language, hashed('try-words', 'js', `globalThis.${PLAYGROUND_WORDS_GLOBAL}=${words}\n`)]
    }),
  )
}
