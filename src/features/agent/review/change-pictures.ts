/** Reports images on changed pages without alternative text, and new images that no page shows. */

import type { Problem } from '../../../base/errors/problem.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { createLineFinder } from '../../../base/text/text-lines.ts'
import { markdownLinks } from '../../../site/pages/scan-links.ts'
import { maskCode } from '../../../site/pages/scan-page.ts'
import { findReferences } from '../check/find-references.ts'
import { findText } from '../edit/change-files.ts'
import type { FileChange } from '../publish/workspace.ts'
import { isImageFile } from './change-content.ts'

const PAGE = /\.mdx?$/
/** The `>` of an arrow function does not end the tag. */
const TAG = /<img(?=[\s/>])(?:[^<>]|(?<==)>)*>/g
/** Alternative text, an attribute that marks an image as decoration, or spread properties with unknown content. */
const HAS_ALTERNATIVE_TEXT = /\salt\s*=|\srole=["'](?:presentation|none)["']|\saria-hidden\b|\{\.\.\./
const SOURCE = /\ssrc\s*=\s*(?:\{\s*)?["']([^"'\n]{1,500})["']/

export async function findImageProblems(
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
    if (change === 'added' && isImageFile(path) && !(await isUsed(after, path, signal)))
      found.after.push(createUnusedImageProblem(path))
  return found
}

/** Returns whether an image is used in a page or a snippet, or by a setting such as the logo. */
async function isUsed(tree: FileTree, path: string, signal: AbortSignal): Promise<boolean> {
  if ((await findReferences(tree, path, signal)).length > 0) return true
  for (const file of tree.files.keys()) {
    if (!/\.(?:mdx?|jsx|tsx|css|json|ya?ml)$/.test(file)) continue
    signal.throwIfAborted()
    if ((await findText(tree, file))?.includes(path)) return true
  }
  return false
}

function createUnusedImageProblem(path: string): Problem {
  return {
    file: path,
    line: null,
    code: 'change.picture_unshown',
    level: 'warning',
    message: 'No page shows this new image.',
    remedy: `Add it to a page as ![description](/${encodeURI(path)}), or delete it.`,
  }
}

async function checkImages(tree: FileTree, file: string): Promise<Problem[]> {
  const text = maskCode((await findText(tree, file)) ?? '', 0)
  const lines = createLineFinder(text)
  return [...findImagesWithoutText(text)].map(({ at, source }) => ({
    file,
    line: lines.lineOf(at),
    code: 'change.alt_missing',
    level: 'warning',
    message: `The picture ${source} has no alternative text.`,
    remedy:
      'Describe it between the brackets of ![…](…) or in alt="…". For decorative images, use alt="" on the <img>.',
  }))
}

function* findImagesWithoutText(text: string): Iterable<{ at: number; source: string }> {
  for (const { href, isImage, isSpaced, start } of markdownLinks(text))
    if (isImage && !isSpaced && /^!\[\s*\]/.test(text.slice(start, start + 100)))
      yield { at: start, source: href }
  for (const { 0: tag, index } of text.matchAll(TAG))
    if (!HAS_ALTERNATIVE_TEXT.test(tag)) yield { at: index, source: SOURCE.exec(tag)?.[1] ?? 'without a URL' }
}
