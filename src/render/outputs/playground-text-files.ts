/** Texts of forms, one script per language, so that a form only loads its own. */
import { PLAYGROUND_TEXTS_GLOBAL } from '../../openapi/playground-data.ts'
import type { Site } from '../../site/model.ts'
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import { pickPlaygroundTexts } from '../words/playground-texts.ts'
import { uiText } from '../words/ui-text.ts'

export function createPlaygroundTextFiles(site: Site): Record<string, BuiltInFile<string>> {
  const languages = new Set([...site.pages.values()].map(({ language }) => language))
  return Object.fromEntries(
    [...languages].map((language) => {
      const words = JSON.stringify(pickPlaygroundTexts(uiText(language)))
      return [language, hashed('try-words', 'js', `globalThis.${PLAYGROUND_TEXTS_GLOBAL}=${words}\n`)]
    }),
  )
}
