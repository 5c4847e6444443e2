/** Separates imports and exports from the prose of a page, and resolves the imported names. */
import { posix } from 'node:path'
import type { FileTree } from '../../base/files/file-tree.ts'
import { scanModule } from '../../site/pages/scan-imports.ts'
import { readTextFile } from '../../site/text.ts'
import { isPage } from '../imported-site.ts'
import type { Line } from '../markdown/blocks.ts'

export type Imported =
  /** Part of the Docusaurus theme. `name` is the name of the module without its scope: `Tabs`, `Link`. */
  | { kind: 'theme'; name: string }
  /** Partial or component. Its file is imported into the new site as well. */
  | { kind: 'snippet'; file: string }
  | { kind: 'asset'; file: string }
  /** Content of a file imported with `!!raw-loader!`. */
  | { kind: 'text'; text: string }
  | { kind: 'unknown'; specifier: string }

export interface ImportStatement {
  lines: Line[]
  /** Text between `import` and `from`. */
  clause: string
  specifier: string
  names: string[]
}

const MAX_STATEMENT_LINES = 30

export function readImport(lines: readonly Line[], at: number): ImportStatement | null {
  if (!/^import[\s{"'*]/.test(lines[at]?.text ?? '')) return null
  let text = ''
  for (let end = at; end < lines.length && end - at < MAX_STATEMENT_LINES; end++) {
    const line = lines[end]?.text ?? ''
    if (line.trim() === '') return null
    text += `${line}\n`
    if (text.length > 4000) return null
    const found = /^import(?:([^"']*)\bfrom)?\s*(["'])([^"'\n]+)\2\s*;?\s*$/.exec(text)
    if (!found) continue
    const clause = (found[1] ?? '').trim()
    return {
      lines: lines.slice(at, end + 1),
      clause,
      specifier: found[3] as string,
      names: parseImportedNames(clause),
    }
  }
  return null
}

function parseImportedNames(clause: string): string[] {
  const [before = '', inner = ''] = clause.replace('}', '').split('{')
  const inBraces = inner.split(',').map((one) => one.trim().split(/\s/).at(-1) ?? '')
  const outside = before.split(',').map((one) => one.trim().replace(/^\*\s+as\s+/, ''))
  return [...outside, ...inBraces].filter((name) => /^[\w$]+$/.test(name))
}

/** Returns the number of lines in the export that begins at `at`; 0 if none begins there. */
export function exportLength(lines: readonly Line[], at: number): number {
  if (!/^export\s/.test(lines[at]?.text ?? '')) return 0
  let depth = 0
  for (let end = at; end < lines.length && end - at < 500; end++) {
    const line = lines[end]?.text ?? ''
    for (const character of line) {
      if ('([{'.includes(character)) depth++
      else if (')]}'.includes(character)) depth--
    }
    const isLast = (lines[end + 1]?.text ?? '').trim() === ''
    if (depth <= 0 && isLast) return end - at + 1
  }
  return 1
}

const SCRIPT_ENDINGS = [
  '',
  '.jsx',
  '.tsx',
  '.js',
  '.ts',
  '/index.jsx',
  '/index.tsx',
  '/index.js',
  '/index.ts',
]

export async function resolveImport(tree: FileTree, file: string, specifier: string): Promise<Imported> {
  const theme = /^@(?:theme|theme-original|docusaurus)\/(.+)$/.exec(specifier)
  if (theme) return { kind: 'theme', name: theme[1] as string }
  const raw = /^!!raw-loader!(.+)$/.exec(specifier)?.[1]
  const path = localPath(file, raw ?? specifier)
  if (path === null) return { kind: 'unknown', specifier }
  if (raw !== undefined) return findRawText(tree, path, specifier)
  const found = SCRIPT_ENDINGS.map((ending) => path + ending).find((one) => tree.files.has(one))
  if (found === undefined) return { kind: 'unknown', specifier }
  if (isPage(found)) return { kind: 'snippet', file: found }
  if (/\.(?:png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|mp3|pdf)$/i.test(found))
    return { kind: 'asset', file: found }
  const closure = await componentClosure(tree, found)
  return closure ? { kind: 'snippet', file: found } : { kind: 'unknown', specifier }
}

const MAX_RAW_TEXT_CHARACTERS = 100_000

async function findRawText(tree: FileTree, path: string, specifier: string): Promise<Imported> {
  const text = tree.files.has(path) ? await readTextFile(tree, path) : null
  return text === null || text.length > MAX_RAW_TEXT_CHARACTERS
    ? { kind: 'unknown', specifier }
    : { kind: 'text', text }
}

/** Returns the path below the source folder, or null for a package. */
export function localPath(file: string, specifier: string): string | null {
  if (specifier.startsWith('@site/')) return posix.normalize(specifier.slice('@site/'.length))
  if (!/^\.{1,2}\//.test(specifier)) return null
  const path = posix.join(posix.dirname(file), specifier)
  return path.startsWith('..') ? null : path
}

const MAX_MODULES = 40

/** Returns the paths of a component and all its imports; null if it imports packages other than React. */
export async function componentClosure(tree: FileTree, file: string): Promise<string[] | null> {
  const found = new Set([file])
  for (const one of found) {
    if (!/\.[jt]sx?$/.test(one) || found.size > MAX_MODULES) return null
    const text = await readTextFile(tree, one)
    if (/\b(?:require|import)\s*\(/.test(text)) return null
    for (const { specifier } of scanModule(text)) {
      if (specifier === 'react') continue
      const path = localPath(one, specifier)
      const next = path && SCRIPT_ENDINGS.map((ending) => path + ending).find((each) => tree.files.has(each))
      if (!next || specifier.startsWith('@site/')) return null
      found.add(next)
    }
  }
  return [...found]
}

/**
 * Removes an unused import of React, which JSX used to require. Other names of the statement are preserved.
 */
export function removeReactImport(text: string): string {
  const statement =
    /^import[ \t]+(?:\*[ \t]+as[ \t]+)?React[ \t]*(?:,[ \t]*(\{[^{}]*\})[ \t]*)?from[ \t]*(["'])react\2[ \t]*;?[ \t]*\r?\n/m
  const found = statement.exec(text)
  if (!found || /\bReact\b/.test(text.replace(statement, ''))) return text
  return text
    .replace(statement, found[1] === undefined ? '' : `import ${found[1]} from 'react'\n`)
    .trimStart()
}

/**
 * Returns a path in the new folder. Scripts become `.jsx`, because Octavo loads `.js` files on every page.
 */
export function snippetPath(file: string): string {
  return `snippets/${file
    .replace(/\.js$/, '.jsx')
    .replace(/\.ts$/, '.tsx')
    .replace(/\.(?:md|markdown)$/, '.mdx')}`
}
