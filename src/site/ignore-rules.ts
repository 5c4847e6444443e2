/** Which files of the docs folder do not belong to the site. */
import ignore from 'ignore'
import type { FileTree } from '../base/file-tree.ts'
import { readTextFile } from './text.ts'

export interface IgnoreRules {
  isIgnored(path: string): boolean
}

/** Folders of tools at any depth; build folders at the root only, since `guides/build` is a common place for pages. */
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
/** Notes about the repository at any depth; one that the navigation names is a page all the same. */
const IGNORED_NOTES = ['README.md', 'LICENSE.md', 'CHANGELOG.md', 'CONTRIBUTING.md']
export const RULE_FILES = ['.mintignore', '.octavoignore']

/** `named` are the paths, without extension, that the navigation may mean. */
export async function loadIgnoreRules(tree: FileTree, named: ReadonlySet<string>): Promise<IgnoreRules> {
  const rules = ignore().add(ALWAYS_IGNORED).add(IGNORED_NOTES)
  const authored = ignore()
  for (const file of RULE_FILES) {
    if (!tree.files.has(file)) continue
    const text = await readTextFile(tree, file)
    rules.add(text)
    authored.add(text)
  }
  return {
    isIgnored(path) {
      if (!isPlainPath(path)) return true
      const isNamed = named.has(path.replace(/\.mdx?$/, ''))
      if (isHidden(path) && !(isNamed && isPageBesideOthers(path))) return true
      if (!rules.ignores(path)) return false
      const isNote = IGNORED_NOTES.some((note) => path === note || path.endsWith(`/${note}`))
      return !(isNote && isNamed && !authored.ignores(path))
    },
  }
}

/** Dot folders and dot files are settings of tools, except what is meant to be served. */
function isHidden(path: string): boolean {
  if (!path.startsWith('.') && !path.includes('/.')) return false
  return !path.startsWith('.well-known/') && !/^\.(?:mintlify|octavo)\/(?:skills|specs)\//.test(path)
}

/** `guides/.NET.mdx` is about a platform; a dot folder stays one of tools, whatever the navigation names. */
function isPageBesideOthers(path: string): boolean {
  return /^(?:[^./][^/]*\/)*\.[^/]+\.mdx?$/.test(path)
}

/** The ignore package throws on paths that are not relative and normal. */
function isPlainPath(path: string): boolean {
  return (
    path !== '' && !path.startsWith('/') && !path.split('/').some((part) => part === '..' || part === '.')
  )
}
