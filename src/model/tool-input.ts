/** Tool calls as models write them, made into what the rest can hold: never an error, whatever was written. */
import { storable, storableText } from '../base/text/storable.ts'

/** Deeper than any tool asks for; deeper values overflow the stack of whoever walks them. */
const MAX_DEPTH = 64

/** The value when it is JSON, else the text itself. No text at all is how some models write no arguments. */
export function parseToolInput(text: string): unknown {
  if (text.trim() === '') return {}
  if (isTooDeep(text)) return storableText(text)
  try {
    return storable(JSON.parse(text))
  } catch {
    return storableText(text)
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (isInString) {
      if (char === '\\') at++
      else if (char === '"') isInString = false
    } else if (char === '"') isInString = true
    else if (char === '{' || char === '[') {
      depth++
      if (depth > MAX_DEPTH) return true
    } else if (char === '}' || char === ']') depth--
  }
  return false
}

/**
 * Ids that any provider takes back, unique among `taken`, to which it is added. Some models leave ids out, or give all
 * calls the same one.
 */
export function settleCallId(id: string, taken: Set<string>): string {
  const plain = id.replace(/[^\w-]/g, '').slice(0, 48) || 'call'
  let settled = plain
  for (let number = 2; taken.has(settled); number++) settled = `${plain}-${number}`
  taken.add(settled)
  return settled
}
