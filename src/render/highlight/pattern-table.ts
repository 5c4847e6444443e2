/**
 * Patterns of the most used grammars, translated ahead: each process would else spend half a second on them. A package
 * brings the table; in a clone the first render child makes it, in the folder and with the right of own-code.ts.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LanguageRegistration } from 'shiki/core'
import { sha256Of } from '../../base/hash.ts'
import { OWN_CODE_FOLDER } from '../../sandbox/own-code.ts'
import { compactFile } from '../machinery/compact-file.ts'
import { type TranslatedPattern, translatePattern } from './pattern-translation.ts'

export type PatternTable = ReadonlyMap<string, TranslatedPattern>

const LANGUAGES = (
  'shellscript json jsonc javascript jsx typescript tsx python yaml html css markdown mdx go java ruby php rust sql ' +
  'diff xml toml graphql csharp kotlin swift nginx docker http ini dotenv shellsession powershell c hcl proto dart'
).split(' ')

/** Empty where there is none; then patterns are translated when they are needed. */
export function readPatternTable(): PatternTable {
  try {
    return new Map(JSON.parse(readFileSync(tablePlace(), 'utf8')) as [string, TranslatedPattern][])
  } catch {
    return new Map()
  }
}

/** Makes the table of a clone when it is missing. What cannot be written is left. */
export async function layPatternTable(): Promise<void> {
  if (OWN_CODE_FOLDER === null || !process.permission?.has('fs.write', OWN_CODE_FOLDER)) return
  const place = tablePlace()
  if (existsSync(place)) return
  const text = await patternTableText()
  const part = `${place}.${process.pid}.part`
  try {
    mkdirSync(OWN_CODE_FOLDER, { recursive: true })
    writeFileSync(part, text)
    renameSync(part, place)
  } catch {
    // A full disk costs time, here and in the next process.
  }
}

export async function patternTableText(): Promise<string> {
  const table = new Map<string, TranslatedPattern>()
  for (const language of LANGUAGES) {
    const module = (await import(`shiki/langs/${language}.mjs`)) as { default: LanguageRegistration[] }
    for (const grammar of module.default) {
      if (!LANGUAGES.includes(grammar.name)) continue
      for (const written of writtenIn(grammar))
        for (const asked of askedForms(written))
          if (!table.has(asked)) table.set(asked, translatePattern(asked))
    }
  }
  return JSON.stringify([...table])
}

/** In a clone its name tells what it was made from. */
function tablePlace(): string {
  if (OWN_CODE_FOLDER === null) return compactFile('patterns.json').pathname
  const packages = join(OWN_CODE_FOLDER, '..', '..', '.package-lock.json')
  const sources = [import.meta.filename, join(import.meta.dirname, 'pattern-translation.ts')]
  const made = [packages, ...sources].map((file) => (existsSync(file) ? readFileSync(file) : ''))
  return join(OWN_CODE_FOLDER, `patterns-${sha256Of(process.version, ...made).slice(0, 16)}.json`)
}

const PLACES = new Set(['match', 'begin', 'end', 'while'])

function writtenIn(rules: object): string[] {
  return Object.entries(rules).flatMap(([name, value]) => {
    if (typeof value === 'string') return PLACES.has(name) ? [value] : []
    return typeof value === 'object' && value !== null ? writtenIn(value) : []
  })
}

/**
 * What the tokenizer asks for in place of a pattern: it has its own word for the end of the text, and where an anchor
 * cannot hold, a character that no text has stands for it.
 */
function askedForms(written: string): string[] {
  const source = written.replace(/\\(?:z|([\s\S]))/g, (found, other) => (other ? found : '$(?!\\n)(?<!\\n)'))
  if (!/\\[AG]/.test(source)) return [source]
  const without = (...anchors: string[]) =>
    source.replace(/\\([\s\S])/g, (found, letter) => (anchors.includes(letter) ? '\\\uffff' : found))
  return [source, without('A'), without('G'), without('A', 'G')]
}
