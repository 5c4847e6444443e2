/** What an exported or hosted site can do: the one table that renderer, API and dashboard read. */
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
 * What this version has. The table above is the interface: its switches are taken and kept also for what is not built
 * yet. People are shown what is built and nothing else, in the dashboard and in the documentation.
 */
export const BUILT_FEATURES = [
  'search',
  'analytics',
  'playground',
  'export',
] as const satisfies readonly Feature[]
export type BuiltFeature = (typeof BUILT_FEATURES)[number]

/** Which features are on. `configurable` ones take the caller's choice, else the default: search on, the rest off. */
export type FeatureSet = Record<Feature, boolean>

export function resolveFeatures(deployment: Deployment, chosen: Partial<FeatureSet> = {}): FeatureSet {
  const resolved = {} as FeatureSet
  for (const feature of FEATURES) {
    const availability = FEATURE_MATRIX[feature][deployment]
    resolved[feature] =
      availability === 'configurable' ? (chosen[feature] ?? feature === 'search') : availability === 'yes'
  }
  return resolved
}

/** Names that may stand in a start request's `features` for this deployment. */
export function configurableFeatures(deployment: Deployment): Feature[] {
  return FEATURES.filter((feature) => FEATURE_MATRIX[feature][deployment] === 'configurable')
}
