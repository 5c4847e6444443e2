/** read_api: reads an API description by operation, for files that are too long to read as text. */
import { Type } from 'typebox'
import { asObject, type Json, resolvePointer } from '../../../openapi/api-json.ts'
import { listOperations, METHODS, type SpecOperation } from '../../../site/reference/list-operations.ts'
import type { ApiDocument } from '../../../site/reference/spec-document.ts'
import { parseJsonOrYaml } from '../../../site/reference/spec-text.ts'
import { decodeText } from '../../../site/text.ts'
import { existingPath, quotePath } from '../edit/paths.ts'
import { defineTool } from '../loop/define-tool.ts'
import { fitLines, formatMoreNote, MAX_RESULT_BYTES, plural, sliceText } from '../loop/result-text.ts'
import { ToolRefusal } from '../loop/tool.ts'
import type { Workspace } from '../publish/workspace.ts'

const MAX_BYTES = 32 << 20
const PAGE = 150
/** Number of characters of an operation per result page; few characters take more than one byte. */
const PIECE = MAX_RESULT_BYTES / 2
const MAX_PARTS = 60
const MAX_VALUES = 50_000

type Fields = { readonly [name: string]: unknown }

export const readApi = defineTool({
  name: 'read_api',
  description:
    'Reads an API description of the docs (OpenAPI or AsyncAPI, up to 32 MiB) by operation: lists the operations; with operation, shows the description of that operation and of everything that it refers to.',
  input: Type.Object(
    {
      path: Type.String({ minLength: 1, description: 'Example: "api/openapi.yaml".' }),
      operation: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: 'Method and path as listed, such as "GET /pets/{id}".',
        }),
      ),
      find: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Only operations that contain this text.' }),
      ),
      offset: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'Number of operations, or characters of one operation, to skip.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  run: async ({ workspace }, { path, operation, find = '', offset = 0 }) => {
    const file = existingPath(workspace.tree, path)
    const document = await readDocument(workspace, file)
    const { operations } = listOperations(file, document)
    if (operation === undefined) return formatOperationList(file, operations, find.toLowerCase(), offset)
    const soughtName = operation.replace(/\s+/g, ' ').trim().toLowerCase()
    const found = operations.find((one) => operationName(one).toLowerCase() === soughtName)
    if (found === undefined)
      throw new ToolRefusal(
        `${quotePath(file)} has no operation ${quotePath(operation)}. Call without operation to list them.`,
      )
    return formatOperation(document.root, found, offset)
  },
})

/** Caches the last document, because listing the operations is usually followed by reading some of them. */
let known: { digest: string; document: ApiDocument } | null = null

async function readDocument({ tree }: Workspace, file: string): Promise<ApiDocument> {
  const { sizeBytes = 0, digest = '' } = tree.files.get(file) ?? {}
  if (known?.digest === digest) return known.document
  if (sizeBytes > MAX_BYTES)
    throw new ToolRefusal(`${quotePath(file)} is larger than ${MAX_BYTES >> 20} MiB and cannot be read.`)
  const root = parseJsonOrYaml(decodeText(await tree.read(file)).text)
  const kind = isFields(root)
    ? 'asyncapi' in root
      ? 'asyncapi'
      : 'openapi' in root || 'swagger' in root
        ? 'openapi'
        : null
    : null
  if (kind === null)
    throw new ToolRefusal(`${quotePath(file)} is not a valid API description. Try read_file.`)
  const document = { kind, root, faults: [] } as unknown as ApiDocument
  known = { digest, document }
  return document
}

function operationName({ method, path }: SpecOperation): string {
  return `${method} ${path}`
}

function formatOperationList(
  file: string,
  operations: readonly SpecOperation[],
  find: string,
  offset: number,
): string {
  const lines = operations
    .map((one) =>
      [operationName(one), one.summary ?? one.operationId].filter(Boolean).join(': ').slice(0, 300),
    )
    .filter((line) => line.toLowerCase().includes(find))
  const shown = fitLines(lines.slice(offset, offset + PAGE))
  const more = formatMoreNote(offset + shown.length, lines.length)
  const title = `${quotePath(file)}: ${plural(lines.length, 'operation')}`
  return shown.length === 0 ? `${title}, none after ${offset}.` : `${title}\n${shown.join('\n')}${more}`
}

function formatOperation(root: Fields, { method, path }: SpecOperation, offset: number): string {
  const operationNode = findOperationNode(root, method, path)
  const parts = new Map<string, unknown>()
  collectReferencedComponents(root, operationNode, parts, { left: MAX_VALUES })
  const text = [
    `${method} ${path}`,
    JSON.stringify(operationNode, null, 1),
    ...[...parts].map(([reference, part]) => `${reference}\n${JSON.stringify(part, null, 1)}`),
  ].join('\n\n')
  return sliceText(text, offset, PIECE)
}

function findOperationNode(root: Fields, method: string, path: string): unknown {
  if ((METHODS as readonly string[]).includes(method)) {
    const item = asObject(asObject(root.paths)[path])
    const shared = item.parameters === undefined ? {} : { 'parameters of the path': item.parameters }
    return { ...shared, ...asObject(item[method.toLowerCase()]) }
  }
  const components = asObject(root.components)
  if (method === 'WEBHOOK') return asObject(root.webhooks)[path]
  return method === 'CHANNEL' ? asObject(root.channels)[path] : asObject(components.schemas)[path]
}

function collectReferencedComponents(
  root: Fields,
  start: unknown,
  parts: Map<string, unknown>,
  cost: { left: number },
): void {
  const queue: unknown[] = [start]
  while (queue.length > 0 && cost.left-- > 0) {
    const value = queue.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      const isNew =
        name === '$ref' && typeof inner === 'string' && inner.startsWith('#/') && !parts.has(inner)
      if (!isNew) queue.push(inner)
      else if (parts.size < MAX_PARTS) {
        const part = resolvePointer(root as Json, inner) ?? null
        parts.set(inner, part)
        queue.push(part)
      }
    }
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
