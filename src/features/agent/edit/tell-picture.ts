/** What is known of a picture without seeing it: its size, and where it is shown. */

import type { FileTree } from '../../../base/files/file-tree.ts'
import { pictureSize } from '../../../render/remote/image-sizes.ts'
import { findReferences } from '../check/find-references.ts'
import { plural } from '../loop/result-text.ts'
import type { ToolContext } from '../loop/tool.ts'
import { quotePath } from './paths.ts'
import { kindOf } from './picture-kinds.ts'

/** Larger ones are known by their names alone. */
const MOST_BYTES = 8 << 20
const MOST_PLACES = 20

export async function tellPicture(
  { workspace: { tree }, signal }: Pick<ToolContext, 'workspace' | 'signal'>,
  path: string,
): Promise<string> {
  const places = await findReferences(tree, path, signal)
  const shown = places.slice(0, MOST_PLACES).map(({ file, line, text }) => `${file} line ${line}: ${text}`)
  const more = places.length > MOST_PLACES ? [`and ${places.length - MOST_PLACES} more`] : []
  const where = places.length === 0 ? 'No page shows it.' : `Shown at:\n${[...shown, ...more].join('\n')}`
  return `${quotePath(path)} is a picture: ${await describePicture(tree, path)}. You cannot see it: go by its name and by what stands around it. ${where}`
}

/** `PNG, 800 × 600 pixels, 12345 bytes`; of one that is damaged less. */
export async function describePicture(tree: FileTree, path: string): Promise<string> {
  const sizeBytes = tree.files.get(path)?.sizeBytes ?? 0
  const bytes = sizeBytes > MOST_BYTES ? null : Buffer.from(await tree.read(path))
  const size = bytes === null ? null : pictureSize(bytes)
  const kind = bytes === null ? null : kindOf(bytes)
  const parts = [kind?.name, size && `${size.width} × ${size.height} pixels`, plural(sizeBytes, 'byte')]
  return parts.filter(Boolean).join(', ')
}
