/** Models that a server uses, with URLs and keys, from the environment or the dashboard. */
import type { ModelKeys, ModelSettings } from './open-model.ts'
import { PROVIDERS, type Provider, parseModelName } from './providers.ts'

export interface ModelSetup {
  /** Model of agent jobs; null turns them off. */
  model: ModelSettings | null
  /** Model of the readers' assistant; null turns it off. */
  assistant: ModelSettings | null
  /** Context window of the agent model; null uses the known value for that model. */
  contextTokens: number | null
  /** Keys from the environment. */
  keys: ModelKeys
  /** Key from the dashboard, only for the provider of these models at their URL. */
  ownKey: string | null
}

/** An operator's choice of models. */
export interface ModelChoice {
  /** `<provider>:<model>`; null turns agent jobs off. */
  model: string | null
  /** Replaces the provider's own URL. */
  url: string | null
  contextTokens: number | null
  /** Must have the same provider as `model`; null turns the assistant off. */
  assistant: string | null
}

/** Model settings from the environment. */
export interface EnvironmentModel {
  /** Null if the environment sets no model, so that the dashboard may. */
  given: { choice: ModelChoice; variables: string[]; hasKey: boolean } | null
  keys: ModelKeys
}

/** Returns the operators' choice from settings by name; all null if there is none. */
export function chosenModel(settings: ReadonlyMap<string, { value: string | null }>): ModelChoice {
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
  if (provider === 'replay') throw new RangeError('A recorded conversation is named in the environment only.')
  return provider
}

/** Returns a string that identifies the only place a key may be sent to, or null if it must not be sent anywhere. */
export function findKeyDestination(choice: ModelChoice): string | null {
  const provider = findChosenProvider(choice)
  if (provider === null) return null
  const { url, key } = PROVIDERS[provider]
  const origin = URL.parse(choice.url ?? url ?? '')?.origin
  return origin === undefined ? null : `${key} ${origin}`
}

/** Creates a setup. Keys of the environment are never sent to a URL set on the dashboard. */
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

/** Returns the keys for a model of this name. A dashboard key takes precedence over those of the environment. */
export function keysFor({ model, assistant, keys, ownKey }: ModelSetup, name: string): ModelKeys {
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

export function isModelAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return `${url.username}${url.password}${url.search}${url.hash}` === ''
}
