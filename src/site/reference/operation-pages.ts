/** Pages generated from API descriptions, and operations shown on page files. */
import type { Problem } from '../../base/errors/problem.ts'
import { getNodeLine, type JsonNode } from '../json.ts'
import type { ApiOperation } from '../model.ts'
import type { ApiScope } from '../navigation/navigation-tree.ts'
import { hrefToRoute } from '../navigation/routes.ts'
import type { PageIndex } from '../pages/page-index.ts'
import {
  type ApiSpec,
  createOperationRoute,
  createOtherRoute,
  type SpecOperation,
} from './list-operations.ts'
import { type OperationReference, operationKey } from './operation-reference.ts'
import type { SpecReporter } from './report-spec.ts'
import type { SpecLibrary } from './spec-library.ts'
import { isSpecUrl } from './spec-sources.ts'

export interface GeneratedPage {
  route: string
  spec: string
  operation: SpecOperation
}

export interface OperationPages {
  /** By route, in navigation order. */
  pages: ReadonlyMap<string, GeneratedPage>
  /** Operations that the API description assigns to the route of an existing page file; keyed by route. */
  onFiles: ReadonlyMap<string, GeneratedPage>
  otherRoutes: ReadonlyMap<string, GeneratedPage>
  /** Returns the page of an operation; null, with a problem, if the operation does not exist. */
  addPage(
    reference: OperationReference,
    scope: ApiScope | null,
    node: JsonNode,
  ): Promise<GeneratedPage | null>
  addPages(scope: ApiScope): Promise<{ spec: ApiSpec; pages: GeneratedPage[] }[]>
}

export interface OperationDeps {
  problems: Problem[]
  specs: SpecLibrary
  index: PageIndex
  reporter: SpecReporter
}

const NO_SPECS: readonly string[] = []

export function createOperationPages(deps: OperationDeps): OperationPages {
  const { pages, onFiles, otherRoutes, pageOf } = createPageNames(deps.index)
  const reported = new Set<string>()
  const unavailable = new WeakMap<readonly string[], ReturnType<SpecLibrary['findUnavailable']>>()

  const findUnavailableSpec = (scopeSpecs: readonly string[]) => {
    const found = unavailable.get(scopeSpecs) ?? deps.specs.findUnavailable(scopeSpecs.filter(isSpecUrl))
    unavailable.set(scopeSpecs, found)
    return found
  }

  return {
    pages,
    onFiles,
    otherRoutes,
    async addPage(reference, scope, node) {
      const position = { file: node.source.file, line: getNodeLine(node) }
      const scopeSpecs = scope?.specs ?? NO_SPECS
      const found = await deps.specs.find(reference, scopeSpecs)
      const directory = scope?.directory ?? 'api-reference'
      if (found) return pageOf(found.spec.file, found.operation, directory)
      const remote =
        (await deps.specs.findUnavailable([reference.spec ?? ''].filter(isSpecUrl))) ??
        (await findUnavailableSpec(scopeSpecs))
      if (remote !== null) {
        if (!reported.has(remote.name)) deps.reporter.fault(position, remote.name, remote.fault)
        reported.add(remote.name)
        return pageOf(remote.name, unknownOperation(reference), directory)
      }
      await deps.reporter.unknownOperation(position, reference, scopeSpecs)
      return null
    },
    async addPages(scope) {
      const position = { file: scope.node.source.file, line: getNodeLine(scope.node) }
      const added: { spec: ApiSpec; pages: GeneratedPage[] }[] = []
      for (const name of scope.specs) {
        const spec = await deps.specs.load(name)
        if (!('operations' in spec)) {
          if (isSpecUrl(name)) deps.reporter.fault(position, name, spec)
          continue
        }
        added.push({ spec, pages: spec.operations.map((one) => pageOf(spec.file, one, scope.directory)) })
      }
      return added
    },
  }
}

/** Assigns routes to pages; an operation has one page per directory. */
function createPageNames(index: PageIndex) {
  const pages = new Map<string, GeneratedPage>()
  const onFiles = new Map<string, GeneratedPage>()
  const otherRoutes = new Map<string, GeneratedPage>()
  const generated = new Map<string, GeneratedPage>()
  const freeRoute = createNumbering(1, (route) => index.files.has(route) || pages.has(route))
  const freeOther = createNumbering(2, (route) => index.files.has(route) || otherRoutes.has(route))

  const pageOf = (spec: string, operation: SpecOperation, directory: string): GeneratedPage => {
    const key = `${spec}\n${operationKey(operation.method, operation.path)}\n${directory}`
    const page = generated.get(key) ?? { route: '', spec, operation }
    if (generated.has(key)) return page
    generated.set(key, page)
    page.route =
      operation.href === null ? createOperationRoute(operation, directory) : hrefToRoute(operation.href)
    if (operation.href !== null && index.files.has(page.route)) {
      onFiles.set(page.route, page)
      return page
    }
    page.route = freeRoute(page.route)
    pages.set(page.route, page)
    if (operation.href === null) otherRoutes.set(freeOther(createOtherRoute(operation, directory)), page)
    return page
  }
  return { pages, onFiles, otherRoutes, pageOf }
}

/**
 * Returns a function that makes a route unique by appending a number. Remembers the last number per route, because all
 * lower numbers are already taken.
 */
function createNumbering(first: number, isTaken: (route: string) => boolean): (route: string) => string {
  const next = new Map<string, number>()
  return (base) => {
    let route = base
    let number = next.get(base) ?? first
    for (; isTaken(route); number++) route = `${base}-${number}`
    next.set(base, number)
    return route
  }
}

/** Creates an operation from the author's reference, because its API description could not be fetched. */
function unknownOperation(reference: OperationReference): SpecOperation {
  return {
    method: reference.method,
    path: reference.path,
    summary: null,
    description: null,
    tags: [],
    operationId: null,
    isDeprecated: false,
    isHidden: false,
    href: null,
    metadata: {},
  }
}

export function toApiOperation(page: Pick<GeneratedPage, 'spec' | 'operation'>): ApiOperation {
  const { method, path, summary, description, tags } = page.operation
  return { spec: page.spec, method, path, summary, description, tags }
}
