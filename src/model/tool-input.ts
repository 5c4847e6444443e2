/** Normalizes tool calls written by models so that they can be stored; never fails. */
import { toStorable, toStorableText } from '../base/text/storable.ts'

/** Maximum nesting depth: no tool needs more, and deeper values could overflow the stack of recursive functions. */
const MAX_DEPTH = 64

export interface ToolInput {
  /** The original text if it is not valid JSON. */
  input: unknown
  /** Describes the repair, for the model. */
  repair?: string
}

/** Parses arguments. Some models send an empty text for no arguments, encode JSON twice, or leave trailing commas. */
export function parseToolInput(text: string): ToolInput {
  if (text.trim() === '') return { input: {} }
  if (isTooDeep(text)) return { input: toStorableText(text) }
  const value = parsed(text)
  if (value === undefined) {
    const repaired = parsed(withoutTrailingCommas(text))
    if (repaired === undefined) return { input: toStorableText(text) }
    return { input: toStorable(repaired), repair: 'a comma before a closing bracket was taken out' }
  }
  const inner = typeof value === 'string' && !isTooDeep(value) ? parsed(value) : undefined
  if (inner !== null && typeof inner === 'object')
    return { input: toStorable(inner), repair: 'it was encoded twice as JSON' }
  return { input: toStorable(value) }
}

/** Returns undefined for invalid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Removes commas that are outside of strings and followed only by white space and a closing bracket. */
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
 * Returns an id that all providers accept and that is unique among `taken`, to which it is added. Some models omit
 * ids, or reuse one id for all calls.
 */
export function uniqueCallId(id: string, usedIds: Set<string>): string {
  const sanitized = id.replace(/[^\w-]/g, '').slice(0, 48) || 'call'
  let unique = sanitized
  for (let number = 2; usedIds.has(unique); number++) unique = `${sanitized}-${number}`
  usedIds.add(unique)
  return unique
}
