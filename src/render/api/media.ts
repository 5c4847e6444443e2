/** Content by media type: its fields and examples. */

import {
  fieldsOf,
  followReference,
  isScalar,
  type Json,
  type JsonObject,
  textOf,
} from '../../openapi/api-json.ts'
import { type ExampleOptions, exampleOf } from '../../openapi/example-value.ts'
import type { ApiSample } from '../../openapi/sample-call.ts'
import { type FlatSchema, flatten, listItems, type SchemaScope } from '../../openapi/schema.ts'
import { jsonText } from './facts.ts'
import type { AnchorPath, FieldScope } from './field-scope.ts'
import { type Surroundings, variantBlocks } from './fields.ts'
import { type ApiBlock, LIMITS } from './reference.ts'

const DEPTH = 12

/** Returns the blocks of a body: its fields, or a choice of media types. `path` is the prefix of their ids. */
export function contentBlocks(
  scope: FieldScope,
  content: Json | undefined,
  path: AnchorPath,
  headingId: string,
): ApiBlock[] {
  const types = Object.entries(fieldsOf(content))
  const described = types.map(([type, media]) => {
    const { schema } = fieldsOf(media)
    if (schema === undefined) return { title: type, note: '', blocks: [] }
    const around: Surroundings = { path, id: headingId, name: type, chain: [] }
    return { title: type, note: '', blocks: variantBlocks(scope, flatten(scope, schema), around) }
  })
  if (described.length < 2) return described[0]?.blocks ?? []
  return [{ kind: 'choice', label: scope.words.apiMedia, choices: described, isStatus: false }]
}

export interface MediaExample {
  /** Label if there are several; empty for a single one. */
  name: string
  description: string
  value: Json
}

/** Returns the examples given; null if there are none. */
export function givenExamples(scope: FieldScope, media: JsonObject): MediaExample[] {
  const named = Object.entries(fieldsOf(media.examples)).flatMap(([key, value]): MediaExample[] => {
    const example = followReference(scope.root, value)
    const link = textOf(example.externalValue)
    const shown = example.value ?? link ?? (Object.hasOwn(example, 'summary') ? null : (value as Json))
    if (shown === null && example.value === undefined) return []
    return [
      { name: textOf(example.summary) ?? key, description: textOf(example.description) ?? '', value: shown },
    ]
  })
  if (named.length > 0) return named
  return media.example === undefined ? [] : [{ name: '', description: '', value: media.example }]
}

/** Returns the examples given, or else one made from the schema; empty if there is no schema either. */
export function mediaExamples(scope: FieldScope, media: JsonObject, options: ExampleOptions): MediaExample[] {
  const given = givenExamples(scope, media)
  if (given.length > 0) return given
  if (media.schema === undefined) return []
  return [{ name: '', description: '', value: exampleOf(scope, media.schema, options) }]
}

/** Returns the samples of all media types; `title` is shown before each. */
export function contentSamples(
  scope: FieldScope,
  title: string,
  content: Json | undefined,
  options: ExampleOptions,
): ApiSample[] {
  const types = Object.entries(fieldsOf(content))
  return types
    .flatMap(([type, value]) => {
      const media = fieldsOf(value)
      return mediaExamples(scope, media, options).flatMap(
        ({ name, description, value: shown }): ApiSample[] => {
          const text = exampleText(scope, type, media.schema, shown)
          if (text === null) return []
          const parts = [types.length > 1 ? type : '', name].filter((part) => part !== '')
          return [{ title, name: parts.join(' · '), description, ...text }]
        },
      )
    })
    .slice(0, LIMITS.samples)
}

/** Returns the value as sent, and its language for highlighting. */
export function exampleText(
  scope: FieldScope,
  type: string,
  schema: Json | undefined,
  value: Json,
): { code: string; language: string } | null {
  const isJson = /json/i.test(type)
  if (typeof value === 'string' && !isJson) return { code: cut(value), language: languageOf(type) }
  if (/xml/i.test(type) && typeof value === 'object' && value !== null) {
    return { code: cut(xmlText(scope, schema, value)), language: 'xml' }
  }
  // Some authors write the JSON as a string.
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) return { code: cut(value), language: 'json' }
  const code = jsonText(value, 2)
  return code === null ? null : { code, language: 'json' }
}

function cut(text: string): string {
  return text.length > LIMITS.sampleCharacters ? `${text.slice(0, LIMITS.sampleCharacters)}\n…` : text
}

function languageOf(type: string): string {
  const known = /(?:xml|html|yaml|csv|javascript|css|graphql|markdown)/i.exec(type)?.[0]?.toLowerCase()
  return known ?? 'text'
}

/** Writes a value as XML, with the element and attribute names from its schema. */
function xmlText(scope: SchemaScope, schema: Json | undefined, value: Json): string {
  const flat = flatten(scope, schema)
  const writing = { scope, lines: ['<?xml version="1.0" encoding="UTF-8"?>'] }
  write(writing, elementName(flat) ?? safeName(flat.name ?? 'root'), flat, value, 0)
  return writing.lines.join('\n')
}

interface Writing {
  scope: SchemaScope
  lines: string[]
}

function write(writing: Writing, name: string, flat: FlatSchema, value: Json, depth: number): void {
  const { scope, lines } = writing
  const indent = '  '.repeat(depth)
  if (depth > DEPTH) return
  if (Array.isArray(value)) {
    const item = flatten(scope, listItems(flat.schema) ?? {})
    const itemName = elementName(item) ?? name
    const isWrapped = fieldsOf(flat.schema.xml).wrapped === true || depth === 0
    if (isWrapped) lines.push(`${indent}<${name}>`)
    for (const one of value)
      write(writing, isWrapped ? itemName : name, item, one, depth + (isWrapped ? 1 : 0))
    if (isWrapped) lines.push(`${indent}</${name}>`)
    return
  }
  if (isScalar(value)) {
    lines.push(`${indent}<${name}>${escapeXml(String(value ?? ''))}</${name}>`)
    return
  }
  const parts = Object.entries(value).map(([key, part]) => {
    const inner = flatten(scope, fieldsOf(flat.schema.properties)[key])
    return { name: elementName(inner) ?? safeName(key), inner, part, isAttribute: isAttribute(inner) }
  })
  const attributes = parts
    .filter((part) => part.isAttribute)
    .map((part) => ` ${part.name}="${escapeXml(String(part.part))}"`)
  const elements = parts.filter((part) => !part.isAttribute)
  if (elements.length === 0) {
    lines.push(`${indent}<${name}${attributes.join('')} />`)
    return
  }
  lines.push(`${indent}<${name}${attributes.join('')}>`)
  for (const { name: inside, inner, part } of elements) write(writing, inside, inner, part, depth + 1)
  lines.push(`${indent}</${name}>`)
}

function isAttribute({ schema }: FlatSchema): boolean {
  return fieldsOf(schema.xml).attribute === true
}

function elementName({ schema }: FlatSchema): string | null {
  const { name, prefix } = fieldsOf(schema.xml)
  const own = textOf(name)
  if (own === null) return null
  const before = textOf(prefix)
  return safeName(before === null ? own : `${before}:${own}`)
}

function safeName(name: string): string {
  return name.replace(/[^\w:.-]/g, '_').replace(/^[^A-Za-z_]/, '_$&') || 'item'
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`)
}
