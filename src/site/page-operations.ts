/** `openapi:` in the frontmatter of pages: which operation each such page shows. */
import type { BuiltNavigation } from './build-sidebars.ts'
import { fieldOf, type JsonNode } from './json.ts'
import { type GeneratedPage, type OperationDeps, reportUnknownOperation } from './operation-pages.ts'
import { parseOperation } from './operation-reference.ts'
import { quote } from './problems.ts'
import { readApiScope } from './read-nav-items.ts'
import type { FileFacts } from './read-pages.ts'
import { isSpecUrl } from './spec-library.ts'

export interface PageOperationDeps extends OperationDeps {
  settings: JsonNode
}

/** By route. A page whose operation does not exist stays a page, with a problem at the line of the field. */
export async function findPageOperations(
  deps: PageOperationDeps,
  facts: ReadonlyMap<string, FileFacts>,
  built: BuiltNavigation,
): Promise<ReadonlyMap<string, Pick<GeneratedPage, 'spec' | 'operation'>>> {
  const shown = new Map<string, Pick<GeneratedPage, 'spec' | 'operation'>>()
  // Reading `api` once more would repeat its problems.
  const standard = readApiScope({ problems: [], library: 'fontawesome' }, fieldOf(deps.settings, 'api'), null)
  for (const [route, file] of deps.index.files) {
    const frontmatter = facts.get(file)?.frontmatter
    const written = frontmatter?.fields.openapi
    if (!frontmatter || written === undefined || written === null || written === '') continue
    const place = { file, line: frontmatter.lineOf('openapi') }
    const reference = typeof written === 'string' ? parseOperation(written) : null
    if (!reference) {
      deps.problems.push({
        ...place,
        code: 'frontmatter.openapi',
        level: 'warning',
        message: `openapi does not name an operation: ${quote(String(JSON.stringify(written)))}.`,
        remedy: 'Write "METHOD /path" or "file.json METHOD /path".',
      })
      continue
    }
    const scope = built.mentions.get(route)?.find((mention) => mention.scope)?.scope ?? standard
    const names = scope?.kind === 'openapi' ? scope.specs : []
    const found = await deps.specs.find(reference, names)
    if (found) shown.set(route, { spec: found.spec.file, operation: found.operation })
    else if (reference.spec === null || !isSpecUrl(reference.spec)) {
      await reportUnknownOperation(deps, place, reference, names)
    }
  }
  return shown
}
