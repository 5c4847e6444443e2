/** A value as XML, with the names that its schema gives to elements and attributes. */
import { fieldsOf, isScalar, type Json, textOf } from '../../openapi/api-json.ts'
import { type FlatSchema, flatten, listItems, type SchemaScope } from '../../openapi/schema.ts'

export function xmlText(scope: SchemaScope, schema: Json | undefined, value: Json): string {
  const flat = flatten(scope, schema)
  const writing = { scope, lines: ['<?xml version="1.0" encoding="UTF-8"?>'] }
  write(writing, elementName(flat) ?? safeName(flat.name ?? 'root'), flat, value, 0)
  return writing.lines.join('\n')
}

interface Writing {
  scope: SchemaScope
  lines: string[]
}

const DEPTH = 12

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
