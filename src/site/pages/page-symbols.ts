/** `sdk:` in the frontmatter of pages: the symbol of a library shown below the page's own text. */
import type { Problem } from '../../base/errors/problem.ts'
import type { JsonNode } from '../json.ts'
import type { BuiltNavigation } from '../navigation/build-sidebars.ts'
import { quote } from '../problems.ts'
import type { ReferencePage, ReferencePages } from '../reference/reference-pages.ts'
import { parseTarget } from '../reference/reference-scope.ts'
import type { PageIndex } from './page-index.ts'
import type { FileFacts } from './read-pages.ts'

export interface PageSymbolDeps {
  problems: Problem[]
  references: ReferencePages
  index: PageIndex
  /** Position for problems with a source that no navigation entry specifies. */
  node: JsonNode
}

/**
 * Returns symbols by route. If a symbol does not exist, its page remains, with a problem at the line of the
 * field.
 */
export async function findPageSymbols(
  { problems, references, index, node }: PageSymbolDeps,
  facts: ReadonlyMap<string, FileFacts>,
  built: BuiltNavigation,
): Promise<ReadonlyMap<string, ReferencePage>> {
  const found = new Map<string, ReferencePage>()
  for (const [route, file] of index.files) {
    const frontmatter = facts.get(file)?.frontmatter
    const written = frontmatter?.fields.sdk
    if (!frontmatter || written === undefined || written === null || written === '') continue
    const mention = built.mentions.get(route)?.find(({ scope }) => scope?.reference)
    const scope = mention?.scope?.reference ?? null
    const target = parseTarget(written)
    const page = target && (await references.find(target, scope, scope?.node ?? node))
    if (page) {
      found.set(route, page)
      continue
    }
    problems.push({
      file,
      line: frontmatter.lineOf('sdk'),
      code: 'frontmatter.sdk',
      level: 'warning',
      message: target
        ? `There is no ${target.kind} ${quote(target.name)} in the library of this page.`
        : `sdk does not name a symbol: ${quote(JSON.stringify(written).slice(0, 300))}.`,
      remedy: 'Write "kind name", such as "class Client", on a page in a navigation entry that has sdk.',
    })
  }
  return found
}
