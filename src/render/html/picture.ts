/** Finds `<img>` elements whose size should be determined. */

import { decodePath } from '../../base/text/decode-path.ts'
import { attributeValue, toFetchableUrl } from './addresses.ts'
import type { Attributes } from './markup.ts'

const ADDRESS = /^(?:\/(?!\/)([^?#]*)|((?:https?:)?\/\/.+))/i

/** Returns the path or remote URL; null if the author set both dimensions or an aspect ratio. */
export function readPicture(attributes: Attributes): string | null {
  const [, path, elsewhere] = ADDRESS.exec(attributeValue(attributes, 'src') ?? '') ?? []
  if (path === undefined && elsewhere === undefined) return null
  if (isWhole(attributes)) return null
  return elsewhere === undefined ? decodePath(path ?? '') : toFetchableUrl(elsewhere)
}

function isWhole(attributes: Attributes): boolean {
  if (attributeValue(attributes, 'width') !== null && attributeValue(attributes, 'height') !== null)
    return true
  return ['class', 'style'].some((name) => attributeValue(attributes, name)?.includes('aspect-'))
}
