/** What is known of a picture without seeing it: its size, and where it is shown. */
import { pictureSize } from '../render/remote/image-sizes.ts'
import { findReferences } from './find-references.ts'
import { quotePath } from './paths.ts'
import { plural } from './result-text.ts'
import type { ToolContext } from './tool.ts'

const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|bmp)$/i
/** Larger ones are known by their names alone. */
const MOST_BYTES = 8 << 20
const MOST_PLACES = 20

/** A drawing in SVG is a text. */
export function isPicture(path: string): boolean {
  return PICTURE.test(path)
}

export async function tellPicture(
  { workspace: { tree }, signal }: Pick<ToolContext, 'workspace' | 'signal'>,
  path: string,
): Promise<string> {
  const sizeBytes = tree.files.get(path)?.sizeBytes ?? 0
  const size = sizeBytes > MOST_BYTES ? null : pictureSize(await tree.read(path))
  const pixels = size === null ? '' : `${size.width} × ${size.height} pixels, `
  const places = await findReferences(tree, path, signal)
  const shown = places.slice(0, MOST_PLACES).map(({ file, line, text }) => `${file} line ${line}: ${text}`)
  const more = places.length > MOST_PLACES ? [`and ${places.length - MOST_PLACES} more`] : []
  const where = places.length === 0 ? 'No page shows it.' : `Shown at:\n${[...shown, ...more].join('\n')}`
  return `${quotePath(path)} is a picture: ${pixels}${plural(sizeBytes, 'byte')}. You cannot see it: go by its name and by what stands around it. ${where}`
}
