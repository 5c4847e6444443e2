/**
 * The part of an API page that comes from its description: parameters, body and responses as Markdown, which then goes
 * the same way as a page that somebody wrote. Whatever a description holds is text there.
 */
import { parse as parseYaml } from 'yaml'
import type { FileTree } from '../base/file-tree.ts'
import type { ApiOperation } from '../site/model.ts'
import {
  asMarkdown,
  fieldLines,
  fieldsOf,
  type Json,
  listOf,
  pointer,
  SCHEMA_STEPS,
  type SchemaScope,
  textOf,
} from './schema-fields.ts'

export interface OperationSources {
  /** The parsed file; null when it is not there or cannot be read. */
  document(spec: string): Promise<Json | null>
}

export function createOperationSources(tree: FileTree): OperationSources {
  const documents = new Map<string, Promise<Json | null>>()
  return {
    document: (spec) => {
      const known = documents.get(spec)
      if (known) return known
      const document = readDocument(tree, spec)
      documents.set(spec, document)
      return document
    },
  }
}

async function readDocument(tree: FileTree, spec: string): Promise<Json | null> {
  if (!tree.files.has(spec)) return null
  const text = new TextDecoder().decode(await tree.read(spec))
  try {
    return JSON.parse(text) as Json
  } catch {
    try {
      return parseYaml(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' }) as Json
    } catch {
      return null
    }
  }
}

/** `description` is what of it is to be shown here. */
export async function operationMarkdown(
  sources: OperationSources,
  operation: ApiOperation,
  description: string,
): Promise<string> {
  const document = await sources.document(operation.spec)
  const lines = description === '' ? [] : [asMarkdown(description), '']
  const found = document === null ? null : findOperation(document, operation)
  if (document !== null && found !== null) lines.push(...describe({ document, left: SCHEMA_STEPS }, found))
  return `${lines.join('\n').trim()}\n`
}

interface FoundOperation {
  operation: Record<string, Json>
  /** Parameters that the path gives to all its operations. */
  shared: Json[]
}

function findOperation(document: Json, operation: ApiOperation): FoundOperation | null {
  const isWebhook = operation.method === 'WEBHOOK'
  const table = fieldsOf(fieldsOf(document)[isWebhook ? 'webhooks' : 'paths'])
  const item = fieldsOf(table[operation.path])
  const method = isWebhook
    ? Object.keys(item).find((key) => /^(?:post|put|get|patch|delete)$/.test(key))
    : operation.method.toLowerCase()
  const value = item[method ?? '']
  if (value === undefined) return null
  return { operation: fieldsOf(value), shared: listOf(item.parameters) }
}

const PLACES = [
  { place: 'path', title: 'Path parameters' },
  { place: 'query', title: 'Query parameters' },
  { place: 'header', title: 'Header parameters' },
  { place: 'cookie', title: 'Cookie parameters' },
]

function describe(scope: SchemaScope, found: FoundOperation): string[] {
  const lines: string[] = []
  const parameters = [...listOf(found.operation.parameters), ...found.shared].map((one) =>
    resolve(scope, one),
  )
  for (const { place, title } of PLACES) {
    const here = parameters.filter((parameter) => parameter.in === place)
    if (here.length === 0) continue
    lines.push(`## ${title} {#${place}-parameters}`, '')
    for (const parameter of here) {
      lines.push(
        ...fieldLines(scope, String(parameter.name), parameter.schema ?? parameter, {
          isRequired: parameter.required === true,
          description: parameter.description,
        }),
      )
    }
    lines.push('')
  }
  lines.push(
    ...describeBody(scope, resolve(scope, found.operation.requestBody), 'Request body', 'request-body'),
  )
  const responses = Object.entries(fieldsOf(found.operation.responses))
  if (responses.length > 0) lines.push('## Responses {#responses}', '')
  for (const [status, value] of responses) {
    const response = resolve(scope, value)
    const about = textOf(response.description)
    lines.push(
      `### ${status.replace(/[^\w]/g, '')} {#response-${status.toLowerCase().replace(/\W/g, '')}}`,
      '',
      about,
      '',
    )
    lines.push(...describeContent(scope, response))
  }
  return lines
}

function describeBody(scope: SchemaScope, body: Record<string, Json>, title: string, id: string): string[] {
  const content = describeContent(scope, body)
  const about = textOf(body.description)
  if (content.length === 0 && about === '') return []
  return [`## ${title} {#${id}}`, '', about, '', ...content]
}

function describeContent(scope: SchemaScope, holder: Record<string, Json>): string[] {
  const lines: string[] = []
  for (const [type, value] of Object.entries(fieldsOf(holder.content))) {
    lines.push(`\`${type.replaceAll('`', '')}\``, '')
    const media = fieldsOf(value)
    if (media.schema !== undefined) lines.push(...fieldLines(scope, null, media.schema, {}), '')
    const example = media.example ?? fieldsOf(Object.values(fieldsOf(media.examples))[0]).value
    if (example !== undefined) lines.push(...fence(example))
  }
  return lines
}

function fence(example: Json): string[] {
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const mark = '`'.repeat(longest + 1)
  return [`${mark}${typeof example === 'string' ? 'text' : 'json'} Example`, text, mark, '']
}

function resolve(scope: SchemaScope, value: Json | undefined): Record<string, Json> {
  const fields = fieldsOf(value)
  if (typeof fields.$ref !== 'string') return fields
  return fieldsOf(pointer(scope.document, fields.$ref))
}
