/** API descriptions as far as the navigation needs them: what they describe and how it is called. */
import {
  fieldsOf,
  followReference,
  type Json,
  type JsonObject,
  listOf,
  textOf,
} from '../../openapi/api-json.ts'
import { slugOf } from '../navigation/routes.ts'
import type { ApiDocument } from './spec-document.ts'

export interface ApiSpec {
  /** Path below the docs folder, or address. */
  file: string
  document: ApiDocument
  /** In the order of the file; excluded ones are left out. */
  operations: readonly SpecOperation[]
  /** Display name of a tag, where it differs. */
  tagLabels: ReadonlyMap<string, string>
}

export interface SpecOperation {
  /**
   * Upper case; `WEBHOOK` for webhooks, `CHANNEL` for channels of AsyncAPI and `SCHEMA` for data models, whose `path`
   * is their name.
   */
  method: string
  path: string
  summary: string | null
  description: string | null
  tags: string[]
  operationId: string | null
  isDeprecated: boolean
  /** Has a page that no navigation shows. */
  isHidden: boolean
  /** `x-mint.href`: the address of its page. */
  href: string | null
  /** `x-mint.metadata`: frontmatter of its page. */
  metadata: Readonly<Record<string, unknown>>
}

export const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'] as const

/** Characters of a text that a part of an address is made of. */
const MOST_SLUG = 200
/** More operations than these have no pages. */
const MOST_OPERATIONS = 20_000

export function listOperations(file: string, document: ApiDocument): ApiSpec {
  const { root } = document
  const operations = document.kind === 'asyncapi' ? channelsOf(root) : operationsOf(root)
  return {
    file,
    document,
    operations: operations.slice(0, MOST_OPERATIONS),
    tagLabels: labelsOf(root),
  }
}

function labelsOf(root: JsonObject): Map<string, string> {
  const labels = new Map<string, string>()
  for (const tag of listOf(root.tags)) {
    const { name, 'x-group': label, 'x-displayName': display } = fieldsOf(tag)
    const shown = textOf(label) ?? textOf(display)
    if (typeof name === 'string' && shown !== null) labels.set(name, shown)
  }
  return labels
}

function operationsOf(root: JsonObject): SpecOperation[] {
  const operations: SpecOperation[] = []
  for (const [path, value] of Object.entries(fieldsOf(root.paths))) {
    const item = followReference(root, value)
    for (const [key, one] of Object.entries(item)) {
      const method = METHODS.find((name) => name.toLowerCase() === key)
      if (method) operations.push(...specOperation(method, path, fieldsOf(one), item))
    }
  }
  for (const [name, value] of Object.entries(fieldsOf(root.webhooks ?? root['x-webhooks']))) {
    const item = followReference(root, value)
    const one = METHODS.map((method) => item[method.toLowerCase()]).find((found) => found !== undefined)
    if (one !== undefined) operations.push(...specOperation('WEBHOOK', name, fieldsOf(one), item))
  }
  return operations
}

function channelsOf(root: JsonObject): SpecOperation[] {
  return Object.entries(fieldsOf(root.channels)).flatMap(([id, value]) => {
    const channel = followReference(root, value)
    return specOperation('CHANNEL', id, { ...channel, summary: channel.title ?? channel.summary ?? id }, {})
  })
}

/** Empty for what its description keeps out. */
function specOperation(
  method: string,
  path: string,
  operation: JsonObject,
  item: JsonObject,
): SpecOperation[] {
  if (operation['x-excluded'] === true) return []
  const extension = fieldsOf(operation['x-mint'])
  return [
    {
      method,
      path,
      summary: textOf(operation.summary) ?? textOf(item.summary),
      description: textOf(operation.description) ?? textOf(item.description),
      tags: listOf(operation.tags).flatMap((tag) => tagName(tag) ?? []),
      operationId: textOf(operation.operationId),
      isDeprecated: operation.deprecated === true,
      isHidden: operation['x-hidden'] === true,
      href: textOf(extension.href),
      metadata: fieldsOf(extension.metadata),
    },
  ]
}

/** OpenAPI names its tags, AsyncAPI writes them out. */
function tagName(tag: Json): string | null {
  return textOf(tag) ?? textOf(fieldsOf(tag).name)
}

/** The data model of that name; null when there is none. */
export function findSchema({ root }: ApiDocument, name: string): SpecOperation | null {
  const schemas = fieldsOf(fieldsOf(root.components).schemas)
  if (!Object.hasOwn(schemas, name)) return null
  const schema = followReference(root, schemas[name])
  const summary = textOf(schema.title) ?? name
  return specOperation('SCHEMA', name, { description: schema.description ?? null, summary }, {})[0] ?? null
}

export function schemaNames({ root }: ApiDocument): string[] {
  return Object.keys(fieldsOf(fieldsOf(root.components).schemas))
}

/** Title of a generated page. */
export function titleOfOperation(operation: SpecOperation): string {
  return textOf(operation.metadata.title) ?? operation.summary ?? `${operation.method} ${operation.path}`
}

/** `<directory>/<tag>/<name>` as a route. Readers' links depend on it, so the rule never changes. */
export function routeOfOperation({ method, path, summary, tags }: SpecOperation, directory: string): string {
  const isNamed = method === 'WEBHOOK' || method === 'CHANNEL'
  const place = isNamed ? operationSlug(path) : `${method.toLowerCase()}-${operationSlug(path)}`
  return routeBelow(directory, operationSlug(tags[0] ?? ''), operationSlug(summary ?? '') || place)
}

/** Addresses that the same operation has elsewhere or had before: words of letters and digits alone, with hyphens. */
export function otherRoute(operation: SpecOperation, directory: string): string {
  const { method, path, summary, operationId, tags } = operation
  const name = slugOf(summary ?? '') || slugOf(operationId ?? '') || slugOf(`${method} ${path}`)
  return routeBelow(directory, slugOf(tags[0] ?? ''), name)
}

function routeBelow(directory: string, tag: string, name: string): string {
  const folders = directory.split('/')
  return `/${[...folders, tag, name || 'operation'].filter((part) => part !== '').join('/')}`
}

/** What stands between braces is a hyphen, as white space is; brackets, commas, dots, apostrophes and slashes go. */
function operationSlug(text: string): string {
  return text
    .normalize('NFC')
    .slice(0, MOST_SLUG)
    .replace(/ /g, '-')
    .replace(/\{[^{}]*\}/g, '-')
    .replace(/^-|-$/g, '')
    .replace(/[{}(),.'\s/?#%\\]/g, '')
    .replaceAll('--', '-')
    .toLowerCase()
}
