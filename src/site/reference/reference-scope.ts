/** `graphql` and `sdk` in the navigation, and `sdk` in the frontmatter of pages. */
import type { Problem } from '../../base/errors/problem.ts'
import { getField, getNodeLine, isFields, type JsonNode } from '../json.ts'
import { readText } from '../read-json.ts'
import {
  OTHER_SDK_FORMATS,
  type ReferenceScope,
  type ReferenceTarget,
  SDK_FORMATS,
} from './reference-document.ts'

/** Returns the source of an entry, or else of the enclosing entry. `graphql` is not inherited. */
export function readReferenceScope(
  problems: Problem[],
  node: JsonNode | undefined,
  inherited: ReferenceScope | null,
): ReferenceScope | null {
  const graphql = getField(node, 'graphql')
  const field = graphql ?? getField(node, 'sdk')
  if (!field || field.value === null || field.value === false)
    return inherited?.format === 'graphql' ? null : inherited
  const kind = graphql ? 'graphql' : 'sdk'
  const source = readText(
    problems,
    isFields(field.value) ? getField(field, 'source') : field,
    `${kind}.source`,
  )
  const format = graphql ? 'graphql' : readFormat(problems, field)
  if (source === null || format === null) return null
  const directory =
    readText(problems, getField(field, 'directory'), `${kind}.directory`) ?? `${kind}-reference`
  return {
    format,
    source,
    directory: directory.replace(/^\/+|(?<!\/)\/+$/g, '') || `${kind}-reference`,
    node: field,
  }
}

function readFormat(problems: Problem[], field: JsonNode): (typeof SDK_FORMATS)[number] | null {
  const written = isFields(field.value) ? getField(field, 'format')?.value : null
  const format = SDK_FORMATS.find((one) => one === written)
  if (format) return format
  const isOther = OTHER_SDK_FORMATS.some((one) => one === written)
  problems.push({
    file: field.source.file,
    line: getNodeLine(field),
    code: 'reference.format',
    level: 'warning',
    message: isOther
      ? `Pages cannot be generated from ${String(written)}, so this entry is empty.`
      : 'sdk has no known format.',
    remedy: `Write "format": ${SDK_FORMATS.map((one) => `"${one}"`).join(' or ')}, or list your own pages.`,
  })
  return null
}

const KINDS = ['class', 'interface', 'enum', 'function', 'type', 'variable', 'method', 'property']

/** Parses `[source] kind name`, or an object with these keys; null if it does not name a symbol. */
export function parseTarget(written: unknown): ReferenceTarget | null {
  if (typeof written === 'string') {
    const words = written
      .trim()
      .slice(0, 1000)
      .split(/[ \t]+/)
    const at = words.length === 3 ? 1 : 0
    if (words.length < 2 || words.length > 3) return null
    return target(words[at], words[at + 1], null, at === 1 ? words[0] : null, null)
  }
  if (typeof written !== 'object' || written === null) return null
  const { kind, name, parent, source, format } = written as Record<string, unknown>
  return target(kind, name, parent, source, format)
}

function target(
  kind: unknown,
  name: unknown,
  parent: unknown,
  source: unknown,
  format: unknown,
): ReferenceTarget | null {
  if (typeof kind !== 'string' || !KINDS.includes(kind) || typeof name !== 'string' || name.trim() === '')
    return null
  const dot = name.lastIndexOf('.')
  const isMember = (kind === 'method' || kind === 'property') && dot > 0
  const nonBlank = (value: unknown) =>
    typeof value === 'string' && value.trim() !== '' ? value.trim() : null
  return {
    kind,
    name: isMember ? name.slice(dot + 1) : name.trim(),
    parent: nonBlank(parent) ?? (isMember ? name.slice(0, dot) : null),
    source: nonBlank(source),
    format: nonBlank(format),
  }
}
