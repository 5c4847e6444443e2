/** What is wrong with API descriptions, told where an author named them. */
import type { Problem } from '../contract/problem.ts'
import type { ApiSpec } from './api-spec.ts'
import { closestOf } from './closest.ts'
import { type OperationReference, operationKey } from './operation-reference.ts'
import { quote } from './problems.ts'
import type { SpecFault } from './spec-document.ts'
import { SPEC_FILE, type SpecLibrary } from './spec-library.ts'

/** Where a mistake about a description is reported. */
export interface SpecPlace {
  file: string
  line: number | null
}

export interface SpecReportDeps {
  problems: Problem[]
  specs: SpecLibrary
  files: ReadonlySet<string>
}

const FAULTS: Record<
  SpecFault['kind'],
  { code: string; level: Problem['level']; what: string; remedy: string }
> = {
  missing: {
    code: 'api.spec_missing',
    level: 'error',
    what: 'does not exist',
    remedy: 'Correct the path, which is relative to the docs folder.',
  },
  unreadable: {
    code: 'api.spec_unreadable',
    level: 'error',
    what: 'is neither valid JSON nor valid YAML, or is nested without end',
    remedy: 'Validate the file and correct it.',
  },
  not_a_spec: {
    code: 'api.spec_unreadable',
    level: 'error',
    what: 'is neither an OpenAPI nor an AsyncAPI description',
    remedy: 'Name a file with an openapi or asyncapi version at its top.',
  },
  too_large: {
    code: 'api.spec_unreadable',
    level: 'error',
    what: 'is too large to be read',
    remedy: 'Split the description into smaller ones.',
  },
  not_fetched: {
    code: 'api.spec_remote',
    level: 'warning',
    what: 'is on another server and is not fetched here',
    remedy: 'Store a copy of the file in the docs folder and name that.',
  },
  fetch_failed: {
    code: 'api.spec_remote',
    level: 'error',
    what: 'could not be fetched',
    remedy: 'Correct the address, or store a copy of the file in the docs folder and name that.',
  },
}

export function reportSpecFault(
  { problems, files }: Pick<SpecReportDeps, 'problems' | 'files'>,
  place: SpecPlace,
  name: string,
  fault: SpecFault,
): void {
  const { code, level, what, remedy } = FAULTS[fault.kind]
  const candidates = fault.kind === 'missing' ? [...files].filter((file) => SPEC_FILE.test(file)) : []
  const closest = closestOf(name, candidates)
  const reason = fault.kind === 'fetch_failed' ? `: ${fault.reason}` : '.'
  problems.push({
    ...place,
    code,
    level,
    message: `The API description ${quote(name)} ${what}${reason}`,
    remedy: closest ? `Did you mean ${closest}?` : remedy,
  })
}

/** Says which of the two is wrong: the description, or the operation in it. */
export async function reportUnknownOperation(
  deps: SpecReportDeps,
  place: SpecPlace,
  reference: OperationReference,
  scopeSpecs: readonly string[],
): Promise<void> {
  const names = reference.spec === null ? scopeSpecs : [reference.spec]
  const known: string[] = []
  for (const name of names) {
    const spec = await deps.specs.load(name)
    if (!('operations' in spec)) {
      reportSpecFault(deps, place, name, spec)
      if (names.length === 1) return
      continue
    }
    known.push(...namesIn(spec, reference.method))
  }
  const wanted = nameOf(reference.method, reference.path)
  const sameOtherMethod = known.find((key) => key.endsWith(` ${reference.path}`))
  const closest = sameOtherMethod ?? closestOf(wanted, known)
  const where = names.length > 0 ? names.join(', ') : 'any API description of the site'
  deps.problems.push({
    ...place,
    code: 'api.operation_missing',
    level: 'error',
    message: `There is no ${WHAT[reference.method] ?? 'operation'} ${quote(wanted)} in ${where}.`,
    remedy: closest ? `Did you mean ${closest}?` : 'Correct the name, or remove the entry.',
  })
}

const WHAT: Readonly<Record<string, string>> = {
  CHANNEL: 'channel',
  SCHEMA: 'data model',
  WEBHOOK: 'webhook',
}

function nameOf(method: string, path: string): string {
  return WHAT[method] === undefined ? operationKey(method, path) : path
}

function namesIn(spec: ApiSpec, method: string): string[] {
  if (method === 'SCHEMA') {
    const components = spec.document.root.components as { schemas?: object } | undefined
    return Object.keys(components?.schemas ?? {})
  }
  const isNamed = WHAT[method] !== undefined
  return spec.operations
    .filter((one) => !isNamed || one.method === method)
    .map((one) => nameOf(one.method, one.path))
}

/** References that lead nowhere, in the description they stand in; each description is told once. */
export function reportReferences(problems: Problem[], specs: Iterable<ApiSpec>): void {
  for (const { file, document } of specs) {
    for (const { reference, from } of document.faults) {
      problems.push({
        file: from,
        line: null,
        code: 'api.reference_missing',
        level: 'warning',
        message: `The reference ${quote(reference)} in ${from === file ? 'this description' : from} leads nowhere; what it stands for is not shown.`,
        remedy: 'Correct the reference; files that it names must lie in the docs folder.',
      })
    }
  }
}
