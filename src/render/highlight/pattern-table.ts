/** Patterns of common grammars. `npm run build` translates them, which would take half a second per process. */
import { readFileSync } from 'node:fs'
import type { LanguageRegistration } from 'shiki/core'
import { builtFile, importFromPackage } from '../../base/files/program-files.ts'
import { type TranslatedPattern, translatePattern } from './pattern-translation.ts'

export type PatternTable = ReadonlyMap<string, TranslatedPattern>

/** Located in `dist/`. */
export const PATTERNS_FILE = 'patterns.json'

const LANGUAGES = (
  'shellscript json jsonc javascript jsx typescript tsx python yaml html css markdown mdx go java ruby php rust sql ' +
  'diff xml toml graphql csharp kotlin swift nginx docker http ini dotenv shellsession powershell c hcl proto dart'
).split(' ')

/** Returns an empty table if there is no file. Patterns are then translated on demand. */
export function readPatternTable(): PatternTable {
  try {
    return new Map(
      JSON.parse(readFileSync(builtFile(PATTERNS_FILE), 'utf8')) as [string, TranslatedPattern][],
    )
  } catch {
    return new Map()
  }
}

export async function patternTableText(): Promise<string> {
  const table = new Map<string, TranslatedPattern>()
  for (const language of LANGUAGES) {
    const module = await importFromPackage<{ default: LanguageRegistration[] }>(
      '@shikijs/langs',
      `dist/${language}.mjs`,
    )
    for (const grammar of module.default) {
      if (!LANGUAGES.includes(grammar.name)) continue
      for (const written of collectPatterns(grammar))
        for (const form of listRequestedPatterns(written))
          if (!table.has(form)) table.set(form, translatePattern(form))
    }
  }
  return JSON.stringify([...table])
}

const PATTERN_KEYS = new Set(['match', 'begin', 'end', 'while'])

function collectPatterns(rules: object): string[] {
  return Object.entries(rules).flatMap(([name, value]) => {
    if (typeof value === 'string') return PATTERN_KEYS.has(name) ? [value] : []
    return typeof value === 'object' && value !== null ? collectPatterns(value) : []
  })
}

/**
 * Returns the forms in which the tokenizer requests a pattern. The tokenizer uses a different notation for the
 * end of the text, and replaces anchors that cannot match with a character that never occurs.
 */
function listRequestedPatterns(written: string): string[] {
  const source = written.replace(/\\(?:z|([\s\S]))/g, (found, other) => (other ? found : '$(?!\\n)(?<!\\n)'))
  if (!/\\[AG]/.test(source)) return [source]
  const without = (...anchors: string[]) =>
    source.replace(/\\([\s\S])/g, (found, letter) => (anchors.includes(letter) ? '\\\uffff' : found))
  return [source, without('A'), without('G'), without('A', 'G')]
}
