/** Validates the fields of a project before any database access. */
import { isAbsolute } from 'node:path'
import { choiceFault, type ExportDeployment, type FeatureChoices } from '../../base/api/features.ts'
import { NAME_CHARACTER_LIMITS } from '../../base/api/form-limits.ts'
import { isLine } from '../../base/api/line.ts'
import { assertNoFaults } from '../../base/errors/errors.ts'
import { createFault, type Fault } from '../../base/errors/fault.ts'
import { parseHostname } from '../../base/hostname.ts'
import type { NewDomain } from './domains/domain-claims.ts'
import type { OwnNames } from './domains/reserved-names.ts'

export interface ProjectSource {
  kind: 'folder' | 'git'
  /** Absolute path of a folder, or URL of a git repository. */
  repository: string
  /** Null selects the repository's default branch. */
  ref: string | null
  /** Folder of docs.json relative to the root; empty for the root. */
  docsFolder: string
  /** Whether Git LFS files are fetched; not used for folders. */
  lfs: boolean
}

export interface ProjectFields {
  name: string
  /** In normalized form. */
  domains: string[]
  source: ProjectSource
  defaultDeployment: ExportDeployment
  features: FeatureChoices
}

export interface ProjectFieldsInput {
  name: string
  domains: readonly string[]
  source: {
    kind: 'folder' | 'git'
    repository: string
    ref?: string | null
    docsFolder?: string
    lfs?: boolean
  }
  defaultDeployment?: ExportDeployment
  features?: FeatureChoices
}

export interface ProjectRules {
  /** Whether folders of this caller stay accessible even if the operator's roots change. */
  grantsFolders: boolean
  /** Returns the fault of a repository URL or folder, or null if it is allowed. */
  sourceFault(kind: 'folder' | 'git', repository: string): Fault | null
  ownNames: OwnNames
  newDomains: NewDomain
}

const MAX_DOMAINS = 50

/**
 * Validates the repository only if it differs from `before`. Does not check whether the domains are free.
 * Throws AppError `invalid_request` with all faults.
 */
export function checkProjectFields(
  given: ProjectFieldsInput,
  rules: ProjectRules,
  before: { source: ProjectSource } | null = null,
): ProjectFields {
  const details: Fault[] = []
  const wrong = (field: string, fault: Fault) => details.push({ ...fault, field })
  const name = given.name.trim()
  if (!isLine(name) || name.length > NAME_CHARACTER_LIMITS.project) {
    wrong('/name', createFault('project_name_length', { min: 1, max: NAME_CHARACTER_LIMITS.project }))
  }
  const domains = new Set<string>()
  for (const [index, text] of given.domains.entries()) {
    const parsed = parseHostname(text)
    if ('problem' in parsed) wrong(`/domains/${index}`, parsed.problem)
    else domains.add(parsed.hostname)
  }
  if (given.domains.length === 0 || given.domains.length > MAX_DOMAINS) {
    wrong('/domains', createFault('domain_count', { min: 1, max: MAX_DOMAINS }))
  }
  const { kind, repository, ref = null, docsFolder = '', lfs = false } = given.source
  if (!isSameSource(given.source, before?.source ?? null))
    for (const fault of checkRepository(kind, repository, rules)) wrong('/source/repository', fault)
  for (const fault of checkRef(ref)) wrong('/source/ref', fault)
  const folder = normalizeFolder(docsFolder)
  if (folder === null) {
    wrong('/source/docsFolder', createFault('docs_folder', { folder: docsFolder }))
  }
  const { defaultDeployment = 'client-hosted', features = {} } = given
  for (const [feature, choice] of Object.entries(features)) {
    const fault = choiceFault(feature, choice, defaultDeployment)
    if (fault !== null) details.push(fault)
  }
  assertNoFaults(details)
  return {
    name,
    domains: [...domains],
    source: { kind, repository, ref, docsFolder: folder ?? '', lfs },
    defaultDeployment,
    features,
  }
}

/** Normalizes a folder relative to the repository's root (empty for the root); null if outside or invalid. */
export function normalizeFolder(text: string): string | null {
  const folder = text.replace(/^\.?\/+|(?<!\/)\/+$/g, '').replace(/^\.$/, '')
  return folder.split('/').includes('..') || /[\p{Cc}\\]/u.test(folder) ? null : folder
}

export function isSameSource(
  { kind, repository }: Pick<ProjectSource, 'kind' | 'repository'>,
  before: ProjectSource | null,
): boolean {
  return before !== null && kind === before.kind && repository === before.repository
}

/** Reports only permanent faults. Whether the repository can be fetched is unknown until it is fetched. */
export function checkRepository(kind: 'folder' | 'git', repository: string, rules: ProjectRules): Fault[] {
  if (repository === '' || repository.length > 2048 || /[\p{Cc}]/u.test(repository)) {
    return [createFault('source')]
  }
  if (kind === 'folder' && !isAbsolute(repository)) {
    return [createFault('relative_folder', { folder: repository })]
  }
  if (repository.startsWith('-')) return [createFault('not_a_git_url', { url: repository })]
  const url = URL.canParse(repository) ? new URL(repository) : null
  if (url?.protocol.startsWith('http') && (url.username !== '' || url.password !== '')) {
    return [createFault('source_password')]
  }
  const fault = rules.sourceFault(kind, repository)
  return fault === null ? [] : [fault]
}

export function checkRef(ref: string | null): Fault[] {
  if (ref === null || (/^[^\s\p{Cc}~^:?*[\\-][^\s\p{Cc}~^:?*[\\]{0,254}$/u.test(ref) && !ref.includes('..')))
    return []
  return [createFault('ref', { ref })]
}
