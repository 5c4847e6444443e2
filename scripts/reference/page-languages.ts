/** The list of the languages that pages speak, from the files of their words. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const WORDS = join(import.meta.dirname, '..', '..', 'src', 'render', 'words')
/** What all others are translated from, and fall back to. */
const ENGLISH = 'en'

/** What each file holds. */
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
