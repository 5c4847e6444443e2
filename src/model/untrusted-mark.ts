/** Marks around what strangers wrote, for a model: a word that the text itself does not hold. */
import { sha256 } from '../base/hash.ts'

/** Hangs on the whole text, so that nobody can write a text that holds its own mark. */
export function markFor(text: string): string {
  for (let round = 0; ; round++) {
    const mark = `UNTRUSTED-${sha256(`${round} ${text}`).slice(0, 20)}`
    if (!text.includes(mark)) return mark
  }
}
