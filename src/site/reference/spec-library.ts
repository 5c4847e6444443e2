/** API descriptions of a site, loaded on demand and found by any form of their name. */
import { posix } from 'node:path'
import { compareText } from '../problems.ts'
import {
  type ApiSpec,
  findSchema,
  listOperations,
  type SpecOperation,
  schemaNames,
} from './list-operations.ts'
import { type OperationReference, operationKey } from './operation-reference.ts'
import { readApiDocument } from './spec-document.ts'
import { isSpecUrl, type SpecFault, type SpecSources } from './spec-sources.ts'

export interface FoundOperation {
  spec: ApiSpec
  operation: SpecOperation
}

export interface SpecLibrary {
  /** Returns the description with the given name, loading it if necessary. `from` is the file that refers to it. */
  load(name: string, from?: string | null): Promise<ApiSpec | SpecFault>
  /**
   * Searches the description that the reference names. If it names none, searches those in `specs`, then all
   * descriptions of the site in order of path.
   */
  find(reference: OperationReference, specs: readonly string[]): Promise<FoundOperation | null>
  findUnavailable(urls: readonly string[]): Promise<{ name: string; fault: SpecFault } | null>
  loaded(): Promise<ReadonlyMap<string, ApiSpec>>
}

export const SPEC_FILE = /\.(?:json|ya?ml)$/i

/** `files` are the files of the site, without ignored files. */
export function openSpecLibrary(sources: SpecSources, files: ReadonlySet<string>): SpecLibrary {
  const candidates = [...files].filter((file) => SPEC_FILE.test(file)).sort(compareText)
  const findFile = createFileFinder(files, candidates)
  const loading = new Map<string, Promise<ApiSpec | SpecFault>>()
  const operationIn = createOperationFinder()
  const searches = new WeakMap<readonly string[], SpecSearch>()

  const loadSource = (name: string) => {
    const pending = loading.get(name)
    if (pending) return pending
    const spec = readSpec(sources, name)
    loading.set(name, spec)
    return spec
  }

  const load = async (name: string, from: string | null = null): Promise<ApiSpec | SpecFault> => {
    if (isSpecUrl(name)) return loadSource(name.trim())
    const file = findFile(name, from)
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
      if (reference.spec !== null) {
        return operationIn(await load(reference.spec, reference.from), reference)
      }
      const key = operationKey(reference.method, reference.path)
      const owner =
        (await searchOf(specs, (name) => load(name))(key)) ?? (await searchOf(candidates, loadSource)(key))
      return owner && operationIn(owner, reference)
    },
    async findUnavailable(urls) {
      for (const name of urls) {
        const spec = await load(name)
        if (!('operations' in spec)) return { name, fault: spec }
      }
      return null
    },
    loaded: () => withoutFaults(loading),
  }
}

async function readSpec(sources: SpecSources, name: string): Promise<ApiSpec | SpecFault> {
  const document = await readApiDocument(sources, name)
  return 'root' in document ? listOperations(name, document) : document
}

async function withoutFaults(
  loading: ReadonlyMap<string, Promise<ApiSpec | SpecFault>>,
): Promise<ReadonlyMap<string, ApiSpec>> {
  const found = new Map<string, ApiSpec>()
  for (const [name, waiting] of loading) {
    const spec = await waiting
    if ('operations' in spec) found.set(name, spec)
  }
  return found
}

/** Returns a function that finds an operation; null if the description is unavailable or lacks the operation. */
function createOperationFinder() {
  const indexes = new Map<ApiSpec, Map<string, SpecOperation>>()
  return (spec: ApiSpec | SpecFault, reference: OperationReference): FoundOperation | null => {
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
}

/** Returns a function that finds the file with a name; null if there is none or if the name is ambiguous. */
function createFileFinder(
  files: ReadonlySet<string>,
  candidates: readonly string[],
): (name: string, from: string | null) => string | null {
  const byName = Map.groupBy(candidates, (file) => posix.basename(file).toLowerCase())
  const byStem = Map.groupBy(candidates, (file) => posix.basename(file).replace(SPEC_FILE, '').toLowerCase())

  const fileAt = (path: string): string | null =>
    ['', '.json', '.yaml', '.yml'].map((extension) => path + extension).find((file) => files.has(file)) ??
    null

  /** Returns a file with this name in any folder; null if there are several. */
  const fileNamed = (path: string): string | null => {
    const name = posix.basename(path).toLowerCase()
    const alike = (byName.get(name) ?? byStem.get(name) ?? []).filter((file) =>
      `/${file}`
        .toLowerCase()
        .replace(SPEC_FILE, '')
        .endsWith(`/${path.toLowerCase().replace(SPEC_FILE, '')}`),
    )
    return alike.length === 1 ? (alike[0] as string) : null
  }

  // `./x` is resolved relative to the referring file, then to the docs folder; `x` in the opposite order.
  return (name, from) => {
    const text = name.trim()
    const fromRoot = posix.normalize(text.replace(/^(?:\.{0,2}\/)+/, ''))
    const beside = from === null || text.startsWith('/') ? null : posix.join(posix.dirname(from), text)
    const candidatePaths = text.startsWith('.') ? [beside, fromRoot] : [fromRoot, beside]
    for (const candidate of candidatePaths) {
      const file = candidate === null ? null : fileAt(candidate)
      if (file !== null) return file
    }
    return fileNamed(fromRoot)
  }
}

/** Finds the first description that contains the key. Each description is indexed at most once. */
type SpecSearch = (key: string) => Promise<ApiSpec | null>

function createSpecSearch(
  names: readonly string[],
  open: (name: string) => Promise<ApiSpec | SpecFault>,
): SpecSearch {
  const owners = new Map<string, ApiSpec>()
  let next = 0
  const searchNext = async (key: string) => {
    while (!owners.has(key) && next < names.length) {
      const spec = await open(names[next++] as string)
      if (!('operations' in spec)) continue
      for (const one of listKeys(spec)) if (!owners.has(one)) owners.set(one, spec)
    }
    return owners.get(key) ?? null
  }
  // Searches run one after another. A concurrent search would miss a description that another search is still reading.
  let turn: Promise<unknown> = Promise.resolve()
  return (key) => {
    const found = turn.then(() => searchNext(key))
    turn = found.catch(() => {})
    return found
  }
}

function listKeys({ operations, document }: ApiSpec): string[] {
  return [
    ...operations.map((one) => operationKey(one.method, one.path)),
    ...schemaNames(document).map((name) => operationKey('SCHEMA', name)),
  ]
}
