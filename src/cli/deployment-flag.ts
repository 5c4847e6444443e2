/** The `--deployment` flag of commands that work on a folder. */
import type { ExportDeployment } from '../base/api/features.ts'
import { type Flag, UsageError } from './command.ts'

const DEPLOYMENTS: readonly ExportDeployment[] = ['client-hosted', 'air-gapped']

export const DEPLOYMENT_FLAG = {
  value: 'kind',
  help: 'Where the site will be hosted: client-hosted (default) or air-gapped.',
} as const satisfies Flag

export const SEARCH_FLAG = {
  help: 'Include search in air-gapped sites, which otherwise have none.',
} as const satisfies Flag

export function readDeployment(given: string | undefined): ExportDeployment {
  const deployment = DEPLOYMENTS.find((kind) => kind === (given ?? 'client-hosted'))
  if (!deployment) throw new UsageError(`--deployment must be ${DEPLOYMENTS.join(' or ')}.`)
  return deployment
}

export const GROUPS_FLAG = {
  value: 'names',
  help: 'Reader groups whose pages are also included, separated by commas. Default: only public pages.',
} as const

export const NO_CACHE_FLAG: Flag = {
  help: 'Build without the cache: neither read nor write it.',
}
