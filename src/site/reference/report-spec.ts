/** Reports problems of API descriptions at the positions that refer to them. */
import { posix } from 'node:path'
import type { Problem } from '../../base/errors/problem.ts'
import { getNodeLine } from '../json.ts'
import { type ClosestFinder, createClosestFinder } from '../navigation/closest.ts'
import type { ApiScope } from '../navigation/navigation-tree.ts'
import { quote } from '../problems.ts'
import { type ApiSpec, schemaNames } from './list-operations.ts'
import { type OperationReference, operationKey } from './operation-reference.ts'
import { SPEC_FILE, type SpecLibrary } from './spec-library.ts'
import { isSpecUrl, type SpecFault } from './spec-sources.ts'

export interface SpecPosition {
  file: string
  line: number | null
}

/** Takes time proportional to the number of problems. Calls are processed one after the other. */
export interface SpecReporter {
  fault(position: SpecPosition, name: string, fault: SpecFault): void
  /** Reports files in the settings that are missing or not API descriptions, even if no page uses them. */
  scopes(scopes: readonly ApiScope[]): Promise<void>
  /** Reports a reference to an operation that was not found, and whether the description or the operation is wrong. */
  unknownOperation(
    position: SpecPosition,
    reference: OperationReference,
    scopeSpecs: readonly string[],
  ): Promise<void>
}

export interface SpecReportDeps {
  problems: Problem[]
  specs: SpecLibrary
  files: ReadonlySet<string>
}

interface KnownNames {
  finder: ClosestFinder
  /** First operation of a path, regardless of method. */
  byPath: ReadonlyMap<string, string>
  faults: readonly { name: string; fault: SpecFault }[]
}

const MAX_NAMED_SPECS = 5

const FAULTS: Record<
  SpecFault['kind'],
  { code: string; level: Problem['level']; what: string; remedy: string }
> = {
  missing: {
    code: 'api.spec_missing',
    level: 'error',
    what: 'does not exist',
    remedy: 'Correct the path. It must be relative to the docs folder or, in a page, to that page.',
  },
  unreadable: {
    code: 'api.spec_unreadable',
    level: 'error',
    what: 'is not valid JSON or YAML, or is nested too deeply',
    remedy: 'Validate the file and correct it.',
  },
  not_a_spec: {
    code: 'api.spec_unreadable',
    level: 'error',
    what: 'is not an OpenAPI or AsyncAPI description',
    remedy: 'Use a file with openapi or asyncapi and a version at the top level.',
  },
  too_large: {
    code: 'api.spec_unreadable',
    level: 'error',
    what: 'is too large',
    remedy: 'Split it into smaller descriptions.',
  },
  not_fetched: {
    code: 'api.spec_remote',
    level: 'warning',
    what: 'is on another server and cannot be fetched here',
    remedy: 'Save a copy of the file in the docs folder and use its path.',
  },
  fetch_failed: {
    code: 'api.spec_remote',
    level: 'error',
    what: 'could not be fetched',
    remedy: 'Correct the URL, or save a copy of the file in the docs folder and use its path.',
  },
}

export function createSpecReporter({ problems, specs, files }: SpecReportDeps): SpecReporter {
  let specFiles: ClosestFinder | null = null
  const knownOfSpec = new Map<string, Promise<KnownNames>>()
  const knownOfScope = new WeakMap<readonly string[], Map<string, Promise<KnownNames>>>()
  /** Descriptions already reported, because hundreds of pages may refer to the same scope. */
  const reported = new Set<string>()

  const fault = (position: SpecPosition, name: string, found: SpecFault) => {
    const { code, level, what, remedy } = FAULTS[found.kind]
    specFiles ??= createClosestFinder([...files].filter((file) => SPEC_FILE.test(file)))
    const closest = found.kind === 'missing' ? specFiles.find(name) : null
    const reason = found.kind === 'fetch_failed' ? `: ${found.reason}` : '.'
    problems.push({
      ...position,
      code,
      level,
      message: `The API description ${quote(name)} ${what}${reason}`,
      remedy: closest ? `Did you mean ${closest}?` : remedy,
    })
  }

  const knownIn = ({ method, spec, from }: OperationReference, scopeSpecs: readonly string[]) => {
    // HTTP operations are compared with operations of all methods.
    const kind = WHAT[method] === undefined ? '' : method
    if (spec !== null) {
      const folder = from === null ? '' : posix.dirname(from)
      return getOrCreate(knownOfSpec, `${kind} ${folder} ${spec}`, () =>
        readKnown(specs, [spec], method, from),
      )
    }
    const ofScope = knownOfScope.get(scopeSpecs) ?? new Map<string, Promise<KnownNames>>()
    knownOfScope.set(scopeSpecs, ofScope)
    return getOrCreate(ofScope, kind, () => readKnown(specs, scopeSpecs, method))
  }

  return {
    fault,
    scopes: (scopes) => reportScopes(specs, scopes, fault),
    async unknownOperation(position, reference, scopeSpecs) {
      const names = reference.spec === null ? scopeSpecs : [reference.spec]
      const known = await knownIn(reference, scopeSpecs)
      for (const one of known.faults) {
        // Files that a scope in the settings refers to are reported there.
        if (reference.spec === null && (!isSpecUrl(one.name) || reported.has(one.name))) continue
        reported.add(one.name)
        fault(position, one.name, one.fault)
      }
      // The operation may be in a remote description that was not fetched.
      if (known.faults.some((one) => FAULTS[one.fault.kind].code === 'api.spec_remote')) return
      if (names.length === 1 && known.faults.length === 1) return
      const operationName = formatOperation(reference.method, reference.path)
      const closest = known.byPath.get(reference.path) ?? known.finder.find(operationName)
      problems.push({
        ...position,
        code: 'api.operation_missing',
        level: 'error',
        message: `There is no ${WHAT[reference.method] ?? 'operation'} ${quote(operationName)} in ${describeSources(names)}.`,
        remedy: closest ? `Did you mean ${closest}?` : 'Correct the name, or remove the entry.',
      })
    },
  }
}

async function reportScopes(
  library: SpecLibrary,
  scopes: readonly ApiScope[],
  fault: SpecReporter['fault'],
): Promise<void> {
  for (const { node, specs } of scopes) {
    for (const name of specs.filter((one) => !isSpecUrl(one))) {
      const spec = await library.load(name)
      if (!('operations' in spec)) fault({ file: node.source.file, line: getNodeLine(node) }, name, spec)
    }
  }
}

function getOrCreate<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const value = values.get(key) ?? make()
  values.set(key, value)
  return value
}

async function readKnown(
  specs: SpecLibrary,
  names: readonly string[],
  method: string,
  from: string | null = null,
): Promise<KnownNames> {
  const known: string[] = []
  const byPath = new Map<string, string>()
  const faults: { name: string; fault: SpecFault }[] = []
  for (const name of names) {
    const spec = await specs.load(name, from)
    if ('operations' in spec) for (const key of listOperationNames(spec, method)) known.push(key)
    else faults.push({ name, fault: spec })
  }
  for (const key of known) {
    const path = key.slice(key.indexOf(' ') + 1)
    if (WHAT[method] === undefined && !byPath.has(path)) byPath.set(path, key)
  }
  return { finder: createClosestFinder(known), byPath, faults }
}

function describeSources(names: readonly string[]): string {
  if (names.length === 0) return 'any API description of the site'
  const more = names.length - MAX_NAMED_SPECS
  return names.slice(0, MAX_NAMED_SPECS).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

const WHAT: Readonly<Record<string, string>> = {
  CHANNEL: 'channel',
  SCHEMA: 'data model',
  WEBHOOK: 'webhook',
}

function formatOperation(method: string, path: string): string {
  return WHAT[method] === undefined ? operationKey(method, path) : path
}

function listOperationNames(spec: ApiSpec, method: string): string[] {
  if (method === 'SCHEMA') return schemaNames(spec.document)
  const isNamed = WHAT[method] !== undefined
  return spec.operations
    .filter((one) => !isNamed || one.method === method)
    .map((one) => formatOperation(one.method, one.path))
}

export function reportReferences(problems: Problem[], specs: Iterable<ApiSpec>): void {
  for (const { file, document } of specs) {
    for (const { reference, from } of document.faults) {
      problems.push({
        file: from,
        line: null,
        code: 'api.reference_missing',
        level: 'warning',
        message: `The reference ${quote(reference)} in ${from === file ? 'this description' : from} cannot be resolved, so its content is not shown.`,
        remedy: 'Correct the reference. Referenced files must be in the docs folder.',
      })
    }
  }
}
