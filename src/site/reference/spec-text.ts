/** The text of an API description as data: JSON or YAML, whichever it is. */
import { wellFormedJson } from '../../base/text/well-formed-json.ts'
import { type Json, writtenNumber } from '../../openapi/api-json.ts'
import { type DataLimits, excessOf, readYaml } from '../yaml.ts'

/** A text of this size that begins like JSON and is none is a broken file, not YAML. */
const LARGE_CHARACTERS = 1 << 20
/** Descriptions of the largest interfaces have a tenth of it. */
const LIMITS: DataLimits = { depth: 200, values: 5_000_000 }

/** Undefined when it is neither, refers to itself, or is nested deeper than any description. */
export function parseJsonOrYaml(text: string): Json | undefined {
  const content = text.replace(/^\ufeff/, '')
  try {
    const value = JSON.parse(wellFormedJson(content), keepDigits) as Json
    return excessOf(value, LIMITS) === null ? value : undefined
  } catch {
    if (content.length > LARGE_CHARACTERS && content.trimStart().startsWith('{')) return undefined
  }
  const result = readYaml(content, LIMITS, writtenNumber)
  return 'fault' in result ? undefined : (result.value as Json)
}

/** `source` is given for what is no list and no object (ES2026). */
function keepDigits(_key: string, value: Json, context?: { source?: string }): Json {
  return typeof value === 'number' && context?.source !== undefined
    ? writtenNumber(value, context.source)
    : value
}
