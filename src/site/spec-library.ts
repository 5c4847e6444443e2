/** The API descriptions of a site, loaded on demand and found by whatever name an author gives them. */
import { posix } from 'node:path'
import type { FileTree } from '../base/file-tree.ts'
import type { Problem } from '../contract/problem.ts'
import { type ApiSpec, loadApiSpec, type SpecFault, type SpecOperation } from './api-spec.ts'
import { closestOf } from './closest.ts'
import { type OperationReference, operationKey } from './operation-reference.ts'
import { compareText, quote } from './problems.ts'

export interface FoundOperation {
  spec: ApiSpec
  operation: SpecOperation
}

export interface SpecLibrary {
  /** The description a name means, relative to the docs folder; loads it when needed. */
  load(name: string): Promise<ApiSpec | SpecFault>
  /** Looks where the reference says, else in `specs`, else in every description of the site in order of its path. */
  find(reference: OperationReference, specs: readonly string[]): Promise<FoundOperation | null>
}

/** Where a mistake about a description is reported. */
export interface SpecPlace {
  file: string
  line: number | null
}

const SPEC_FILE = /\.(?:json|ya?ml)$/i

export function isSpecUrl(name: string): boolean {
  return /^https?:\/\//i.test(name)
}

/** `files` are those of the site, without ignored ones. */
export function openSpecLibrary(tree: FileTree, files: ReadonlySet<string>): SpecLibrary {
  const candidates = [...files].filter((file) => SPEC_FILE.test(file)).sort(compareText)
  const byName = Map.groupBy(candidates, (file) => posix.basename(file).toLowerCase())
  const byStem = Map.groupBy(candidates, (file) => posix.basename(file).replace(SPEC_FILE, '').toLowerCase())
  const loaded = new Map<string, Promise<ApiSpec | SpecFault>>()
  const indexes = new Map<ApiSpec, Map<string, SpecOperation>>()

  const loadFile = (file: string) => {
    const known = loaded.get(file) ?? loadApiSpec(tree, file)
    loaded.set(file, known)
    return known
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
    if (typeof spec === 'string') return null
    let index = indexes.get(spec)
    if (!index) {
      index = new Map(spec.operations.map((one) => [operationKey(one.method, one.path), one]))
      indexes.set(spec, index)
    }
    const operation = index.get(operationKey(reference.method, reference.path))
    return operation ? { spec, operation } : null
  }

  const load = async (name: string): Promise<ApiSpec | SpecFault> => {
    if (isSpecUrl(name)) return 'remote'
    const file = fileOf(name)
    return file === null ? 'missing' : loadFile(file)
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
        const found = operationIn(await loadFile(file), reference)
        if (found) return found
      }
      return null
    },
  }
}

const FAULTS: Record<SpecFault, { code: string; level: Problem['level']; what: string; remedy: string }> = {
  missing: {
    code: 'api.spec_missing',
    level: 'error',
    what: 'does not exist',
    remedy: 'Correct the path, which is relative to the docs folder.',
  },
  unreadable: {
    code: 'api.spec_unreadable',
    level: 'error',
    what: 'is neither valid JSON nor valid YAML',
    remedy: 'Validate the file and correct it.',
  },
  not_a_spec: {
    code: 'api.spec_unreadable',
    level: 'error',
    what: 'is no OpenAPI description',
    remedy: 'Name a file with an openapi version at its top.',
  },
  too_large: {
    code: 'api.spec_unreadable',
    level: 'error',
    what: 'is too large to be read',
    remedy: 'Split the description into smaller ones.',
  },
  remote: {
    code: 'api.spec_remote',
    level: 'warning',
    what: 'is on another server and is not fetched',
    remedy: 'Store a copy of the file in the docs folder and name that.',
  },
}

export function reportSpecFault(
  problems: Problem[],
  place: SpecPlace,
  name: string,
  fault: SpecFault,
  files: ReadonlySet<string>,
): void {
  const { code, level, what, remedy } = FAULTS[fault]
  const closest =
    fault === 'missing'
      ? closestOf(
          name,
          [...files].filter((file) => SPEC_FILE.test(file)),
        )
      : null
  problems.push({
    ...place,
    code,
    level,
    message: `The API description ${quote(name)} ${what}.`,
    remedy: closest ? `Did you mean ${closest}?` : remedy,
  })
}
