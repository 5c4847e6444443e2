/** A JSON schema as nested Markdown lists: name, type, whether it is required, what it means. */

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

export interface SchemaScope {
  document: Json
  /** How many schemas may still be looked at: descriptions can name each other in every way, also in circles. */
  left: number
}

/** Enough for any operation that people wrote. */
export const SCHEMA_STEPS = 20_000

export interface FieldFacts {
  isRequired?: boolean
  description?: Json
}

/** Deeper than this a tree tells nobody anything; circles end here too. */
const DEPTH_LIMIT = 5
const LINE_LIMIT = 600
const ENUM_LIMIT = 30

type Schema = { [name: string]: Json }

/** Lines of one field; without a name only those of its properties. */
export function fieldLines(
  scope: SchemaScope,
  name: string | null,
  schema: Json,
  facts: FieldFacts,
): string[] {
  const lines: string[] = []
  const budget = { left: LINE_LIMIT }
  if (name === null) addProperties(scope, lines, schema, 0, budget, [])
  else addField(scope, lines, name, schema, facts, 0, budget, [])
  return lines
}

function addField(
  scope: SchemaScope,
  lines: string[],
  name: string,
  value: Json,
  facts: FieldFacts,
  depth: number,
  budget: { left: number },
  chain: readonly Json[],
  level = depth,
): void {
  if (budget.left-- <= 0) return
  const schema = flatten(scope, value)
  const indent = '  '.repeat(level)
  const notes = [typeName(scope, schema)]
  if (facts.isRequired) notes.push('required')
  if (schema.deprecated === true) notes.push('deprecated')
  const { default: initial } = schema
  if (initial !== undefined) notes.push(`default ${code(JSON.stringify(initial))}`)
  lines.push(`${indent}- **${code(name)}** ${notes.join(', ')}`)
  const about = textOf(facts.description) || textOf(schema.description)
  if (about) lines.push('', ...about.split(/\r?\n/).map((line) => `${indent}  ${line}`.trimEnd()), '')
  const options = Array.isArray(schema.enum) ? schema.enum : []
  if (options.length > 0) {
    const shown = options.slice(0, ENUM_LIMIT).map((option) => code(String(option)))
    lines.push('', `${indent}  One of ${shown.join(', ')}${options.length > ENUM_LIMIT ? ' …' : ''}`, '')
  }
  addProperties(scope, lines, schema, depth + 1, budget, chain, level + 1)
}

function addProperties(
  scope: SchemaScope,
  lines: string[],
  value: Json,
  depth: number,
  budget: { left: number },
  chain: readonly Json[],
  indent = depth,
): void {
  const schema = flatten(scope, value)
  const inner = schema.items === undefined ? schema : flatten(scope, schema.items)
  const properties = fieldsOf(inner.properties)
  if (depth > DEPTH_LIMIT || (inner.properties !== undefined && chain.includes(inner.properties))) return
  const below = inner.properties === undefined ? chain : [...chain, inner.properties]
  const required = Array.isArray(inner.required) ? inner.required : []
  for (const [name, property] of Object.entries(properties)) {
    addField(
      scope,
      lines,
      name,
      property,
      { isRequired: required.includes(name) },
      depth,
      budget,
      below,
      indent,
    )
  }
  if (scope.left <= 0) return
  for (const variant of alternatives(inner))
    addProperties(scope, lines, variant, depth + 1, budget, below, indent)
}

/** Follows references and lays the parts of `allOf` over one another. */
function flatten(scope: SchemaScope, value: Json, hops = 0): Schema {
  const schema = fieldsOf(value)
  if (hops > DEPTH_LIMIT || scope.left-- <= 0) return {}
  if (typeof schema.$ref === 'string') {
    const target = flatten(scope, pointer(scope.document, schema.$ref) ?? {}, hops + 1)
    return typeof schema.description === 'string' ? { ...target, description: schema.description } : target
  }
  if (!Array.isArray(schema.allOf)) return schema
  const merged: Schema = { ...schema }
  for (const part of schema.allOf.map((one) => flatten(scope, one, hops + 1))) {
    for (const [key, field] of Object.entries(part)) {
      if (key === 'properties') merged.properties = { ...fieldsOf(merged.properties), ...fieldsOf(field) }
      else if (key === 'required') merged.required = [...listOf(merged.required), ...listOf(field)]
      else merged[key] ??= field
    }
  }
  return merged
}

function alternatives(schema: Schema): Json[] {
  return [...listOf(schema.oneOf), ...listOf(schema.anyOf)]
}

function typeName(scope: SchemaScope, schema: Schema, depth = 0): string {
  if (depth > DEPTH_LIMIT) return 'any'
  if (schema.items !== undefined)
    return `array of ${typeName(scope, flatten(scope, schema.items), depth + 1)}`
  const variants = alternatives(schema).map((one) => typeName(scope, flatten(scope, one), depth + 1))
  if (variants.length > 0) return [...new Set(variants)].join(' or ')
  const { type, format } = schema
  const base = Array.isArray(type) ? type.map(String).join(' or ') : typeof type === 'string' ? type : 'any'
  return typeof format === 'string' ? `${base} (${plain(format)})` : plain(base)
}

function plain(text: string): string {
  return text.replace(/[^\w ./-]/g, '')
}

function code(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length))
  const mark = '`'.repeat(longest + 1)
  return longest > 0 ? `${mark} ${flat} ${mark}` : `${mark}${flat === '' ? ' ' : flat}${mark}`
}

/** A description as Markdown; empty when there is none. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? asMarkdown(value.trim()) : ''
}

const CODE = /(^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\2[^\n]*$|(`+)[\s\S]*?[^`]\3(?!`))/m
const HTML_TAG =
  /<(?!\/?(?:a|abbr|b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|kbd|li|ol|p|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)\b)/g

/** Longer texts are shown as they are, without a search for code. */
const LONG_CHARACTERS = 50_000

/** A description is Markdown with HTML and nothing more: braces and other tags in it are text. */
export function asMarkdown(text: string): string {
  if (text.length > LONG_CHARACTERS) return text.replace(/[{}<`]/g, (mark) => `&#${mark.charCodeAt(0)};`)
  return text
    .split(CODE)
    .map((part, index) => {
      if (index % 4 === 1) return part
      if (index % 4 !== 0) return ''
      return part.replace(/[{}]/g, '\\$&').replace(HTML_TAG, '&lt;')
    })
    .join('')
}

export function fieldsOf(value: Json | undefined): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

/** `#/components/x`, inside this document only. */
export function pointer(document: Json, reference: string): Json | undefined {
  if (!reference.startsWith('#/')) return undefined
  let value: Json | undefined = document
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    value = Object.hasOwn(fieldsOf(value), name) ? fieldsOf(value)[name] : undefined
  }
  return value
}
