/** Sender or recipient of a mail. */

export interface Mailbox {
  /** Can be empty. */
  name: string
  address: string
}

/** Excludes characters that need quotes, and characters beyond ASCII, which few servers support. */
const ADDRESS = /^[^\s<>()[\]\\,;:"@\u0000-\u0020\u007f-\uffff]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})$/

export function isMailAddress(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text)
}

/** Parses `Name <address>` or a bare address. Returns null for other text. */
export function parseMailbox(text: string): Mailbox | null {
  const [, name = '', address] = /^([^<>\p{Cc}]*)<([^<>\s]+)>$/u.exec(text.trim()) ?? []
  const mailbox = address === undefined ? { name: '', address: text.trim() } : { name: name.trim(), address }
  return isMailAddress(mailbox.address) ? mailbox : null
}

/** Shortens text to one line, so that untrusted text cannot end a header or fill the screen. */
export function oneLine(text: string, length: number): string {
  const line = text
    .slice(0, length * 4)
    .replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
    .trim()
  const letters = [...line]
  return letters.length <= length
    ? line
    : `${letters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
}
