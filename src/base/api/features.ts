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
  'assistant',
  'analytics',
  'playground',
  'export',
] as const satisfies readonly Feature[]
export type BuiltFeature = (typeof BUILT_FEATURES)[number]

/** Which features are on. */
export type FeatureSet = Record<Feature, boolean>

/**
 * What a bundle brings along when it is asked for with this word, though the table has no cell for it: the search needs
 * no server. The table's "no" stays what holds otherwise.
 */
export const BUNDLED = 'bundled'
const BUNDLED_FEATURES: readonly Feature[] = ['search']

/** What callers choose. `bundled` is `true`, and also holds for air-gapped bundles. */
export type FeatureChoices = Partial<Omit<FeatureSet, 'search'>> & { search?: boolean | typeof BUNDLED }

/** `configurable` ones take the caller's choice, else the default: search on, the rest off. */
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

/** Names that may stand in a start request's `features` for this deployment. */
export function configurableFeatures(deployment: Deployment): Feature[] {
  return FEATURES.filter((feature) => FEATURE_MATRIX[feature][deployment] === 'configurable')
}

/** Whether it may be chosen as `bundled` where it is not configurable. */
export function isBundled(feature: Feature, deployment: Deployment): boolean {
  return BUNDLED_FEATURES.includes(feature) && FEATURE_MATRIX[feature][deployment] === 'no'
}

/** Why a choice does not fit the deployment, as the end of a sentence; null when it does. */
export function choiceFault(
  feature: string,
  choice: boolean | typeof BUNDLED,
  deployment: Deployment,
): string | null {
  const configurable = configurableFeatures(deployment)
  if (configurable.some((known) => known === feature)) return null
  const bundled = FEATURES.filter((known) => isBundled(known, deployment))
  const isOfBundle = bundled.some((known) => known === feature)
  if (isOfBundle && choice !== true) return null
  const asBundled = bundled.map((known) => `${known} as "${BUNDLED}"`)
  return `cannot be chosen for ${deployment}${isOfBundle ? ' as true' : ''}; what can is: ${[...configurable, ...asBundled].join(', ')}.`
}
