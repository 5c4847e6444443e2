/** `openapi:`, `asyncapi:` and `openapi-schema:` in the frontmatter of pages. */

import { getField, type JsonNode } from '../json.ts'
import type { BuiltNavigation } from '../navigation/build-sidebars.ts'
import { readApiScope } from '../navigation/read-nav-items.ts'
import type { FrontmatterField } from '../pages/frontmatter-fields.ts'
import type { FileFacts } from '../pages/read-pages.ts'
import { quote } from '../problems.ts'
import type { GeneratedPage, OperationDeps } from './operation-pages.ts'
import { type OperationReference, parseNamed, parseOperation } from './operation-reference.ts'

/** Frontmatter fields that refer to API descriptions; the first field present is used. */
const FIELDS: readonly {
  key: FrontmatterField
  parse(text: string, from: string): OperationReference | null
  code: string
  what: string
  remedy: string
}[] = [
  {
    key: 'openapi',
    parse: parseOperation,
    code: 'frontmatter.openapi',
    what: 'an operation',
    remedy: 'Write "METHOD /path" or "file.json METHOD /path".',
  },
  {
    key: 'asyncapi',
    parse: (text, from) => parseNamed('CHANNEL', text, from),
    code: 'frontmatter.asyncapi',
    what: 'a channel',
    remedy: 'Write "channelName" or "file.yaml channelName".',
  },
  {
    key: 'openapi-schema',
    parse: (text, from) => parseNamed('SCHEMA', text, from),
    code: 'frontmatter.openapi_schema',
    what: 'a data model',
    remedy: 'Write "ModelName" or "file.json ModelName".',
  },
]

export interface PageOperationDeps extends OperationDeps {
  settings: JsonNode
}

const MAX_SHOWN_CHARACTERS = 300
const NO_SPECS: readonly string[] = []

/** Keyed by route. */
export interface PageOperations {
  shown: ReadonlyMap<string, Pick<GeneratedPage, 'spec' | 'operation'>>
  /** References to operations that do not exist, as written; keyed by route. */
  unfilled: ReadonlyMap<string, string>
}

/** If the operation does not exist, the page remains, with a problem at the line of the field. */
export async function findPageOperations(
  deps: PageOperationDeps,
  facts: ReadonlyMap<string, FileFacts>,
  built: BuiltNavigation,
): Promise<PageOperations> {
  const unfilled = new Map<string, string>()
  const shown = new Map<string, Pick<GeneratedPage, 'spec' | 'operation'>>()
  // Problems of `api` were already reported when the setting was first read.
  const standard = readApiScope(
    { problems: [], library: 'fontawesome', scopes: [] },
    getField(deps.settings, 'api'),
    null,
  )
  for (const [route, file] of deps.index.files) {
    const frontmatter = facts.get(file)?.frontmatter
    const field = FIELDS.find(({ key }) => isWritten(frontmatter?.fields[key]))
    if (!frontmatter || !field) continue
    const written = frontmatter.fields[field.key]
    const position = { file, line: frontmatter.lineOf(field.key) }
    const text = typeof written === 'string' ? written.trim() : JSON.stringify(written)
    unfilled.set(route, text.slice(0, MAX_SHOWN_CHARACTERS))
    const reference = typeof written === 'string' ? field.parse(written, file) : null
    if (!reference) {
      deps.problems.push({
        ...position,
        code: field.code,
        level: 'warning',
        message: `${field.key} must name ${field.what}, not ${quote(String(JSON.stringify(written)))}.`,
        remedy: field.remedy,
      })
      continue
    }
    const scope = built.mentions.get(route)?.find((mention) => mention.scope)?.scope ?? standard
    const names = scope?.specs ?? NO_SPECS
    const found = await deps.specs.find(reference, names)
    if (!found) {
      await deps.reporter.unknownOperation(position, reference, names)
      continue
    }
    shown.set(route, { spec: found.spec.file, operation: found.operation })
    unfilled.delete(route)
  }
  return { shown, unfilled }
}

function isWritten(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
