/** The `--deployment` flag of commands that work on a folder. */
import type { ExportDeployment } from '../base/api/features.ts'
import { type Flag, UsageError } from './command.ts'

const DEPLOYMENTS: readonly ExportDeployment[] = ['client-hosted', 'air-gapped']

export const DEPLOYMENT_FLAG = {
  value: 'kind',
  help: 'What the pages are for: client-hosted (default) or air-gapped.',
} as const satisfies Flag

export const SEARCH_FLAG = {
  help: 'With search, which air-gapped pages have only when asked for.',
} as const satisfies Flag

/** Parses the kind of deployment. Throws UsageError. */
export function readDeployment(given: string | undefined): ExportDeployment {
  const deployment = DEPLOYMENTS.find((kind) => kind === (given ?? 'client-hosted'))
  if (!deployment) throw new UsageError(`--deployment must be ${DEPLOYMENTS.join(' or ')}.`)
  return deployment
}

export const GROUPS_FLAG = {
  value: 'names',
  help: 'Groups of readers whose pages are in it too, with commas between; pages for everybody alone when left out.',
} as const

export function readGroups(given: string | undefined): string[] {
  return (given ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
