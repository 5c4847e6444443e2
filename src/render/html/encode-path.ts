/** Matches paths that need no encoding. */
const PLAIN = /^[\w\-.!~*'()@$,+=/]*$/

/** Encodes each segment, except for common characters that are allowed in URLs. */
export function encodePath(path: string): string {
  if (PLAIN.test(path)) return path
  return path
    .split('/')
    .map((part) =>
      encodeURIComponent(part.toWellFormed()).replace(/%(?:40|24|2C|2B|3D)/g, decodeURIComponent),
    )
    .join('/')
}
