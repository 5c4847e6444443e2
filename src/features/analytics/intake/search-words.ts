/** Normalizes case and spacing of searches, and removes personal data entered by mistake. */

/** Replaces email addresses and long numbers with `…`. */
export function cleanSearchWords(given: string): string {
  return given
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .split(' ')
    .map((word) => (word.includes('@') || /\d{9}/.test(word) ? '…' : word))
    .join(' ')
    .trim()
    .toLowerCase()
}
