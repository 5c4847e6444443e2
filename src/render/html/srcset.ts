/** Parses a `srcset` like browsers: `a.png 1x, b.png 2x`. */

interface Candidate {
  url: string
  /** Width or density with a leading space, or empty. */
  descriptor: string
}

/** A comma ends a URL only if followed by white space. After a descriptor it is always a separator. */
export function readSrcset(value: string): Candidate[] {
  const candidates: Candidate[] = []
  const token = /[\s,]*([^\s,]\S*)/y
  for (let at = 0; ; ) {
    token.lastIndex = at
    const found = token.exec(value)?.[1]
    if (found === undefined) return candidates
    at = token.lastIndex
    const url = withoutCommas(found)
    const comma = value.indexOf(',', at)
    const end = url !== found ? at : comma === -1 ? value.length : comma
    const descriptor = value.slice(at, end).trim()
    if (url !== '') candidates.push({ url, descriptor: descriptor && ` ${descriptor}` })
    at = end
  }
}

function withoutCommas(url: string): string {
  let end = url.length
  while (url[end - 1] === ',') end--
  return url.slice(0, end)
}

export function rewriteSrcset(value: string, rewrite: (url: string) => string): string {
  return readSrcset(value)
    .map(({ url, descriptor }) => rewrite(url) + descriptor)
    .join(', ')
}
