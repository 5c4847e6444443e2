/** The text of an API description as data: JSON or YAML, whichever it is. */
import { parse as parseYaml } from 'yaml'
import type { Json } from './api-json.ts'

/** A text of this size that begins like JSON and is none is a broken file, not YAML. */
const LARGE_CHARACTERS = 1 << 20

/** Undefined when it is neither. */
export function parseJsonOrYaml(text: string): Json | undefined {
  const content = text.replace(/^\ufeff/, '')
  try {
    return JSON.parse(content) as Json
  } catch {
    if (/^\s*\{/.test(content) && content.length > LARGE_CHARACTERS) return undefined
  }
  try {
    return parseYaml(content, {
      schema: 'core',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
      maxAliasCount: 100,
    }) as Json
  } catch {
    return undefined
  }
}
