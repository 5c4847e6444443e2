/** The API descriptions of a site, loaded on demand and found by whatever name an author gives them. */
import { posix } from 'node:path'
import { type ApiSpec, findSchema, type SpecOperation } from './api-spec.ts'
import { type OperationReference, operationKey } from './operation-reference.ts'
import { compareText } from './problems.ts'
import type { SpecFault } from './spec-document.ts'
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

  return {
    load,
    async find(reference, specs) {
      if (reference.spec !== null) return operationIn(await load(reference.spec), reference)
      for (const name of specs) {
        const found = operationIn(await load(name), reference)
        if (found) return found
      }
      for (const file of candidates) {
        const found = operationIn(await loadSource(file), reference)
        if (found) return found
      }
      return null
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
