/** Generates the list of page languages from the translation files. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const WORDS = join(import.meta.dirname, '..', '..', 'src', 'render', 'words')
/** Source language of all translations, and the fallback. */
const ENGLISH = 'en'

/** Returns the text of each generated file. */
export function describePageLanguages(): ReadonlyMap<string, string> {
  const tags = readdirSync(join(WORDS, 'languages')).map((file) => file.replace('.ts', ''))
  const rows = tags
    .filter((tag) => tag !== ENGLISH)
    .sort()
    .map((tag) => `export { ${exported(tag)} } from './languages/${tag}.ts'\n`)
  const head =
    '/** Made from the files of words by `npm run reference`: the languages that a page can speak. */\n'
  return new Map([[join(WORDS, 'languages.ts'), head + rows.join('')]])
}

function exported(tag: string): string {
  const name = tag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return name === tag ? tag : `${name} as '${tag}'`
}
