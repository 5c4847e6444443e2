/** A change as its reviewers see it, in a text that a model reads. */

import { type DiffLine, plainDiff } from '../../../base/files/diff-file.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { createBreaks } from '../../../base/text/breaks.ts'
import { textIn } from '../edit/change-files.ts'
import { quotePath } from '../edit/paths.ts'
import { describePicture } from '../edit/tell-picture.ts'
import type { FileChange } from '../publish/workspace.ts'
import { isPicture } from './change-content.ts'

/** Characters of the whole, and of one file of several. */
const MOST = 24_000
const MOST_OF_FILE = 8000

const SIGNS: Record<DiffLine['kind'], string> = { same: ' ', added: '+', removed: '-' }

export async function changeDiff(
  before: FileTree,
  after: FileTree,
  changes: readonly FileChange[],
): Promise<string> {
  const parts: string[] = []
  const breaks = createBreaks()
  let room = MOST
  for (const [index, { path, change }] of changes.entries()) {
    if (room <= 0) {
      parts.push(`(${changes.length - index} more changed files are left out: read them.)`)
      break
    }
    const lines = change === 'deleted' ? [] : await linesOf(before, after, path)
    const text = cut(lines.join('\n'), changes.length === 1 ? room : Math.min(room, MOST_OF_FILE))
    room -= text.length
    parts.push(`${quotePath(path)}, ${change}${text === '' ? '' : `:\n${text}`}`)
    if (breaks.areDue()) await breaks.take()
  }
  return parts.join('\n\n')
}

async function linesOf(before: FileTree, after: FileTree, path: string): Promise<string[]> {
  if (isPicture(path))
    return [await pictureLine('before', before, path), await pictureLine('after', after, path)]
  const hunks = plainDiff(await textIn(before, path), await textIn(after, path))
  return hunks.flatMap((hunk) => [
    `@@ line ${hunk.find(({ after: number }) => number !== null)?.after ?? 1}`,
    ...hunk.map(({ kind, parts }) => SIGNS[kind] + parts.map(({ text }) => text).join('')),
  ])
}

async function pictureLine(side: string, tree: FileTree, path: string): Promise<string> {
  const told = tree.files.has(path) ? await describePicture(tree, path) : 'none'
  return `(${side} the change: ${told})`
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most).toWellFormed()}\n(… ${text.length - most} more characters of this file: read it.)`
}
