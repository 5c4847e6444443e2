/** Fields and examples of content, by media type. */

import {
  asObject,
  asText,
  followReference,
  isScalar,
  type Json,
  type JsonObject,
} from '../../openapi/api-json.ts'
import { createExample, type ExampleOptions } from '../../openapi/example-value.ts'
import type { ApiSample } from '../../openapi/sample-call.ts'
import { type FlatSchema, flatten, listItems, type SchemaScope } from '../../openapi/schema.ts'
import { formatJson } from './facts.ts'
import type { AnchorPath, FieldScope } from './field-scope.ts'
import { type NestingContext, variantBlocks } from './fields.ts'
import { type ApiBlock, LIMITS } from './reference.ts'

const MAX_DEPTH = 12

/** Returns the fields of a body, or a choice of media types. `path` is the prefix of the ids. */
export function contentBlocks(
  scope: FieldScope,
  content: Json | undefined,
  path: AnchorPath,
  headingId: string,
): ApiBlock[] {
  const types = Object.entries(asObject(content))
  const described = types.map(([type, media]) => {
    const { schema } = asObject(media)
    if (schema === undefined) return { title: type, note: '', blocks: [] }
    const around: NestingContext = { path, id: headingId, name: type, chain: [] }
    return { title: type, note: '', blocks: variantBlocks(scope, flatten(scope, schema), around) }
  })
  if (described.length < 2) return described[0]?.blocks ?? []
  return [{ kind: 'choice', label: scope.words.apiMedia, choices: described, isStatus: false }]
}

export interface MediaExample {
  /** Empty for a single example. */
  name: string
  description: string
  value: Json
}

export function listGivenExamples(scope: FieldScope, media: JsonObject): MediaExample[] {
  const named = Object.entries(asObject(media.examples)).flatMap(([key, value]): MediaExample[] => {
    const example = followReference(scope.root, value)
    const link = asText(example.externalValue)
    const shown = example.value ?? link ?? (Object.hasOwn(example, 'summary') ? null : (value as Json))
    if (shown === null && example.value === undefined) return []
    return [
      { name: asText(example.summary) ?? key, description: asText(example.description) ?? '', value: shown },
    ]
  })
  if (named.length > 0) return named
  return media.example === undefined ? [] : [{ name: '', description: '', value: media.example }]
}

/** Returns the examples in the description or, if there are none, one generated from the schema. */
export function createMediaExamples(
  scope: FieldScope,
  media: JsonObject,
  options: ExampleOptions,
): MediaExample[] {
  const authoredExamples = listGivenExamples(scope, media)
  if (authoredExamples.length > 0) return authoredExamples
  if (media.schema === undefined) return []
  return [{ name: '', description: '', value: createSharedExample(scope, media.schema, options) }]
}

/** Reuses examples, because most operations of a description have the same schema for error responses. */
function createSharedExample(scope: FieldScope, schema: Json, options: ExampleOptions): Json {
  const key = `${options.direction} ${options.isRequiredOnly}`
  const examples = scope.examples.get(schema) ?? new Map<string, Json>()
  const example = examples.get(key) ?? createExample(scope, schema, options)
  // An example that was truncated because this page reached its limit is not shared.
  if (scope.remainingVisits > 0) scope.examples.set(schema, examples.set(key, example))
  return example
}

/** Returns the samples of all media types. `title` is the prefix of their titles. */
export function createContentSamples(
  scope: FieldScope,
  title: string,
  content: Json | undefined,
  options: ExampleOptions,
): ApiSample[] {
  const types = Object.entries(asObject(content))
  return types
    .flatMap(([type, value]) => {
      const media = asObject(value)
      return createMediaExamples(scope, media, options).flatMap(
        ({ name, description, value: shown }): ApiSample[] => {
          const text = formatExample(scope, type, media.schema, shown)
          if (text === null) return []
          const parts = [types.length > 1 ? type : '', name].filter((part) => part !== '')
          return [{ title, name: parts.join(' · '), description, ...text }]
        },
      )
    })
    .slice(0, LIMITS.samples)
}

export function formatExample(
  scope: FieldScope,
  type: string,
  schema: Json | undefined,
  value: Json,
): { code: string; language: string } | null {
  const isJson = /json/i.test(type)
  if (typeof value === 'string' && !isJson) return { code: truncate(value), language: detectLanguage(type) }
  if (/xml/i.test(type) && typeof value === 'object' && value !== null) {
    return { code: truncate(formatXml(scope, schema, value)), language: 'xml' }
  }
  // Some authors write JSON as a string.
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) return { code: truncate(value), language: 'json' }
  const code = formatJson(value, 2)
  return code === null ? null : { code, language: 'json' }
}

function truncate(text: string): string {
  return text.length > LIMITS.sampleCharacters ? `${text.slice(0, LIMITS.sampleCharacters)}\n…` : text
}

function detectLanguage(type: string): string {
  const knownLanguage = /(?:xml|html|yaml|csv|javascript|css|graphql|markdown)/i
    .exec(type)?.[0]
    ?.toLowerCase()
  return knownLanguage ?? 'text'
}

/** Formats a value as XML. The schema determines elements and attributes. */
function formatXml(scope: SchemaScope, schema: Json | undefined, value: Json): string {
  const flat = flatten(scope, schema)
  const xmlWriter = { scope, lines: ['<?xml version="1.0" encoding="UTF-8"?>'] }
  write(xmlWriter, getElementName(flat) ?? toXmlName(flat.name ?? 'root'), flat, value, 0)
  return xmlWriter.lines.join('\n')
}

interface XmlWriter {
  scope: SchemaScope
  lines: string[]
}

function write(xmlWriter: XmlWriter, name: string, flat: FlatSchema, value: Json, depth: number): void {
  const { scope, lines } = xmlWriter
  const indent = '  '.repeat(depth)
  if (depth > MAX_DEPTH) return
  if (Array.isArray(value)) {
    const item = flatten(scope, listItems(flat.schema) ?? {})
    const itemName = getElementName(item) ?? name
    const isWrapped = asObject(flat.schema.xml).wrapped === true || depth === 0
    if (isWrapped) lines.push(`${indent}<${name}>`)
    for (const one of value)
      write(xmlWriter, isWrapped ? itemName : name, item, one, depth + (isWrapped ? 1 : 0))
    if (isWrapped) lines.push(`${indent}</${name}>`)
    return
  }
  if (isScalar(value)) {
    lines.push(`${indent}<${name}>${escapeXml(String(value ?? ''))}</${name}>`)
    return
  }
  const parts = Object.entries(value).map(([key, part]) => {
    const inner = flatten(scope, asObject(flat.schema.properties)[key])
    return { name: getElementName(inner) ?? toXmlName(key), inner, part, isAttribute: isAttribute(inner) }
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
  for (const { name: inside, inner, part } of elements) write(xmlWriter, inside, inner, part, depth + 1)
  lines.push(`${indent}</${name}>`)
}

function isAttribute({ schema }: FlatSchema): boolean {
  return asObject(schema.xml).attribute === true
}

function getElementName({ schema }: FlatSchema): string | null {
  const { name, prefix } = asObject(schema.xml)
  const own = asText(name)
  if (own === null) return null
  const before = asText(prefix)
  return toXmlName(before === null ? own : `${before}:${own}`)
}

function toXmlName(name: string): string {
  return name.replace(/[^\w:.-]/g, '_').replace(/^[^A-Za-z_]/, '_$&') || 'item'
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`)
}
