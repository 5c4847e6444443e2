/** Parses the text of an API description, which may be JSON or YAML. */
import { wellFormedJson } from '../../base/text/well-formed-json.ts'
import { type Json, toExactNumber } from '../../openapi/api-json.ts'
import { type DataLimits, findExceededDataLimit, readYaml } from '../yaml.ts'

/** Larger texts that start like JSON but are invalid count as broken files and are not parsed as YAML. */
const LARGE_TEXT_CHARACTERS = 1 << 20
/** Limits ten times as high as the largest API descriptions require. */
const LIMITS: DataLimits = { depth: 200, values: 5_000_000 }

/** Returns undefined if the text is neither JSON nor YAML, is cyclic, or exceeds the limits. */
export function parseJsonOrYaml(text: string): Json | undefined {
  const content = text.replace(/^\ufeff/, '')
  try {
    const value = JSON.parse(wellFormedJson(content), reviveExactNumber) as Json
    return findExceededDataLimit(value, LIMITS) === null ? value : undefined
  } catch {
    if (content.length > LARGE_TEXT_CHARACTERS && content.trimStart().startsWith('{')) return undefined
  }
  const result = readYaml(content, LIMITS, toExactNumber)
  return 'fault' in result ? undefined : (result.value as Json)
}

/** `source` is the original text of primitive values (ES2026). */
function reviveExactNumber(_key: string, value: Json, context?: { source?: string }): Json {
  return typeof value === 'number' && context?.source !== undefined
    ? toExactNumber(value, context.source)
    : value
}
