/** Facts about a value besides its type: allowed values, limits, examples. */
import { fieldsOf, isNumber, type Json, type JsonObject, listOf, textOf } from '../../openapi/api-json.ts'
import { noteFor } from '../../openapi/schema.ts'
import type { ApiWords } from '../words/api-words.ts'
import { type ApiFact, LIMITS } from './reference.ts'

export function factsOf(words: ApiWords, schema: JsonObject): ApiFact[] {
  const facts: ApiFact[] = []
  const add = (label: string, ...values: (string | null)[]) => {
    const shown = values.flatMap((text) => (text === null ? [] : [{ text, note: '' }]))
    if (shown.length > 0) facts.push({ label, values: shown })
  }
  const options = optionsOf(schema)
  if (options.length > 0) facts.push({ label: words.apiOptions, values: options })
  if (schema.const !== undefined) add(words.apiAlways, valueText(schema.const))
  add(words.apiRange, rangeOf(schema))
  add(words.apiLength, countRange(schema.minLength, schema.maxLength))
  add(words.apiItems, countRange(schema.minItems, schema.maxItems))
  add(words.apiModel, countRange(schema.minProperties, schema.maxProperties))
  if (schema.uniqueItems === true) add(words.apiItems, words.apiUnique)
  add(words.apiPattern, textOf(schema.pattern))
  if (isNumber(schema.multipleOf)) add(words.apiMultiple, String(schema.multipleOf))
  add(words.apiMedia, textOf(schema.contentMediaType), textOf(schema.contentEncoding))
  if (schema.not !== undefined) add(words.apiNot, valueText(fieldsOf(schema.not).enum ?? schema.not))
  return facts
}

/** Returns the author's values; `holder` is the parameter that contains the schema, or the schema itself. */
export function exampleFacts(words: ApiWords, schema: JsonObject, holder: JsonObject): ApiFact[] {
  const examples = examplesOf(schema, holder)
  if (examples.length === 0) return []
  const label = examples.length === 1 ? words.apiExample : words.apiExamples
  return [{ label, values: examples.map((text) => ({ text, note: '' })) }]
}

function optionsOf(schema: JsonObject): ApiFact['values'] {
  const notes = schema['x-enumDescriptions'] ?? schema['x-enum-descriptions'] ?? schema['x-enum-varnames']
  const options = listOf(schema.enum)
  const kinds = new Set(options.flatMap((one) => (one === null ? [] : typeof one)))
  return options.slice(0, LIMITS.options).map((one, index) => {
    // Quotes distinguish "1" from 1 if the values have several types.
    const text = typeof one === 'string' && kinds.size > 1 ? JSON.stringify(one) : valueText(one)
    return { text, note: noteFor(notes, String(one), index) }
  })
}

/** OpenAPI 3.0 marks an exclusive bound with `true`; 3.1 gives it as a number. */
function rangeOf(schema: JsonObject): string | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const low = isNumber(exclusiveMinimum)
    ? `${exclusiveMinimum} <`
    : isNumber(minimum)
      ? `${minimum} ${exclusiveMinimum === true ? '<' : '≤'}`
      : null
  const high = isNumber(exclusiveMaximum)
    ? `< ${exclusiveMaximum}`
    : isNumber(maximum)
      ? `${exclusiveMaximum === true ? '<' : '≤'} ${maximum}`
      : null
  if (low === null && high === null) return null
  if (high === null) return `x ${low?.endsWith('<') ? '>' : '≥'} ${low?.split(' ')[0]}`
  return low === null ? `x ${high}` : `${low} x ${high}`
}

function countRange(low: Json | undefined, high: Json | undefined): string | null {
  const [from, to] = [low, high].map((one) => (isNumber(one) ? one : null))
  if (from === null && to === null) return null
  if (to === null) return Number(from) === 0 ? null : `≥ ${from}`
  if (from === null || Number(from) === 0) return `≤ ${to}`
  return Number(from) === Number(to) ? String(from) : `${from} – ${to}`
}

function examplesOf(schema: JsonObject, holder: JsonObject): string[] {
  const values: Json[] = []
  for (const source of holder === schema ? [schema] : [holder, schema]) {
    if (source.example !== undefined) values.push(source.example)
    if (Array.isArray(source.examples)) values.push(...source.examples)
    else for (const one of Object.values(fieldsOf(source.examples))) values.push(fieldsOf(one).value ?? null)
  }
  const texts = values.filter((value) => value !== null).map(valueText)
  return [...new Set(texts)].slice(0, LIMITS.samples)
}

/** Formats a value on one line: text unquoted unless blanks would be lost, all else as JSON; truncated if long. */
export function valueText(value: Json): string {
  const isBare = typeof value === 'string' && value !== '' && value.trim() === value
  const text = isBare ? value : (jsonText(value, 0) ?? '')
  return text.length > LIMITS.valueCharacters ? `${text.slice(0, LIMITS.valueCharacters - 1)}…` : text
}

/** Returns null if the value is not JSON: YAML allows cyclic references. */
export function jsonText(value: Json, indent: number): string | null {
  try {
    const text = JSON.stringify(value, null, indent) ?? null
    return text !== null && text.length > LIMITS.sampleCharacters
      ? `${text.slice(0, LIMITS.sampleCharacters)}\n…`
      : text
  } catch {
    return null
  }
}
