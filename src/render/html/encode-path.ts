/** Of nothing but these an encoded path is what it was. */
const PLAIN = /^[\w\-.!~*'()@$,+=/]*$/

/** Paths in addresses: each part encoded, except for the characters that may stand there and often do. */
export function encodePath(path: string): string {
  if (PLAIN.test(path)) return path
  return path
    .split('/')
    .map((part) =>
      encodeURIComponent(part.toWellFormed()).replace(/%(?:40|24|2C|2B|3D)/g, decodeURIComponent),
    )
    .join('/')
}
