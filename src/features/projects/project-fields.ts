/** Validates the fields of a project before any database access. */
import { isAbsolute } from 'node:path'
import { choiceFault, type ExportDeployment, type FeatureChoices } from '../../base/api/features.ts'
import { NAME_CHARACTERS } from '../../base/api/form-limits.ts'
import { isLine } from '../../base/api/line.ts'
import { assertNoFaults } from '../../base/errors/errors.ts'
import type { Fault } from '../../base/errors/fault.ts'
import { FORM_FAULTS, fillTemplate } from '../../base/errors/form-faults.ts'
import { parseHostname } from '../../base/hostname.ts'
import type { NewDomain } from './domains/domain-claims.ts'
import type { OwnNames } from './domains/reserved-names.ts'

export interface ProjectSource {
  kind: 'folder' | 'git'
  /** An absolute folder, or the URL of a git repository. */
  repository: string
  /** Null: the repository's default branch. */
  ref: string | null
  /** Folder of docs.json relative to the root; empty for the root. */
  docsFolder: string
  /** Whether Git LFS files are fetched. Not used for folders. */
  lfs: boolean
}

export interface ProjectFields {
  name: string
  /** In their stored spelling. */
  domains: string[]
  source: ProjectSource
  defaultDeployment: ExportDeployment
  features: FeatureChoices
}

export interface GivenProjectFields {
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

/** Rules for the fields of a project, depending on the caller. */
export interface ProjectRules {
  /** Whether named folders stay accessible even if the operator's roots change. */
  grantsFolders: boolean
  /** Returns the fault of a repository URL or folder as a sentence; null when it is allowed. */
  sourceFault(kind: 'folder' | 'git', repository: string): string | null
  /** Names of the service, which projects must not use. */
  ownNames: OwnNames
  /** Initial state of new domains. */
  newDomains: NewDomain
}

const MAX_DOMAINS = 50

/**
 * Validates the repository only if it differs from `before`. Domains are admitted separately. Throws AppError
 * `invalid_request` with all faults.
 */
export function checkProjectFields(
  given: GivenProjectFields,
  rules: ProjectRules,
  before: { source: ProjectSource } | null = null,
): ProjectFields {
  const details: Fault[] = []
  const wrong = (field: string, message: string) => details.push({ message, field })
  const name = given.name.trim()
  if (!isLine(name) || name.length > NAME_CHARACTERS.project) {
    wrong('/name', fillTemplate(FORM_FAULTS.nameOfProject, 1, NAME_CHARACTERS.project))
  }
  const domains = new Set<string>()
  for (const [index, text] of given.domains.entries()) {
    const parsed = parseHostname(text)
    if ('problem' in parsed) wrong(`/domains/${index}`, parsed.problem)
    else domains.add(parsed.hostname)
  }
  if (given.domains.length === 0 || given.domains.length > MAX_DOMAINS) {
    wrong('/domains', fillTemplate(FORM_FAULTS.countOfDomains, 1, MAX_DOMAINS))
  }
  const { kind, repository, ref = null, docsFolder = '', lfs = false } = given.source
  if (!isSameSource(given.source, before?.source ?? null))
    for (const fault of checkRepository(kind, repository, rules)) wrong('/source/repository', fault)
  for (const fault of checkRef(ref)) wrong('/source/ref', fault)
  const folder = normalizeFolder(docsFolder)
  if (folder === null) {
    wrong('/source/docsFolder', fillTemplate(FORM_FAULTS.docsFolder, docsFolder))
  }
  const { defaultDeployment = 'client-hosted', features = {} } = given
  for (const [feature, choice] of Object.entries(features)) {
    const fault = choiceFault(feature, choice, defaultDeployment)
    if (fault !== null) wrong(`/features/${feature}`, `\`${feature}\` ${fault}`)
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

/**
 * Normalizes a folder below the root of a repository, empty for the root itself; null if it is outside or invalid.
 */
export function normalizeFolder(text: string): string | null {
  const folder = text.replace(/^\.?\/+|(?<!\/)\/+$/g, '').replace(/^\.$/, '')
  return folder.split('/').includes('..') || /[\p{Cc}\\]/u.test(folder) ? null : folder
}

/** Whether the repository is the same, regardless of the folder and ref within it. */
export function isSameSource(
  { kind, repository }: Pick<ProjectSource, 'kind' | 'repository'>,
  before: ProjectSource | null,
): boolean {
  return before !== null && kind === before.kind && repository === before.repository
}

/** Reports only permanent faults. Whether the repository can be fetched turns out when it is. */
export function checkRepository(kind: 'folder' | 'git', repository: string, rules: ProjectRules): string[] {
  if (repository === '' || repository.length > 2048 || /[\p{Cc}]/u.test(repository)) {
    return [FORM_FAULTS.source]
  }
  if (kind === 'folder' && !isAbsolute(repository)) {
    return [fillTemplate(FORM_FAULTS.relativeFolder, repository)]
  }
  if (repository.startsWith('-')) return [fillTemplate(FORM_FAULTS.noGitAddress, repository)]
  const url = URL.canParse(repository) ? new URL(repository) : null
  if (url?.protocol.startsWith('http') && (url.username !== '' || url.password !== '')) {
    return [FORM_FAULTS.passwordInSource]
  }
  const fault = rules.sourceFault(kind, repository)
  return fault === null ? [] : [fault]
}

export function checkRef(ref: string | null): string[] {
  if (ref === null || (/^[^\s\p{Cc}~^:?*[\\-][^\s\p{Cc}~^:?*[\\]{0,254}$/u.test(ref) && !ref.includes('..')))
    return []
  return [fillTemplate(FORM_FAULTS.ref, ref)]
}
