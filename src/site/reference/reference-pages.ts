/** Pages that the navigation makes of GraphQL schemas and of what documentation tools wrote of libraries. */
import type { Problem } from '../../base/errors/problem.ts'
import { type JsonNode, lineOf } from '../json.ts'
import type { PageIndex } from '../pages/page-index.ts'
import { quote } from '../problems.ts'
import {
  type LinkTo,
  type ReferenceDocument,
  type ReferenceScope,
  type ReferenceSymbol,
  type ReferenceTarget,
  SDK_FORMATS,
} from './reference-document.ts'
import type { SpecReporter } from './report-spec.ts'
import { isSpecUrl, type SpecSources } from './spec-sources.ts'

export interface ReferencePage {
  route: string
  symbol: ReferenceSymbol
  text: string
}

export interface ReferencePages {
  /** By route, in the order of the navigation. */
  pages: ReadonlyMap<string, ReferencePage>
  /** Symbols of the source by their sections; empty, with a problem, when it cannot be read. */
  place(scope: ReferenceScope): Promise<ReadonlyMap<string, ReferencePage[]>>
  /** Null when there is no such symbol. */
  find(target: ReferenceTarget, scope: ReferenceScope | null, node: JsonNode): Promise<ReferencePage | null>
  /** Files that were read. */
  files(): readonly string[]
}

export interface ReferenceDeps {
  problems: Problem[]
  sources: SpecSources
  index: PageIndex
  reporter: SpecReporter
}

export function createReferencePages(deps: ReferenceDeps): ReferencePages {
  const { index } = deps
  const pages = new Map<string, ReferencePage>()
  const documents = new Map<string, Promise<ReferenceDocument | null>>()
  const placed = new Map<string, Map<string, ReferencePage[]>>()

  const load = (scope: ReferenceScope) => {
    const key = `${scope.format}\n${scope.source}`
    const known = documents.get(key) ?? readDocument(deps, scope)
    documents.set(key, known)
    return known
  }

  /** By the name of the symbol; of two that are called alike the first is meant. */
  const linkToFrom = (placedHere: ReadonlyMap<string, ReferencePage[]>): LinkTo => {
    const routes = new Map<string, string>()
    for (const list of placedHere.values())
      for (const { symbol, route } of list) if (!routes.has(symbol.name)) routes.set(symbol.name, route)
    return (name) => routes.get(name) ?? null
  }

  return {
    pages,
    async place(scope) {
      const key = `${scope.format}\n${scope.source}\n${scope.directory}`
      const known = placed.get(key)
      if (known) return known
      const groups = new Map<string, ReferencePage[]>()
      placed.set(key, groups)
      const document = await load(scope)
      for (const symbol of document?.symbols ?? []) {
        if (symbol.parent !== null) continue
        const base = `/${scope.directory}/${symbol.path}`
        let route = base
        for (let number = 2; pages.has(route) || index.files.has(route); number++) route = `${base}-${number}`
        const page = { route, symbol, text: '' }
        pages.set(route, page)
        const group = groups.get(symbol.group)
        if (group) group.push(page)
        else groups.set(symbol.group, [page])
      }
      const linkTo = linkToFrom(groups)
      for (const page of [...groups.values()].flat()) page.text = page.symbol.text(linkTo)
      return groups
    },
    files: () => [...documents.keys()].map((key) => fileOf(key.slice(key.indexOf('\n') + 1))),
    async find(target, scope, node) {
      const format = SDK_FORMATS.find((one) => one === (target.format ?? scope?.format)) ?? null
      const source = target.source ?? scope?.source ?? null
      if (format === null || source === null) return null
      const document = await load({ format, source, directory: scope?.directory ?? '', node })
      const symbol = document?.symbols.find(
        ({ kind, name, parent }) => kind === target.kind && name === target.name && parent === target.parent,
      )
      return symbol ? { route: '', symbol, text: symbol.text(() => null) } : null
    },
  }
}

async function readDocument(
  { problems, sources, reporter }: ReferenceDeps,
  { format, source, node }: ReferenceScope,
): Promise<ReferenceDocument | null> {
  const place = { file: node.source.file, line: lineOf(node) }
  const text = await sources.read(fileOf(source))
  if (typeof text !== 'string') {
    reporter.fault(place, source, text)
    return null
  }
  try {
    if (format === 'graphql') return (await import('./graphql-reference.ts')).readGraphql(text)
    return (await import('./typedoc-reference.ts')).readTypedoc(text)
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 200)
    problems.push({
      ...place,
      code: 'reference.unreadable',
      level: 'error',
      message: `No pages can be made of ${quote(source)}: ${why}.`,
      remedy:
        format === 'graphql' ? 'Correct the schema.' : 'Write it again with the tool that it comes from.',
    })
    return null
  }
}

/** A path below the docs folder; an address stays as it is. */
function fileOf(source: string): string {
  return isSpecUrl(source) ? source : source.replace(/^(?:\.?\/)+/, '')
}
