/** Index of an API description for the navigation: its operations and their names. */
import {
  asArray,
  asObject,
  asText,
  followReference,
  type Json,
  type JsonObject,
} from '../../openapi/api-json.ts'
import { createSlug } from '../navigation/routes.ts'
import type { ApiDocument } from './spec-document.ts'

export interface ApiSpec {
  file: string
  document: ApiDocument
  /** Operations in the order of the file, without excluded operations. */
  operations: readonly SpecOperation[]
  tagLabels: ReadonlyMap<string, string>
}

export interface SpecOperation {
  /**
   * Upper case; `WEBHOOK` for webhooks, `CHANNEL` for AsyncAPI channels and `SCHEMA` for data models, whose `path` is
   * their name.
   */
  method: string
  path: string
  summary: string | null
  description: string | null
  tags: string[]
  operationId: string | null
  isDeprecated: boolean
  isHidden: boolean
  /** `x-mint.href`: the URL of its page. */
  href: string | null
  /** `x-mint.metadata`: frontmatter of its page. */
  metadata: Readonly<Record<string, unknown>>
}

export const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'] as const

const MAX_SLUG_LENGTH = 200
/** Maximum number of operations per API description; further operations have no pages. */
const MAX_OPERATIONS = 20_000

export function listOperations(file: string, document: ApiDocument): ApiSpec {
  const { root } = document
  const operations = document.kind === 'asyncapi' ? readChannels(root) : readOperations(root)
  return {
    file,
    document,
    operations: operations.slice(0, MAX_OPERATIONS),
    tagLabels: readTagLabels(root),
  }
}

function readTagLabels(root: JsonObject): Map<string, string> {
  const labels = new Map<string, string>()
  for (const tag of asArray(root.tags)) {
    const { name, 'x-group': label, 'x-displayName': display } = asObject(tag)
    const shown = asText(label) ?? asText(display)
    if (typeof name === 'string' && shown !== null) labels.set(name, shown)
  }
  return labels
}

function readOperations(root: JsonObject): SpecOperation[] {
  const operations: SpecOperation[] = []
  for (const [path, value] of Object.entries(asObject(root.paths))) {
    const item = followReference(root, value)
    for (const [key, one] of Object.entries(item)) {
      const method = METHODS.find((name) => name.toLowerCase() === key)
      if (method) operations.push(...specOperation(method, path, asObject(one), item))
    }
  }
  for (const [name, value] of Object.entries(asObject(root.webhooks ?? root['x-webhooks']))) {
    const item = followReference(root, value)
    const one = METHODS.map((method) => item[method.toLowerCase()]).find((found) => found !== undefined)
    if (one !== undefined) operations.push(...specOperation('WEBHOOK', name, asObject(one), item))
  }
  return operations
}

function readChannels(root: JsonObject): SpecOperation[] {
  return Object.entries(asObject(root.channels)).flatMap(([id, value]) => {
    const channel = followReference(root, value)
    return specOperation('CHANNEL', id, { ...channel, summary: channel.title ?? channel.summary ?? id }, {})
  })
}

function specOperation(
  method: string,
  path: string,
  operation: JsonObject,
  item: JsonObject,
): SpecOperation[] {
  if (operation['x-excluded'] === true) return []
  const extension = asObject(operation['x-mint'])
  return [
    {
      method,
      path,
      summary: asText(operation.summary) ?? asText(item.summary),
      description: asText(operation.description) ?? asText(item.description),
      tags: asArray(operation.tags).flatMap((tag) => tagName(tag) ?? []),
      operationId: asText(operation.operationId),
      isDeprecated: operation.deprecated === true,
      isHidden: operation['x-hidden'] === true,
      href: asText(extension.href),
      metadata: asObject(extension.metadata),
    },
  ]
}

/** OpenAPI refers to tags by name; AsyncAPI contains tag objects. */
function tagName(tag: Json): string | null {
  return asText(tag) ?? asText(asObject(tag).name)
}

export function findSchema({ root }: ApiDocument, name: string): SpecOperation | null {
  const schemas = asObject(asObject(root.components).schemas)
  if (!Object.hasOwn(schemas, name)) return null
  const schema = followReference(root, schemas[name])
  const summary = asText(schema.title) ?? name
  return specOperation('SCHEMA', name, { description: schema.description ?? null, summary }, {})[0] ?? null
}

export function schemaNames({ root }: ApiDocument): string[] {
  return Object.keys(asObject(asObject(root.components).schemas))
}

export function createOperationTitle(operation: SpecOperation): string {
  return asText(operation.metadata.title) ?? operation.summary ?? `${operation.method} ${operation.path}`
}

/** Returns the route `<directory>/<tag>/<name>`. Readers link to it, so the rule must never change. */
export function createOperationRoute(
  { method, path, summary, tags }: SpecOperation,
  directory: string,
): string {
  const isNamed = method === 'WEBHOOK' || method === 'CHANNEL'
  const lastSegment = isNamed ? operationSlug(path) : `${method.toLowerCase()}-${operationSlug(path)}`
  return routeBelow(directory, operationSlug(tags[0] ?? ''), operationSlug(summary ?? '') || lastSegment)
}

/** Returns the route that other tools and earlier versions assign: letters and digits with hyphens. */
export function createOtherRoute(operation: SpecOperation, directory: string): string {
  const { method, path, summary, operationId, tags } = operation
  const name = createSlug(summary ?? '') || createSlug(operationId ?? '') || createSlug(`${method} ${path}`)
  return routeBelow(directory, createSlug(tags[0] ?? ''), name)
}

function routeBelow(directory: string, tag: string, name: string): string {
  const folders = directory.split('/')
  return `/${[...folders, tag, name || 'operation'].filter((part) => part !== '').join('/')}`
}

/** Replaces text in braces and white space with hyphens; removes brackets, commas, dots, apostrophes and slashes. */
function operationSlug(text: string): string {
  return text
    .normalize('NFC')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/ /g, '-')
    .replace(/\{[^{}]*\}/g, '-')
    .replace(/^-|-$/g, '')
    .replace(/[{}(),.'\s/?#%\\]/g, '')
    .replaceAll('--', '-')
    .toLowerCase()
}
