/** Features of exported and hosted sites: one table shared by renderer, API and dashboard. */
import { type Fault, faultAt } from '../errors/fault.ts'
export type Deployment = 'cloud' | 'client-hosted' | 'air-gapped'
export type ExportDeployment = Exclude<Deployment, 'cloud'>
export type Feature = 'search' | 'assistant' | 'analytics' | 'playground' | 'export'
export type Availability = 'yes' | 'configurable' | 'no'

export const FEATURE_MATRIX: Record<Feature, Record<Deployment, Availability>> = {
  search: { cloud: 'yes', 'client-hosted': 'configurable', 'air-gapped': 'no' },
  assistant: { cloud: 'yes', 'client-hosted': 'configurable', 'air-gapped': 'no' },
  analytics: { cloud: 'yes', 'client-hosted': 'configurable', 'air-gapped': 'no' },
  playground: { cloud: 'yes', 'client-hosted': 'yes', 'air-gapped': 'configurable' },
  export: { cloud: 'yes', 'client-hosted': 'yes', 'air-gapped': 'yes' },
}

export const FEATURES = Object.keys(FEATURE_MATRIX) as Feature[]

/**
 * Features that this version implements. The table above is the interface: its switches are accepted and stored even
 * for features that do not exist yet. The dashboard and the documentation only show implemented ones.
 */
export const BUILT_FEATURES = [
  'search',
  'assistant',
  'analytics',
  'playground',
  'export',
] as const satisfies readonly Feature[]
export type BuiltFeature = (typeof BUILT_FEATURES)[number]

export type FeatureSet = Record<Feature, boolean>

/**
 * Value that includes search in a bundle although the table says "no", because search needs no server.
 * Without this value, the table applies.
 */
export const BUNDLED = 'bundled'
const BUNDLED_FEATURES: readonly Feature[] = ['search']

/**
 * Choices of a caller. `bundled` is equivalent to `true` where that is allowed, and also valid for air-gapped
 * bundles.
 */
export type FeatureChoices = Partial<Omit<FeatureSet, 'search'>> & { search?: boolean | typeof BUNDLED }

/** Resolves `configurable` features to the caller's choice, or the default: search on, others off. */
export function resolveFeatures(deployment: Deployment, chosen: FeatureChoices = {}): FeatureSet {
  const resolved = {} as FeatureSet
  for (const feature of FEATURES) {
    const availability = FEATURE_MATRIX[feature][deployment]
    const choice = chosen[feature]
    resolved[feature] =
      availability === 'configurable'
        ? choice === undefined
          ? feature === 'search'
          : choice !== false
        : availability === 'yes' || (choice === BUNDLED && isBundled(feature, deployment))
  }
  return resolved
}

export function configurableFeatures(deployment: Deployment): Feature[] {
  return FEATURES.filter((feature) => FEATURE_MATRIX[feature][deployment] === 'configurable')
}

export function isBundled(feature: Feature, deployment: Deployment): boolean {
  return BUNDLED_FEATURES.includes(feature) && FEATURE_MATRIX[feature][deployment] === 'no'
}

export function choiceFault(
  feature: string,
  choice: boolean | typeof BUNDLED,
  deployment: Deployment,
): Fault | null {
  const configurable = configurableFeatures(deployment)
  if (configurable.some((known) => known === feature)) return null
  const bundled = FEATURES.filter((known) => isBundled(known, deployment))
  const isOfBundle = bundled.some((known) => known === feature)
  if (isOfBundle && choice !== true) return null
  return faultAt(`/features/${feature}`, 'feature_fixed', {
    choice: isOfBundle ? 'true' : 'any',
    deployment,
    features: [...configurable, ...bundled.map((known) => `${known}: ${BUNDLED}`)],
  })
}
