/** The picture of an `<img>`, where its size would be of use. */

import { decodePath } from '../../base/text/decode-path.ts'
import { absoluteUrl, attributeValue } from './addresses.ts'
import type { Attributes } from './markup.ts'

const ADDRESS = /^(?:\/(?!\/)([^?#]*)|((?:https?:)?\/\/.+))/i

/** Its path in the site, or its address on another server; null where the author gave both sides, or a shape. */
export function pictureOf(attributes: Attributes): string | null {
  const [, path, elsewhere] = ADDRESS.exec(attributeValue(attributes, 'src') ?? '') ?? []
  if (path === undefined && elsewhere === undefined) return null
  if (isWhole(attributes)) return null
  return elsewhere === undefined ? decodePath(path ?? '') : absoluteUrl(elsewhere)
}

function isWhole(attributes: Attributes): boolean {
  if (attributeValue(attributes, 'width') !== null && attributeValue(attributes, 'height') !== null)
    return true
  return ['class', 'style'].some((name) => attributeValue(attributes, name)?.includes('aspect-'))
}
