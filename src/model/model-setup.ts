/** Which models a server asks, where, and with which keys: as the environment says it, or an operator on the dashboard. */
import type { ModelKeys, ModelSettings } from './open-model.ts'
import { PROVIDERS, type Provider, parseModelName } from './providers.ts'

export interface ModelSetup {
  /** Of agent jobs; null: they are off. */
  model: ModelSettings | null
  /** Of the answers to readers; null: the assistant is off. */
  assistant: ModelSettings | null
  /** That the model of agent jobs takes at once; null: what is known of it. */
  contextTokens: number | null
  /** Of the environment. */
  keys: ModelKeys
  /** Given on the dashboard: for the provider of these models alone, at their address. */
  ownKey: string | null
}

/** What an operator chose. */
export interface ModelChoice {
  /** `<provider>:<model>`; null: agent jobs are off. */
  model: string | null
  /** Instead of the provider's own address. */
  url: string | null
  contextTokens: number | null
  /** Of the same provider as `model`; null: the assistant is off. */
  assistant: string | null
}

/** What the environment says about models. */
export interface EnvironmentModel {
  /** Null: it leaves the models to the dashboard. */
  given: { choice: ModelChoice; variables: string[]; hasKey: boolean } | null
  keys: ModelKeys
}

/** What operators have chosen, from the settings by their names; nothing when they have not. */
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

/** Of the models that were chosen; null when there is none. Throws RangeError for a name that names no model. */
export function providerOfChoice({ model, assistant }: ModelChoice): RealProvider | null {
  const name = model ?? assistant
  if (name === null) return null
  const { provider } = parseModelName(name)
  if (provider === 'replay') throw new RangeError('A recorded conversation is named in the environment only.')
  return provider
}

/** Where alone the key of a choice may be sent, as a text; null: nowhere. */
export function keyPlace(choice: ModelChoice): string | null {
  const provider = providerOfChoice(choice)
  if (provider === null) return null
  const { url, key } = PROVIDERS[provider]
  const origin = URL.parse(choice.url ?? url ?? '')?.origin
  return origin === undefined ? null : `${key} ${origin}`
}

/** Keys of the environment were set without a word about addresses of the dashboard: they go to the provider's own only. */
export function setupOf(choice: ModelChoice, ownKey: string | null, keys: ModelKeys): ModelSetup {
  const settings = (name: string | null): ModelSettings | null =>
    name === null ? null : { name, url: choice.url, replayFile: null, recordFile: null }
  return {
    model: settings(choice.model),
    assistant: settings(choice.assistant),
    contextTokens: choice.contextTokens,
    keys: choice.url === null ? keys : withoutKeyOf(choice, keys),
    ownKey,
  }
}

/** The keys with which a model of that name is asked: a key of the dashboard goes before one of the environment. */
export function keysFor({ model, assistant, keys, ownKey }: ModelSetup, name: string): ModelKeys {
  const configured = model ?? assistant
  if (ownKey === null || configured === null) return keys
  const { provider } = parseModelName(name)
  if (provider === 'replay' || provider !== parseModelName(configured.name).provider) return keys
  return { ...keys, [PROVIDERS[provider].key]: ownKey }
}

function withoutKeyOf(choice: ModelChoice, keys: ModelKeys): ModelKeys {
  const provider = providerOfChoice(choice)
  if (provider === null) return keys
  const { [PROVIDERS[provider].key]: _notThere, ...rest } = keys
  return rest
}

export function isModelAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return `${url.username}${url.password}${url.search}${url.hash}` === ''
}
