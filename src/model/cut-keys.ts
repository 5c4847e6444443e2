/** Removes keys from provider messages, because some quote a rejected key in full or in part. */

const MARK = '[key]'
/** Minimum length of a text that counts as part of a key. */
const PIECE = 8
/** Minimum length of a secret key; shorter ones are placeholders for local servers, such as `none`. */
const SECRET_LENGTH = 16

/**
 * For error messages: removes whole keys and all pieces of at least eight characters. `known` texts, such as the name
 * of the model, are not secret, so pieces that also occur in them stay.
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

/** Returns whether the range is not part of a longer word. */
function standsAlone(text: string, start: number, end: number): boolean {
  return !/[\p{L}\p{N}]/u.test(`${text.charAt(start - 1)}${text.charAt(end)}`)
}

/** For answers: removes whole keys only, because pages about keys contain their prefixes. */
export function cutWholeKeys(text: string, keys: readonly string[]): string {
  let shown = text
  for (const key of keys) if (key.length >= SECRET_LENGTH) shown = shown.replaceAll(key, MARK)
  return shown
}

function formsOf(key: string): string[] {
  if (key.length < 4) return []
  return [key, encodeURIComponent(key), Buffer.from(key).toString('base64').replaceAll('=', '')]
}
