/** Reads `.vale.ini` of the docs folder: which style rules apply to a file, and with which level. */
import type { FileTree } from '../../../../base/files/file-tree.ts'
import { compileGlob, type LinePattern, PatternCostError, PatternError } from '../../code/line-pattern.ts'
import { decodeFileText } from '../../edit/change-files.ts'

export type ValeLevel = 'suggestion' | 'warning' | 'error'
/** Setting of a rule: a level, `own` for the level of the rule, or off. */
export type ValeChoice = ValeLevel | 'own' | 'off'

export interface ValeSettings {
  stylesPath: string
  vocabularies: readonly string[]
  least: ValeLevel
  /** Sections in the order of the file; later ones take precedence. */
  sections: readonly ValeSection[]
  /** File extensions that are treated like another extension. */
  formats: Readonly<Record<string, string>>
  undone: readonly string[]
}

interface ValeSection {
  pattern: LinePattern
  styles: readonly string[] | null
  /** `Style.Rule`: another level, or off. */
  rules: ReadonlyMap<string, ValeChoice>
}

const FILES = ['.vale.ini', '_vale.ini']
const MAX_BYTES = 100_000
const MAX_LINES = 2000
export const LEVELS: readonly ValeLevel[] = ['suggestion', 'warning', 'error']
/** Maximum cost of matching a path, which is short. */
const PATH_COST = 1_000_000

export function findValeFile(tree: FileTree): string | undefined {
  return FILES.find((name) => (tree.files.get(name)?.sizeBytes ?? MAX_BYTES) < MAX_BYTES)
}

/** Returns null when there is no settings file. */
export async function readValeSettings(tree: FileTree): Promise<ValeSettings | null> {
  const path = findValeFile(tree)
  const text = path === undefined ? null : decodeFileText(await tree.read(path))
  return text === null ? null : parseValeSettings(text)
}

export function parseValeSettings(text: string): ValeSettings {
  const global = new Map<string, string>()
  const formats: Record<string, string> = {}
  const sections: ValeSection[] = []
  const undone: string[] = []
  let name = ''
  let lines: [string, string][] = []
  const close = () => {
    if (name === '') for (const [key, value] of lines) global.set(key, value)
    else if (name === 'formats') Object.assign(formats, Object.fromEntries(lines))
    else sections.push(...parseValeSection(name, lines, undone))
    lines = []
  }
  for (const raw of text.split(/\r?\n/).slice(0, MAX_LINES)) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    if (line.startsWith('[') && line.endsWith(']')) {
      close()
      name = line.slice(1, -1).trim()
      continue
    }
    const at = line.indexOf('=')
    if (at > 0) lines.push([line.slice(0, at).trim(), line.slice(at + 1).trim()])
  }
  close()
  const least = LEVELS.find((level) => level === global.get('MinAlertLevel')?.toLowerCase())
  return {
    stylesPath: (global.get('StylesPath') ?? 'styles')
      .split('/')
      .filter((part) => part !== '' && part !== '.')
      .join('/'),
    vocabularies: namesIn(global.get('Vocab') ?? ''),
    least: least ?? 'suggestion',
    sections,
    formats,
    undone,
  }
}

function parseValeSection(glob: string, lines: readonly [string, string][], undone: string[]): ValeSection[] {
  const rules = new Map<string, ValeChoice>()
  let styles: string[] | null = null
  for (const [key, value] of lines) {
    if (key === 'BasedOnStyles') styles = namesIn(value)
    else if (key.includes('.')) rules.set(key, parseValeChoice(value))
    else if (key !== 'Transform') undone.push(`${key} of [${glob}]`)
  }
  try {
    // A star in Vale also matches folders.
    const pattern = compileGlob(glob.includes('/') ? glob : `**/${glob === '*' ? '**' : glob}`)
    return [{ pattern, styles, rules }]
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    undone.push(`[${glob}]`)
    return []
  }
}

function parseValeChoice(value: string): ValeChoice {
  const word = value.toLowerCase()
  return word === 'no' ? 'off' : (LEVELS.find((level) => level === word) ?? 'own')
}

function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => /^[\w.-]+$/.test(one) && !one.startsWith('.'))
}

export function rulesFor(
  { sections, formats }: ValeSettings,
  path: string,
): { styles: readonly string[]; rules: ReadonlyMap<string, ValeChoice> } {
  const ending = path.slice(path.lastIndexOf('.') + 1)
  const like = formats[ending]
  const names = like === undefined ? [path] : [path, `${path.slice(0, -ending.length)}${like}`]
  let styles: readonly string[] = []
  const rules = new Map<string, ValeChoice>()
  for (const section of sections) {
    if (!names.some((name) => isFound(section.pattern, name))) continue
    styles = section.styles ?? styles
    for (const [rule, level] of section.rules) rules.set(rule, level)
  }
  return { styles, rules }
}

function isFound(pattern: LinePattern, path: string): boolean {
  try {
    return pattern.find(path, { left: PATH_COST }) !== null
  } catch (error) {
    if (error instanceof PatternCostError) return false
    throw error
  }
}
