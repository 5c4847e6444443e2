/** Parses GitBook's blocks: `{% name option="value" %}`. */

export interface BlockTag {
  name: string
  options: ReadonlyMap<string, string>
  /** Text after the name that is not an option, such as the path in an include. */
  words: string
  source: string
}

export type Piece = { tag: BlockTag } | { text: string }

const MAX_TAG = 20_000

/** Splits text at tags. An unclosed tag is text. */
export function splitTags(text: string): Piece[] {
  const pieces: Piece[] = []
  let textStart = 0
  for (let at = text.indexOf('{%'); at !== -1; at = text.indexOf('{%', textStart)) {
    const close = text.indexOf('%}', at + 2)
    if (close === -1 || close - at > MAX_TAG) break
    if (at > textStart) pieces.push({ text: text.slice(textStart, at) })
    pieces.push({ tag: readBlockTag(text.slice(at + 2, close), text.slice(at, close + 2)) })
    textStart = close + 2
  }
  if (textStart < text.length) pieces.push({ text: text.slice(textStart) })
  return pieces
}

function readBlockTag(inner: string, source: string): BlockTag {
  const text = inner.trim()
  const name = /^[@\w/-]+/.exec(text)?.[0] ?? ''
  const options = new Map<string, string>()
  for (const [, key = '', double, single, bare] of text.matchAll(
    /([\w-]{1,60})=(?:"([^"]*)"|'([^']*)'|([^\s"']{1,200}))/g,
  ))
    options.set(key, double ?? single ?? bare ?? '')
  return {
    name,
    options,
    words: text
      .slice(name.length)
      .trim()
      .replace(/^["']|["']$/g, ''),
    source,
  }
}
