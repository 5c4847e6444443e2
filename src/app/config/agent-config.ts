/** Configuration of agent jobs: model and limits. */
import { basename, resolve } from 'node:path'
import { EFFORTS, type Effort } from '../../base/api/form-choices.ts'
import type { JobCaps } from '../../features/agent/loop/tool.ts'
import { isModelUrl } from '../../model/model-setup.ts'
import type { ModelKeys, ModelSettings } from '../../model/open-model.ts'
import { type ModelPrices, parsePrices } from '../../model/prices.ts'
import { PROVIDERS, type Provider, parseModelName } from '../../model/providers.ts'
import { OPTIONS, type OptionName } from './config-options.ts'
import type { Reader, Text } from './read-setting.ts'

export interface AgentConfig {
  /** Null turns off agent jobs. */
  model: ModelSettings | null
  modelWaitSeconds: number
  /** Reasoning effort for job models; undefined uses the default of the model. */
  effort: Effort | undefined
  prices: ModelPrices
  /** Context window of the configured model; null uses the known value for that model. */
  contextTokens: number | null
  caps: JobCaps
  jobsAtOnce: number
  /** Maximum time that a job waits for an unavailable service. */
  patienceSeconds: number
  /** Whether to send images to models whose capabilities are unknown. */
  seesPictures: boolean
  selfReview: boolean
  vale: string | null
  author: { name: string; email: string }
}

export function readAgentConfig(text: Text, read: Reader): AgentConfig {
  return {
    model: readModel(text),
    modelWaitSeconds: read.integer('modelWait'),
    effort: readEffort(text),
    prices: parsePrices(text('modelPrices') ?? '') ?? {},
    contextTokens: text('modelContext') === null ? null : read.integer('modelContext'),
    caps: {
      steps: read.integer('agentSteps'),
      tokens: read.integer('agentTokens'),
      minutes: read.integer('agentMinutes'),
      files: read.integer('agentFiles'),
      bytes: read.integer('agentBytes'),
    },
    jobsAtOnce: read.integer('agentJobs'),
    patienceSeconds: read.integer('agentPatience'),
    seesPictures: read.boolean('modelPictures'),
    selfReview: read.boolean('agentSelfReview'),
    vale: text('vale'),
    author: parseAuthor(text('agentAuthor')) ?? { name: '', email: '' },
  }
}

/** Reads the model setting. A replay is named after its file, without the folder, whose path is private. */
function readModel(text: Text): ModelSettings | null {
  const settings = modelSettings(text('model'), text)
  return settings && withEffort(settings, readEffort(text))
}

export function withEffort(settings: ModelSettings, effort: Effort | undefined): ModelSettings {
  return effort === undefined ? settings : { ...settings, effort }
}

function readEffort(text: Text): Effort | undefined {
  return EFFORTS.find((effort) => effort === text('modelEffort'))
}

export function modelSettings(name: string | null, text: Text): ModelSettings | null {
  if (name === null) return null
  const [, file] = /^replay:(.+)$/s.exec(name) ?? []
  const settings = { url: text('modelUrl'), recordFile: text('modelRecord') }
  if (file === undefined) return { ...settings, name, replayFile: null }
  return { ...settings, name: `replay:${basename(file, '.json')}`, replayFile: resolve(file) }
}

export const KEY_OPTIONS = {
  anthropic: 'anthropicKey',
  openai: 'openaiKey',
  google: 'googleKey',
  compatible: 'modelKey',
} as const satisfies Record<keyof ModelKeys, OptionName>

export function readModelKeys(text: Text): ModelKeys {
  const keys: ModelKeys = {}
  for (const [name, option] of Object.entries(KEY_OPTIONS)) {
    const key = text(option)?.trim()
    if (key) keys[name as keyof ModelKeys] = key
  }
  return keys
}

export function agentFaults(text: Text): string[] {
  const faults: string[] = []
  const provider = readProvider(text('model'))
  const url = text('modelUrl')
  if (provider instanceof RangeError) faults.push(`OCTAVO_MODEL is invalid. ${provider.message}`)
  else if (provider === null) {
    if (text('assistantModel') === null && (url !== null || text('modelRecord') !== null))
      faults.push('OCTAVO_MODEL is not set, but other OCTAVO_MODEL_* settings are.')
  } else faults.push(...providerFaults('OCTAVO_MODEL', provider, text))
  if (url !== null && !isModelUrl(url))
    faults.push(
      'OCTAVO_MODEL_URL must be an http or https URL without user name, query and fragment, for example http://127.0.0.1:8000/v1.',
    )
  if (text('modelEffort') !== null && readEffort(text) === undefined)
    faults.push('OCTAVO_MODEL_EFFORT must be low, medium or high.')
  if (parsePrices(text('modelPrices') ?? '') === null)
    faults.push(
      'OCTAVO_MODEL_PRICES must be <provider>:<model>=<input>/<output>, separated by commas, for example ollama:qwen3:8b=0/0.',
    )
  if (parseAuthor(text('agentAuthor')) === null)
    faults.push('OCTAVO_AGENT_AUTHOR must be <name> <<email>>, for example Docs bot <docs@example.com>.')
  if (Object.values(KEY_OPTIONS).some((option) => /[^\x21-\x7e]/.test(text(option)?.trim() ?? '')))
    faults.push(
      'The key of a model provider contains invalid characters, such as spaces or letters with accents.',
    )
  return faults
}

export function readProvider(name: string | null): Provider | RangeError | null {
  if (name === null) return null
  try {
    return parseModelName(name).provider
  } catch (error) {
    if (error instanceof RangeError) return error
    throw error
  }
}

export function checkModelName(name: string): string | null {
  const provider = readProvider(name)
  return provider instanceof RangeError ? provider.message : null
}

export function providerFaults(name: string, provider: Provider, text: Text): string[] {
  if (provider === 'replay')
    return text('modelRecord') === null
      ? []
      : ['OCTAVO_MODEL_RECORD cannot record because OCTAVO_MODEL is already a replay.']
  const { key, url } = PROVIDERS[provider]
  const option = OPTIONS[KEY_OPTIONS[key]]
  if (key !== 'compatible' && text(KEY_OPTIONS[key]) === null)
    return [`${name} uses a model of ${provider}, which requires a key. Set ${option.env}.`]
  if (key === 'compatible' && url === null && text('modelUrl') === null)
    return [`${name} uses a model of ${provider}, which has no default URL. Set OCTAVO_MODEL_URL.`]
  return []
}

/** Parses `Name <email>`, the notation of git. */
function parseAuthor(author: string | null): { name: string; email: string } | null {
  const [, name, email] = /^([^<>\p{Cc}]+?) <([^<>\s\p{Cc}]+@[^<>\s\p{Cc}]+)>$/u.exec(author ?? '') ?? []
  return name === undefined || email === undefined ? null : { name, email }
}
