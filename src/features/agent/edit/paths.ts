/**
 * Paths that the agent may see and write. Paths from a model are always relative to the docs folder, and no input
 * resolves to a path outside it.
 */
import { posix } from 'node:path'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { createClosestFinder } from '../../../site/navigation/closest.ts'
import { ToolRefusal } from '../loop/tool.ts'

const MAX_PATH_CHARACTERS = 400
const MAX_NAME_BYTES = 200

const DEVICE_NAMES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i
/** Invisible and bidirectional characters; git treats some names that contain them as `.git`. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}\p{Default_Ignorable_Code_Point}\ufffd]/u

/**
 * Normalizes a path written by a model (`./a/b.mdx`, `/a/b.mdx`, `a/x/../b.mdx`) to a path below the docs folder;
 * empty for the docs folder itself. Throws ToolRefusal for anything else.
 */
export function normalizePath(text: string): string {
  if (text.length > MAX_PATH_CHARACTERS) refusePath(text, `is longer than ${MAX_PATH_CHARACTERS} characters`)
  if (!text.isWellFormed() || /[\p{Cc}\ufffd]/u.test(text)) refusePath(text, 'contains control characters')
  if (text.includes('\\')) refusePath(text, 'contains a backslash; write / between folders')
  const path = posix.normalize(text.normalize('NFC').replace(/^\/+/, ''))
  if (/^[a-z]:/i.test(path)) refusePath(text, 'contains a drive letter')
  if (path === '..' || path.startsWith('../')) refusePath(text, 'is outside the docs folder')
  const trimmed = path.replace(/(?<!\/)\/+$/, '')
  const inner = trimmed === '.' ? '' : trimmed
  if (inner !== '' && isHidden(inner))
    refusePath(text, 'is used by tools and is not part of the documentation')
  return inner
}

/** Returns whether the agent may see a file of the tree. */
export function isShown(path: string): boolean {
  return path.isWellFormed() && !/[\p{Cc}\ufffd\\]/u.test(path) && !isHidden(path)
}

/** Returns whether a path has a dot file or folder (`.git`, `.github`, `.octavo`), or installed packages. */
export function isHidden(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.') || name.toLowerCase() === 'node_modules')
}

/** Finds the file that a model refers to. Throws ToolRefusal with the closest name when there is none. */
export function existingPath(tree: FileTree, text: string): string {
  const path = normalizePath(text)
  const found = findExisting(tree, path)
  if (found !== null) return found
  if (path === '' || hasFolder(tree, path)) {
    throw new ToolRefusal(`${quotePath(path || '.')} is a folder. List its files with list_files.`)
  }
  const closest = createClosestFinder([...tree.files.keys()].filter(isShown)).find(path)
  const hint = closest ? `Did you mean ${quotePath(closest)}?` : 'List the files with list_files.'
  throw new ToolRefusal(`There is no file ${quotePath(path)}. ${hint}`)
}

/** `path` is normalized. The repository may use decomposed Unicode names, which no model writes. */
export function findExisting(tree: FileTree, path: string): string | null {
  if (tree.files.has(path)) return path
  if (!/[^\x00-\x7f]/.test(path)) return null
  for (const file of tree.files.keys()) if (isShown(file) && file.normalize('NFC') === path) return file
  return null
}

export function hasFolder(tree: FileTree, folder: string): boolean {
  if (folder === '') return true
  for (const file of tree.files.keys()) if (file.startsWith(`${folder}/`) && isShown(file)) return true
  return false
}

/**
 * Throws ToolRefusal when the name of a new file is not portable to every system. Also throws when the name is taken:
 * by a file or folder that differs only in case, or by a file where a folder is needed. `movedFrom` is a file that is
 * deleted in the same step.
 */
export function checkNewName(tree: FileTree, path: string, movedFrom: string | null = null): void {
  for (const name of path.split('/')) checkName(path, name)
  const names = path.split('/')
  const folded = names.map(foldName)
  for (const file of tree.files.keys()) {
    if (file === movedFrom) continue
    const clash = findClash(names, folded, file.split('/'))
    if (clash !== null) throw new ToolRefusal(`A file cannot be named ${quotePath(path)}: ${clash}.`)
  }
}

function checkName(path: string, name: string): void {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    refusePath(path, `has a name of more than ${MAX_NAME_BYTES} bytes`)
  if (INVISIBLE_CHARACTERS.test(name)) refusePath(path, 'contains invisible characters')
  const bad = /[<>:"|?*#%`$&;!']/.exec(name)
  if (bad) refusePath(path, `contains ${bad[0]}; use letters, digits and hyphens`)
  if (/^[\s~-]|[\s.]$/u.test(name))
    refusePath(path, 'has a name that begins or ends with a space, dot, hyphen or ~')
  if (DEVICE_NAMES.test(name) || /^git~\d/i.test(name))
    refusePath(path, 'has a name that is reserved on some systems')
}

function findClash(
  names: readonly string[],
  folded: readonly string[],
  other: readonly string[],
): string | null {
  for (const [depth, name] of names.entries()) {
    const there = other[depth]
    if (there === undefined || foldName(there) !== folded[depth]) return null
    const isEnd = depth === names.length - 1
    const isOtherEnd = depth === other.length - 1
    const quotedPath = quotePath(other.slice(0, depth + 1).join('/'))
    if (isOtherEnd && !isEnd) return `${quotedPath} is a file, not a folder`
    if (isEnd && !isOtherEnd) return `${quotedPath} is a folder`
    if (there !== name) return `${quotedPath} differs from it only in case`
  }
  return null
}

function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFC')
}

/** Quotes a path in a sentence, on one line and shortened to 200 characters. */
export function quotePath(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 199)}…` : path)
}

export function refusePath(text: string, why: string): never {
  throw new ToolRefusal(
    `The path ${quotePath(text)} ${why}${why.endsWith('.') ? '' : '.'} Paths are relative to the docs folder, such as "guides/setup.mdx".`,
  )
}
