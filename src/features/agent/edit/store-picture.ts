/** Last step of place_picture, in the tools' process: validates the picture and writes it as a file. */

import { plural } from '../loop/result-text.ts'
import type { ToolContext } from '../loop/tool.ts'
import type { PlacedPicture } from '../loop/tool-process.ts'
import { contentBytes } from '../review/change-content.ts'
import { writePicture, writeText } from './change-files.ts'
import { inspectPicture } from './inspect-picture.ts'
import { findExisting, normalizePath, quotePath } from './paths.ts'

/** Throws ToolRefusal. */
export async function storePicture(
  context: ToolContext,
  { path, picture, source }: PlacedPicture,
): Promise<string> {
  const { tree } = context.workspace
  const normal = normalizePath(path)
  const file = findExisting(tree, normal) ?? normal
  const isNew = !tree.files.has(file)
  const { content, description: told } = inspectPicture(file, contentBytes(picture))
  if (typeof content === 'string') await writeText(context, file, content)
  else await writePicture(context, file, content)
  const done = isNew ? `Placed ${quotePath(file)}` : `Placed ${quotePath(file)} over the one that was there`
  const size = tree.files.get(file)?.sizeBytes ?? 0
  return `${done}: ${told}, ${plural(size, 'byte')}, from ${source}. You cannot see it: go by where it was shown. Show it in a page by its path from the root, ![what it shows](/${encodeURI(file)}), with words for readers who cannot see it; the check asks for them.`
}
