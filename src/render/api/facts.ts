/** Describes a value: allowed values, limits, examples. */
import { asArray, asObject, asText, isNumber, type Json, type JsonObject } from '../../openapi/api-json.ts'
import { findNote } from '../../openapi/schema.ts'
import type { ApiTexts } from '../words/api-texts.ts'
import { type ApiFact, LIMITS } from './reference.ts'

export function createFacts(words: ApiTexts, schema: JsonObject): ApiFact[] {
  const facts: ApiFact[] = []
  const add = (label: string, ...values: (string | null)[]) => {
    const shown = values.flatMap((text) => (text === null ? [] : [{ text, note: '' }]))
    if (shown.length > 0) facts.push({ label, values: shown })
  }
  const options = listOptions(schema)
  if (options.length > 0) facts.push({ label: words.apiOptions, values: options })
  if (schema.const !== undefined) add(words.apiAlways, formatValue(schema.const))
  add(words.apiRange, describeRange(schema))
  add(words.apiLength, describeCountRange(schema.minLength, schema.maxLength))
  add(words.apiItems, describeCountRange(schema.minItems, schema.maxItems))
  add(words.apiModel, describeCountRange(schema.minProperties, schema.maxProperties))
  if (schema.uniqueItems === true) add(words.apiItems, words.apiUnique)
  add(words.apiPattern, asText(schema.pattern))
  if (isNumber(schema.multipleOf)) add(words.apiMultiple, String(schema.multipleOf))
  add(words.apiMedia, asText(schema.contentMediaType), asText(schema.contentEncoding))
  if (schema.not !== undefined) add(words.apiNot, formatValue(asObject(schema.not).enum ?? schema.not))
  return facts
}

/** Returns examples. `holder` is the parameter that contains the schema, or the schema itself. */
export function createExampleFacts(words: ApiTexts, schema: JsonObject, holder: JsonObject): ApiFact[] {
  const examples = listExamples(schema, holder)
  if (examples.length === 0) return []
  const label = examples.length === 1 ? words.apiExample : words.apiExamples
  return [{ label, values: examples.map((text) => ({ text, note: '' })) }]
}

function listOptions(schema: JsonObject): ApiFact['values'] {
  const notes = schema['x-enumDescriptions'] ?? schema['x-enum-descriptions'] ?? schema['x-enum-varnames']
  const options = asArray(schema.enum)
  const kinds = new Set(options.flatMap((one) => (one === null ? [] : typeof one)))
  return options.slice(0, LIMITS.options).map((one, index) => {
    // Quotes distinguish "1" from 1 in a list with several types.
    const text = typeof one === 'string' && kinds.size > 1 ? JSON.stringify(one) : formatValue(one)
    return { text, note: findNote(notes, String(one), index) }
  })
}

/** Formats limits. An exclusive limit is `true` in OpenAPI 3.0 and a number in 3.1. */
function describeRange(schema: JsonObject): string | null {
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

function describeCountRange(low: Json | undefined, high: Json | undefined): string | null {
  const [from, to] = [low, high].map((one) => (isNumber(one) ? one : null))
  if (from === null && to === null) return null
  if (to === null) return Number(from) === 0 ? null : `≥ ${from}`
  if (from === null || Number(from) === 0) return `≤ ${to}`
  return Number(from) === Number(to) ? String(from) : `${from} – ${to}`
}

function listExamples(schema: JsonObject, holder: JsonObject): string[] {
  const values: Json[] = []
  for (const source of holder === schema ? [schema] : [holder, schema]) {
    if (source.example !== undefined) values.push(source.example)
    if (Array.isArray(source.examples)) values.push(...source.examples)
    else for (const one of Object.values(asObject(source.examples))) values.push(asObject(one).value ?? null)
  }
  const texts = values.filter((value) => value !== null).map(formatValue)
  return [...new Set(texts)].slice(0, LIMITS.samples)
}

/**
 * Formats a value on one line, truncated. Text is not quoted unless it is empty or has white space at its
 * ends; other values are JSON.
 */
export function formatValue(value: Json): string {
  const isBare = typeof value === 'string' && value !== '' && value.trim() === value
  const text = isBare ? value : (formatJson(value, 0) ?? '')
  return text.length > LIMITS.valueCharacters ? `${text.slice(0, LIMITS.valueCharacters - 1)}…` : text
}

/** Returns null if the value is cyclic, which YAML allows. */
export function formatJson(value: Json, indent: number): string | null {
  try {
    const text = JSON.stringify(value, null, indent) ?? null
    return text !== null && text.length > LIMITS.sampleCharacters
      ? `${text.slice(0, LIMITS.sampleCharacters)}\n…`
      : text
  } catch {
    return null
  }
}
