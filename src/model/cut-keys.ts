/** Keys cut out of what a provider says: some quote the key that they refuse, whole or in part. */

const MARK = '[key]'
/** A piece of a key that is this long is taken for a part of it. */
const PIECE = 8
/** A shorter key is a placeholder such as `none`, which local servers are given. */
const SECRET_LENGTH = 16

/**
 * For error texts: whole keys, and every piece of one that has eight characters or more. `known` is no secret, such as the
 * name of the model: what a key shares with it stays.
 */
export function cutKeyPieces(text: string, keys: readonly string[], known: readonly string[] = []): string {
  const hidden = new Uint8Array(text.length)
  const hide = (piece: string, isWord: boolean) => {
    for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
      if (!isWord || standsAlone(text, at, at + piece.length)) hidden.fill(1, at, at + piece.length)
    }
  }
  for (const form of keys.flatMap(formsOf)) {
    hide(form, form.length < PIECE)
    for (let start = 0; start + PIECE <= form.length; start++) {
      const piece = form.slice(start, start + PIECE)
      if (!known.some((one) => one.includes(piece))) hide(piece, false)
    }
  }
  let shown = ''
  for (let at = 0; at < text.length; at++) {
    if (hidden[at] === 0) shown += text[at]
    else if (at === 0 || hidden[at - 1] === 0) shown += MARK
  }
  return shown
}

/** Not within a longer word. */
function standsAlone(text: string, start: number, end: number): boolean {
  return !/[\p{L}\p{N}]/u.test(`${text.charAt(start - 1)}${text.charAt(end)}`)
}

/** For answers: whole keys only, since pages about keys hold their prefixes. */
export function cutWholeKeys(text: string, keys: readonly string[]): string {
  let shown = text
  for (const key of keys) if (key.length >= SECRET_LENGTH) shown = shown.replaceAll(key, MARK)
  return shown
}

function formsOf(key: string): string[] {
  if (key.length < 4) return []
  return [key, encodeURIComponent(key), Buffer.from(key).toString('base64').replaceAll('=', '')]
}
