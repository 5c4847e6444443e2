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
/** Repository documents, in any case and at any depth; one listed in the navigation is a page nevertheless. */
const NOTES = ['readme.md', 'license.md', 'changelog.md', 'contributing.md']
export const RULE_FILES = ['.mintignore', '.octavoignore']

/** Limits the number of rule checks, since every rule is tested on every file; some rules are always allowed. */
const MOST_TRIES = 5_000_000
const RULES_OF_ANY_SITE = 100
const MOST_RULES = 2000
const LONGEST_RULE = 500
/** Backtracking limits: each run of `*` multiplies the ways to match a name, each `**` those to match a path. */
const MOST_STARS_IN_A_NAME = 2
const MOST_STARS_IN_A_PATH = 8
const MOST_DOUBLE_STARS = 2
/** Rejected rules that are reported individually. */
const MOST_REPORTS = 20

/** `named` are paths, without extension, to which the navigation may refer. */
export async function loadIgnoreRules(
  tree: FileTree,
  problems: Problem[],
  named: ReadonlySet<string>,
): Promise<IgnoreRules> {
  // Case-sensitive, like git on systems where names may differ only by case.
  const rules = ignore({ ignorecase: false }).add(ALWAYS_IGNORED).add(NOTES.map(inAnyCase))
  const authored = ignore({ ignorecase: false })
  const namedNotes = new Set([...named].map((path) => path.toLowerCase()))
  for (const file of RULE_FILES) {
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
      const isNote = NOTES.includes(lower.slice(lower.lastIndexOf('/') + 1))
      return !(isNote && namedNotes.has(lower.slice(0, -'.md'.length)) && !authored.ignores(path))
    },
  }
}

function inAnyCase(name: string): string {
  return name.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

/** Returns the rules that can be tested on all files in bounded time; the others are reported. */
function readRules(problems: Problem[], file: string, text: string, files: number): string[] {
  const most = Math.min(MOST_RULES, Math.max(RULES_OF_ANY_SITE, Math.floor(MOST_TRIES / files)))
  const kept: string[] = []
  let refused = 0
  const refuse = (line: number | null, message: string, remedy: string) => {
    if (++refused <= MOST_REPORTS)
      problems.push({ file, line, code: 'ignore.rule', level: 'warning', message, remedy })
  }
  for (const [index, rule] of text.split(/\r\n?|\n/).entries()) {
    if (rule.trim() === '' || rule.startsWith('#')) continue
    if (kept.length === most) {
      refuse(index + 1, `Only the first ${most} rules are read.`, 'Ignore folders instead of single files.')
      break
    }
    const fault = faultOf(rule)
    if (fault === null) kept.push(rule)
    else refuse(index + 1, `This rule ${fault}; it is left out.`, 'Divide it into several simpler rules.')
  }
  return kept
}

function faultOf(rule: string): string | null {
  if (rule.length > LONGEST_RULE) return `is longer than ${LONGEST_RULE} characters`
  const names = rule.split('/').map((name) => [...name.matchAll(/\*+/g)].length)
  if (Math.max(...names) > MOST_STARS_IN_A_NAME)
    return `has more than ${MOST_STARS_IN_A_NAME} stars in a name`
  if ([...rule.matchAll(/\*{2,}/g)].length > MOST_DOUBLE_STARS)
    return `has more than ${MOST_DOUBLE_STARS} times **`
  const stars = names.reduce((sum, count) => sum + count, 0)
  return stars > MOST_STARS_IN_A_PATH ? `has more than ${MOST_STARS_IN_A_PATH} stars` : null
}

/** Dot folders and dot files contain settings of tools, with the exception of files meant to be served. */
function isHidden(path: string): boolean {
  if (!path.startsWith('.') && !path.includes('/.')) return false
  return !path.startsWith('.well-known/') && !/^\.(?:mintlify|octavo)\/specs\//.test(path)
}

/** True for files such as `guides/.NET.mdx`, but not for files in dot folders, even if the navigation lists them. */
function isPageBesideOthers(path: string): boolean {
  return /^(?:[^./][^/]*\/)*\.[^/]+\.mdx?$/.test(path)
}

/** The ignore package throws on paths that are not relative and normalized. */
function isPlainPath(path: string): boolean {
  return (
    path !== '' && !path.startsWith('/') && !path.split('/').some((part) => part === '..' || part === '.')
  )
}
