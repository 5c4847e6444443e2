/** Selects the files of the docs folder that do not belong to the site. */
import ignore from 'ignore'
import type { Problem } from '../base/errors/problem.ts'
import type { FileTree } from '../base/files/file-tree.ts'
import { readTextFile } from './text.ts'

export interface IgnoreRules {
  isIgnored(path: string): boolean
}

/** Tool folders at any depth; build folders at the root only, since `guides/build` is common for pages. */
const ALWAYS_IGNORED = [
  '.git',
  '.github',
  '.claude',
  '.agents',
  '.idea',
  '.vscode',
  'node_modules',
  '/build',
  '/dist',
  '/coverage',
  '/.cache',
  '/tmp',
  '/temp',
]
/** Repository documents, ignored regardless of case and depth unless the navigation lists them. */
const REPOSITORY_DOCUMENTS = ['readme.md', 'license.md', 'changelog.md', 'contributing.md']
export const IGNORE_FILES = ['.mintignore', '.octavoignore']

/**
 * Maximum number of rule checks, since every rule is tested on every file. `MIN_RULES` rules are allowed for any number
 * of files.
 */
const MAX_RULE_CHECKS = 5_000_000
const MIN_RULES = 100
const MAX_RULES = 2000
const MAX_RULE_LENGTH = 500
/** Backtracking limits: each run of `*` multiplies the ways to match a name, each `**` those to match a path. */
const MAX_STARS_IN_NAME = 2
const MAX_STARS_IN_PATH = 8
const MAX_DOUBLE_STARS = 2
const MAX_REPORTS = 20

/** `named` are paths, without extension, to which the navigation may refer. */
export async function loadIgnoreRules(
  tree: FileTree,
  problems: Problem[],
  named: ReadonlySet<string>,
): Promise<IgnoreRules> {
  // Case-sensitive, like git on systems where names may differ only by case.
  const rules = ignore({ ignorecase: false })
    .add(ALWAYS_IGNORED)
    .add(REPOSITORY_DOCUMENTS.map(toCaseInsensitive))
  const authored = ignore({ ignorecase: false })
  const namedNotes = new Set([...named].map((path) => path.toLowerCase()))
  for (const file of IGNORE_FILES) {
    if (!tree.files.has(file)) continue
    const lines = readRules(problems, file, await readTextFile(tree, file), tree.files.size)
    rules.add(lines)
    authored.add(lines)
  }
  return {
    isIgnored(path) {
      if (!isPlainPath(path)) return true
      const isNamed = named.has(path.replace(/\.mdx?$/, ''))
      if (isHidden(path) && !(isNamed && isPageBesideOthers(path))) return true
      if (!rules.ignores(path)) return false
      const lower = path.toLowerCase()
      const isNote = REPOSITORY_DOCUMENTS.includes(lower.slice(lower.lastIndexOf('/') + 1))
      return !(isNote && namedNotes.has(lower.slice(0, -'.md'.length)) && !authored.ignores(path))
    },
  }
}

function toCaseInsensitive(name: string): string {
  return name.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

/** Returns the rules that can be tested on all files in bounded time; other rules are reported. */
function readRules(problems: Problem[], file: string, text: string, files: number): string[] {
  const maxRules = Math.min(MAX_RULES, Math.max(MIN_RULES, Math.floor(MAX_RULE_CHECKS / files)))
  const accepted: string[] = []
  let refused = 0
  const refuse = (line: number | null, message: string, remedy: string) => {
    if (++refused <= MAX_REPORTS)
      problems.push({ file, line, code: 'ignore.rule', level: 'warning', message, remedy })
  }
  for (const [index, rule] of text.split(/\r\n?|\n/).entries()) {
    if (rule.trim() === '' || rule.startsWith('#')) continue
    if (accepted.length === maxRules) {
      refuse(
        index + 1,
        `Only the first ${maxRules} rules are read.`,
        'Ignore folders instead of single files.',
      )
      break
    }
    const fault = findFault(rule)
    if (fault === null) accepted.push(rule)
    else refuse(index + 1, `This rule is ignored because it ${fault}.`, 'Split it into simpler rules.')
  }
  return accepted
}

function findFault(rule: string): string | null {
  if (rule.length > MAX_RULE_LENGTH) return `is longer than ${MAX_RULE_LENGTH} characters`
  const names = rule.split('/').map((name) => [...name.matchAll(/\*+/g)].length)
  if (Math.max(...names) > MAX_STARS_IN_NAME) return `has more than ${MAX_STARS_IN_NAME} stars in a name`
  if ([...rule.matchAll(/\*{2,}/g)].length > MAX_DOUBLE_STARS)
    return `has more than ${MAX_DOUBLE_STARS} occurrences of **`
  const stars = names.reduce((sum, count) => sum + count, 0)
  return stars > MAX_STARS_IN_PATH ? `has more than ${MAX_STARS_IN_PATH} stars` : null
}

/** Returns true for dot folders and dot files, which contain settings of tools, except those meant to be served. */
function isHidden(path: string): boolean {
  if (!path.startsWith('.') && !path.includes('/.')) return false
  return !path.startsWith('.well-known/') && !/^\.(?:mintlify|octavo)\/specs\//.test(path)
}

/**
 * Returns true for pages whose name starts with a dot, such as `guides/.NET.mdx`. Returns false for all files in dot
 * folders.
 */
function isPageBesideOthers(path: string): boolean {
  return /^(?:[^./][^/]*\/)*\.[^/]+\.mdx?$/.test(path)
}

/** Checks a path first, because the ignore package throws on paths that are not relative and normalized. */
function isPlainPath(path: string): boolean {
  return (
    path !== '' && !path.startsWith('/') && !path.split('/').some((part) => part === '..' || part === '.')
  )
}
