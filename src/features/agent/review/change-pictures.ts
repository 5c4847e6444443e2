/** Reports pictures on changed pages without alternative text, and new pictures that no page shows. */

import type { Problem } from '../../../base/errors/problem.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { createLineFinder } from '../../../base/text/text-lines.ts'
import { markdownLinks } from '../../../site/pages/scan-links.ts'
import { maskCode } from '../../../site/pages/scan-page.ts'
import { findReferences } from '../check/find-references.ts'
import { decodeFileText, MAX_FILE_BYTES } from '../edit/change-files.ts'
import type { FileChange } from '../publish/workspace.ts'
import { isPicture } from './change-content.ts'

const PAGE = /\.mdx?$/
/** The `>` of an arrow function does not end the tag. */
const TAG = /<img(?=[\s/>])(?:[^<>]|(?<==)>)*>/g
/** Alternative text, a mark as decoration, or spread properties whose content is unknown here. */
const HAS_TEXT = /\salt\s*=|\srole=["'](?:presentation|none)["']|\saria-hidden\b|\{\.\.\./
const SOURCE = /\ssrc\s*=\s*(?:\{\s*)?["']([^"'\n]{1,500})["']/

/** Returns the problems of the changed files before and after. */
export async function findPictureProblems(
  { before, after }: { before: FileTree; after: FileTree },
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<{ before: Problem[]; after: Problem[] }> {
  const found: { before: Problem[]; after: Problem[] } = { before: [], after: [] }
  for (const { path } of changes) {
    if (!PAGE.test(path)) continue
    found.before.push(...(await checkImages(before, path)))
    found.after.push(...(await checkImages(after, path)))
  }
  for (const { path, change } of changes)
    if (change === 'added' && isPicture(path) && !(await isUsed(after, path, signal)))
      found.after.push(createUnusedProblem(path))
  return found
}

/** Used in a page or a snippet, or by a setting such as the logo. */
async function isUsed(tree: FileTree, path: string, signal: AbortSignal): Promise<boolean> {
  if ((await findReferences(tree, path, signal)).length > 0) return true
  for (const [file, { sizeBytes }] of tree.files) {
    if (!/\.(?:mdx?|jsx|tsx|css|json|ya?ml)$/.test(file) || sizeBytes > MAX_FILE_BYTES) continue
    signal.throwIfAborted()
    if ((decodeFileText(await tree.read(file)) ?? '').includes(path)) return true
  }
  return false
}

function createUnusedProblem(path: string): Problem {
  return {
    file: path,
    line: null,
    code: 'change.picture_unshown',
    level: 'warning',
    message: 'No page shows this new picture.',
    remedy: `Show it where it belongs, as ![what it shows](/${encodeURI(path)}), or delete it.`,
  }
}

async function checkImages(tree: FileTree, file: string): Promise<Problem[]> {
  const entry = tree.files.get(file)
  if (entry === undefined || entry.sizeBytes > MAX_FILE_BYTES) return []
  const text = maskCode(decodeFileText(await tree.read(file)) ?? '', 0)
  const lines = createLineFinder(text)
  return [...findImagesWithoutText(text)].map(({ at, source }) => ({
    file,
    line: lines.lineOf(at),
    code: 'change.alt_missing',
    level: 'warning',
    message: `The picture ${source} has no words for readers who cannot see it.`,
    remedy:
      'Say what it shows, between the brackets of ![…](…) or in alt="…". Decoration has alt="" on its <img>.',
  }))
}

function* findImagesWithoutText(text: string): Iterable<{ at: number; source: string }> {
  for (const { href, isImage, isSpaced, start } of markdownLinks(text))
    if (isImage && !isSpaced && /^!\[\s*\]/.test(text.slice(start, start + 100)))
      yield { at: start, source: href }
  for (const { 0: tag, index } of text.matchAll(TAG))
    if (!HAS_TEXT.test(tag)) yield { at: index, source: SOURCE.exec(tag)?.[1] ?? 'without an address' }
}
