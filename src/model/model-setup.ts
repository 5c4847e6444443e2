/** Models of the server, with URLs and keys from the environment or the dashboard. */
import type { ModelKeys, ModelSettings } from './open-model.ts'
import { PROVIDERS, type Provider, parseModelName } from './providers.ts'

export interface ModelSetup {
  /** Model of agent jobs; null disables them. */
  model: ModelSettings | null
  /** Model of the reader assistant; null disables it. */
  assistant: ModelSettings | null
  /** Context window of the agent model; null uses the known value. */
  contextTokens: number | null
  keys: ModelKeys
  /** Key from the dashboard. Sent only to the provider of these models, at their URL. */
  ownKey: string | null
}

export interface ModelChoice {
  /** `<provider>:<model>`; null disables agent jobs. */
  model: string | null
  /** Overrides the URL of the provider. */
  url: string | null
  contextTokens: number | null
  /** Must have the same provider as `model`; null disables the assistant. */
  assistant: string | null
}

export interface EnvironmentModel {
  /** Null if the environment sets no model. A model can then be chosen on the dashboard. */
  given: { choice: ModelChoice; variables: string[]; hasKey: boolean } | null
  keys: ModelKeys
}

/** Parses the stored settings. All fields are null if no model was chosen. */
export function parseModelChoice(settings: ReadonlyMap<string, { value: string | null }>): ModelChoice {
  const text = (name: string) => settings.get(name)?.value ?? null
  const context = text('modelContext')
  return {
    model: text('model'),
    url: text('modelUrl'),
    contextTokens: context === null ? null : Number(context),
    assistant: text('assistantModel'),
  }
}

type RealProvider = Exclude<Provider, 'replay'>

/** Returns the provider of the chosen models, or null. Throws RangeError for an invalid model name. */
export function findChosenProvider({ model, assistant }: ModelChoice): RealProvider | null {
  const name = model ?? assistant
  if (name === null) return null
  const { provider } = parseModelName(name)
  if (provider === 'replay')
    throw new RangeError('A recorded conversation can only be set in the environment.')
  return provider
}

/** Identifies the only provider and origin that the key may be sent to. Null prevents sending the key. */
export function findKeyDestination(choice: ModelChoice): string | null {
  const provider = findChosenProvider(choice)
  if (provider === null) return null
  const { url, key } = PROVIDERS[provider]
  const origin = URL.parse(choice.url ?? url ?? '')?.origin
  return origin === undefined ? null : `${key} ${origin}`
}

/** Creates a setup. Omits environment keys for the provider if the URL was set on the dashboard. */
export function createSetup(choice: ModelChoice, ownKey: string | null, keys: ModelKeys): ModelSetup {
  const settings = (name: string | null): ModelSettings | null =>
    name === null ? null : { name, url: choice.url, replayFile: null, recordFile: null }
  return {
    model: settings(choice.model),
    assistant: settings(choice.assistant),
    contextTokens: choice.contextTokens,
    keys: choice.url === null ? keys : omitProviderKey(choice, keys),
    ownKey,
  }
}

/** Returns the keys for a model. A key from the dashboard takes precedence over the environment. */
export function selectModelKeys({ model, assistant, keys, ownKey }: ModelSetup, name: string): ModelKeys {
  const configured = model ?? assistant
  if (ownKey === null || configured === null) return keys
  const { provider } = parseModelName(name)
  if (provider === 'replay' || provider !== parseModelName(configured.name).provider) return keys
  return { ...keys, [PROVIDERS[provider].key]: ownKey }
}

function omitProviderKey(choice: ModelChoice, keys: ModelKeys): ModelKeys {
  const provider = findChosenProvider(choice)
  if (provider === null) return keys
  const { [PROVIDERS[provider].key]: _notThere, ...rest } = keys
  return rest
}

export function isModelUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return `${url.username}${url.password}${url.search}${url.hash}` === ''
}
