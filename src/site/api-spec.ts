/** OpenAPI files, as far as the navigation needs them: which operations there are and how they are called. */
import { parse as parseYaml } from 'yaml'
import type { FileTree } from '../base/file-tree.ts'
import { slugOf } from './routes.ts'
import { readTextFile } from './text.ts'

export interface ApiSpec {
  /** Path below the docs folder. */
  file: string
  kind: 'openapi' | 'asyncapi' | 'swagger'
  /** In the order of the file; excluded ones are left out. */
  operations: readonly SpecOperation[]
  /** Display name of a tag, where it differs. */
  tagLabels: ReadonlyMap<string, string>
}

export interface SpecOperation {
  /** Upper case; `WEBHOOK` for webhooks, whose `path` is their name. */
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

export type SpecFault = 'missing' | 'unreadable' | 'not_a_spec' | 'too_large' | 'remote'

export const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'] as const

/** A larger file is no description of an interface that anybody reads. */
const MAX_BYTES = 30 << 20

/** Reads one file; JSON or YAML by content. */
export async function loadApiSpec(tree: FileTree, file: string): Promise<ApiSpec | SpecFault> {
  const entry = tree.files.get(file)
  if (!entry) return 'missing'
  if (entry.sizeBytes > MAX_BYTES) return 'too_large'
  const text = await readTextFile(tree, file)
  if (!looksLikeSpec(text)) return 'not_a_spec'
  const document = parseDocument(text)
  if (document === undefined) return 'unreadable'
  return readSpec(file, document) ?? 'not_a_spec'
}

/** A cheap test that spares parsing every data file of a site. */
function looksLikeSpec(text: string): boolean {
  return /(?:^|[\s{,"'])(?:openapi|swagger|asyncapi)["']?\s*:/.test(text)
}

function parseDocument(text: string): unknown {
  const content = text.replace(/^\ufeff/, '')
  try {
    return JSON.parse(content)
  } catch {
    if (/^\s*\{/.test(content) && content.length > 1 << 20) return undefined
  }
  try {
    return parseYaml(content, {
      schema: 'core',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
      maxAliasCount: 100,
    })
  } catch {
    return undefined
  }
}

function readSpec(file: string, document: unknown): ApiSpec | null {
  const root = fieldsOf(document)
  const tagLabels = new Map<string, string>()
  for (const tag of Array.isArray(root.tags) ? root.tags : []) {
    const { name, 'x-group': label } = fieldsOf(tag)
    if (typeof name === 'string' && typeof label === 'string') tagLabels.set(name, label)
  }
  if (typeof root.asyncapi === 'string') return { file, kind: 'asyncapi', operations: [], tagLabels }
  const isSwagger = root.swagger !== undefined
  if (!isSwagger && root.openapi === undefined) return null
  const operations: SpecOperation[] = []
  for (const [path, item] of Object.entries(fieldsOf(root.paths))) {
    const pathItem = followLocal(root, item)
    for (const [key, value] of Object.entries(pathItem)) {
      const method = METHODS.find((one) => one.toLowerCase() === key)
      if (method) addOperation(operations, method, path, value, pathItem)
    }
  }
  for (const [name, item] of Object.entries(fieldsOf(root.webhooks ?? root['x-webhooks']))) {
    const pathItem = followLocal(root, item)
    const value = METHODS.map((method) => pathItem[method.toLowerCase()]).find((one) => one !== undefined)
    if (value !== undefined) addOperation(operations, 'WEBHOOK', name, value, pathItem)
  }
  return { file, kind: isSwagger ? 'swagger' : 'openapi', operations, tagLabels }
}

function addOperation(
  operations: SpecOperation[],
  method: string,
  path: string,
  value: unknown,
  pathItem: Record<string, unknown>,
): void {
  const operation = fieldsOf(value)
  if (operation['x-excluded'] === true) return
  const extension = fieldsOf(operation['x-mint'])
  operations.push({
    method,
    path,
    summary: textOf(operation.summary),
    description: textOf(operation.description) ?? textOf(pathItem.description),
    tags: Array.isArray(operation.tags) ? operation.tags.filter((tag) => typeof tag === 'string') : [],
    operationId: textOf(operation.operationId),
    isDeprecated: operation.deprecated === true,
    isHidden: operation['x-hidden'] === true,
    href: textOf(extension.href),
    metadata: fieldsOf(extension.metadata),
  })
}

/** Path items may be references within the document; one step is enough. */
function followLocal(root: Record<string, unknown>, item: unknown): Record<string, unknown> {
  const fields = fieldsOf(item)
  if (typeof fields.$ref !== 'string' || !fields.$ref.startsWith('#/')) return fields
  let target: unknown = root
  for (const part of fields.$ref.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    target = Object.hasOwn(fieldsOf(target), key) ? fieldsOf(target)[key] : undefined
  }
  return fieldsOf(target)
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** Title of a generated page. */
export function titleOfOperation(operation: SpecOperation): string {
  return textOf(operation.metadata.title) ?? operation.summary ?? `${operation.method} ${operation.path}`
}

/** `<directory>/<tag>/<name>` as a route. */
export function routeOfOperation(operation: SpecOperation, directory: string): string {
  const folder = directory
    .split('/')
    .filter((part) => part !== '')
    .join('/')
  const name =
    slugOf(operation.summary ?? '') ||
    slugOf(operation.operationId ?? '') ||
    slugOf(`${operation.method} ${operation.path}`)
  const tag = slugOf(operation.tags[0] ?? '')
  return `/${[folder, tag, name || 'operation'].filter((part) => part !== '').join('/')}`
}
