/** Removes keys from provider messages, because some providers quote a rejected key in full or in part. */

const REDACTION_MARK = '[key]'
/** Minimum length of the pieces of keys that are removed. */
const MIN_PIECE_LENGTH = 8
/** Minimum length of a secret key. Shorter keys are placeholders for local servers, such as `none`. */
const MIN_SECRET_LENGTH = 16

/**
 * Removes keys from error messages, including pieces of at least eight characters. Pieces that also occur in
 * the `known` texts, such as the name of the model, are not secret and remain.
 */
export function redactKeyPieces(
  text: string,
  keys: readonly string[],
  known: readonly string[] = [],
): string {
  const hidden = new Uint8Array(text.length)
  const redact = (piece: string, isWord: boolean) => {
    for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
      if (!isWord || isWholeWord(text, at, at + piece.length)) hidden.fill(1, at, at + piece.length)
    }
  }
  for (const form of keys.flatMap(listEncodings)) {
    redact(form, form.length < MIN_PIECE_LENGTH)
    for (let start = 0; start + MIN_PIECE_LENGTH <= form.length; start++) {
      const piece = form.slice(start, start + MIN_PIECE_LENGTH)
      if (!known.some((one) => one.includes(piece))) redact(piece, false)
    }
  }
  let shown = ''
  for (let at = 0; at < text.length; at++) {
    if (hidden[at] === 0) shown += text[at]
    else if (at === 0 || hidden[at - 1] === 0) shown += REDACTION_MARK
  }
  return shown
}

function isWholeWord(text: string, start: number, end: number): boolean {
  return !/[\p{L}\p{N}]/u.test(`${text.charAt(start - 1)}${text.charAt(end)}`)
}

/** Removes whole keys from answers. Pieces remain, because docs about keys contain their prefixes. */
export function redactWholeKeys(text: string, keys: readonly string[]): string {
  let shown = text
  for (const key of keys) if (key.length >= MIN_SECRET_LENGTH) shown = shown.replaceAll(key, REDACTION_MARK)
  return shown
}

function listEncodings(key: string): string[] {
  if (key.length < 4) return []
  return [key, encodeURIComponent(key), Buffer.from(key).toString('base64').replaceAll('=', '')]
}
