/** Normalizes tool calls so that they can be stored. Never throws. */
import { toStorable, toStorableText } from '../base/text/storable.ts'

/**
 * Maximum nesting depth. No tool requires more, and deeper values could overflow the stack of recursive
 * functions.
 */
const MAX_DEPTH = 64

export interface ToolInput {
  /** The original text if it is not valid JSON. */
  input: unknown
  /** Describes to the model how its input was repaired. */
  repair?: string
}

/**
 * Parses arguments. Accepts empty text, JSON inside a JSON string, and trailing commas, which some models
 * write.
 */
export function parseToolInput(text: string): ToolInput {
  if (text.trim() === '') return { input: {} }
  if (isTooDeep(text)) return { input: toStorableText(text) }
  const value = parsed(text)
  if (value === undefined) {
    const repaired = parsed(withoutTrailingCommas(text))
    if (repaired === undefined) return { input: toStorableText(text) }
    return { input: toStorable(repaired), repair: 'a trailing comma was removed' }
  }
  const inner = typeof value === 'string' && !isTooDeep(value) ? parsed(value) : undefined
  if (inner !== null && typeof inner === 'object')
    return { input: toStorable(inner), repair: 'it was encoded as JSON twice' }
  return { input: toStorable(value) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function withoutTrailingCommas(text: string): string {
  let out = ''
  let from = 0
  let comma = -1
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
      comma = -1
    } else if (char === ',') comma = at
    else if (comma !== -1 && (char === '}' || char === ']')) {
      out += text.slice(from, comma)
      from = comma + 1
      comma = -1
    } else if (!/\s/.test(char)) comma = -1
  }
  return out + text.slice(from)
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
 * Returns an id that all providers accept, and adds it to `usedIds`. Replaces missing ids, and ids that some
 * models use for several calls.
 */
export function uniqueCallId(id: string, usedIds: Set<string>): string {
  const sanitized = id.replace(/[^\w-]/g, '').slice(0, 48) || 'call'
  let unique = sanitized
  for (let number = 2; usedIds.has(unique); number++) unique = `${sanitized}-${number}`
  usedIds.add(unique)
  return unique
}
