/** The API descriptions of a site, loaded on demand and found by whatever name an author gives them. */
import { posix } from 'node:path'
import { type ApiSpec, findSchema, type SpecOperation, schemaNames } from './api-spec.ts'
import { type OperationReference, operationKey } from './operation-reference.ts'
import { compareText } from './problems.ts'
import type { SpecFault } from './spec-fault.ts'
import type { SpecMemory } from './spec-memory.ts'
import { isSpecUrl, type SpecSources } from './spec-sources.ts'

export interface FoundOperation {
  spec: ApiSpec
  operation: SpecOperation
}

export interface SpecLibrary {
  /** The description a name means; loads it when needed. */
  load(name: string): Promise<ApiSpec | SpecFault>
  /** Looks where the reference says, else in `specs`, else in every description of the site in order of its path. */
  find(reference: OperationReference, specs: readonly string[]): Promise<FoundOperation | null>
  /** The first of these addresses whose description cannot be had. */
  unfetched(urls: readonly string[]): Promise<{ name: string; fault: SpecFault } | null>
  /** Every description that was loaded, by its path or address. */
  loaded(): Promise<ReadonlyMap<string, ApiSpec>>
}

export const SPEC_FILE = /\.(?:json|ya?ml)$/i

/** `files` are those of the site, without ignored ones. */
export function openSpecLibrary(
  sources: SpecSources,
  files: ReadonlySet<string>,
  memory: SpecMemory,
): SpecLibrary {
  const candidates = [...files].filter((file) => SPEC_FILE.test(file)).sort(compareText)
  const byName = Map.groupBy(candidates, (file) => posix.basename(file).toLowerCase())
  const byStem = Map.groupBy(candidates, (file) => posix.basename(file).replace(SPEC_FILE, '').toLowerCase())
  const loading = new Map<string, Promise<ApiSpec | SpecFault>>()
  const indexes = new Map<ApiSpec, Map<string, SpecOperation>>()
  const searches = new WeakMap<readonly string[], SpecSearch>()

  const loadSource = (name: string) => {
    const known = loading.get(name)
    if (known) return known
    const spec = memory.read(sources, name)
    loading.set(name, spec)
    return spec
  }

  const fileOf = (name: string): string | null => {
    const path = posix.normalize(name.trim().replace(/^(?:\.?\/)+/, ''))
    if (files.has(path)) return path
    const withExtension = ['.json', '.yaml', '.yml'].map((extension) => path + extension)
    const exact = withExtension.find((file) => files.has(file))
    if (exact) return exact
    if (path.includes('/')) return null
    const alike = byName.get(path.toLowerCase()) ?? byStem.get(path.toLowerCase()) ?? []
    return alike.length === 1 ? (alike[0] as string) : null
  }

  const operationIn = (spec: ApiSpec | SpecFault, reference: OperationReference): FoundOperation | null => {
    if (!('operations' in spec)) return null
    if (reference.method === 'SCHEMA') {
      const operation = findSchema(spec.document, reference.path)
      return operation && { spec, operation }
    }
    let index = indexes.get(spec)
    if (!index) {
      index = new Map(spec.operations.map((one) => [operationKey(one.method, one.path), one]))
      indexes.set(spec, index)
    }
    const operation = index.get(operationKey(reference.method, reference.path))
    return operation ? { spec, operation } : null
  }

  const load = async (name: string): Promise<ApiSpec | SpecFault> => {
    if (isSpecUrl(name)) return loadSource(name.trim())
    const file = fileOf(name)
    return file === null ? { kind: 'missing' } : loadSource(file)
  }

  const searchOf = (names: readonly string[], open: (name: string) => Promise<ApiSpec | SpecFault>) => {
    const search = searches.get(names) ?? createSpecSearch(names, open)
    searches.set(names, search)
    return search
  }

  return {
    load,
    async find(reference, specs) {
      if (reference.spec !== null) return operationIn(await load(reference.spec), reference)
      const key = operationKey(reference.method, reference.path)
      const owner = (await searchOf(specs, load)(key)) ?? (await searchOf(candidates, loadSource)(key))
      return owner && operationIn(owner, reference)
    },
    async unfetched(urls) {
      for (const name of urls) {
        const spec = await load(name)
        if (!('operations' in spec)) return { name, fault: spec }
      }
      return null
    },
    async loaded() {
      const found = new Map<string, ApiSpec>()
      for (const [name, waiting] of loading) {
        const spec = await waiting
        if ('operations' in spec) found.set(name, spec)
      }
      return found
    },
  }
}

/** The first of some descriptions that has what the key names; each is looked through once, however often is asked. */
type SpecSearch = (key: string) => Promise<ApiSpec | null>

function createSpecSearch(
  names: readonly string[],
  open: (name: string) => Promise<ApiSpec | SpecFault>,
): SpecSearch {
  const owners = new Map<string, ApiSpec>()
  let next = 0
  const look = async (key: string) => {
    while (!owners.has(key) && next < names.length) {
      const spec = await open(names[next++] as string)
      if (!('operations' in spec)) continue
      for (const one of keysOf(spec)) if (!owners.has(one)) owners.set(one, spec)
    }
    return owners.get(key) ?? null
  }
  // One after the other: what one is still reading, the next would miss.
  let turn: Promise<unknown> = Promise.resolve()
  return (key) => {
    const found = turn.then(() => look(key))
    turn = found.catch(() => {})
    return found
  }
}

function keysOf({ operations, document }: ApiSpec): string[] {
  return [
    ...operations.map((one) => operationKey(one.method, one.path)),
    ...schemaNames(document).map((name) => operationKey('SCHEMA', name)),
  ]
}
