/** The part of the configuration that is about the assistant of readers: its model and its caps. */
import type { ModelSettings } from '../../model/open-model.ts'
import { modelSettings, providerFaults, providerOf } from './agent-config.ts'
import type { Reader, Text } from './read-setting.ts'

export interface AssistantConfig {
  /** Null: the assistant is off. */
  model: ModelSettings | null
  /** Of one project in a calendar month. */
  monthly: { questions: number; tokens: number }
}

export function readAssistantConfig(text: Text, read: Reader): AssistantConfig {
  return {
    model: readModel(text),
    monthly: {
      questions: read.integer('assistantQuestions'),
      tokens: read.integer('assistantTokens'),
    },
  }
}

/** The configured address is that of the provider of agent jobs, when there are any. */
function readModel(text: Text): ModelSettings | null {
  const name = text('assistantModel')
  const settings = modelSettings(name, text)
  if (settings === null || name === null) return null
  const ofJobs = text('model')
  const isSame = ofJobs === null || providerNamed(ofJobs) === providerNamed(name)
  return { ...settings, url: isSame ? settings.url : null, recordFile: null }
}

function providerNamed(name: string): string | null {
  const provider = providerOf(name)
  return typeof provider === 'string' ? provider : null
}

/** Sentences about everything that keeps the assistant from being used. */
export function assistantFaults(text: Text): string[] {
  const provider = providerOf(text('assistantModel'))
  if (provider === null) return []
  if (provider instanceof RangeError) return [`OCTAVO_ASSISTANT_MODEL cannot be used. ${provider.message}`]
  if (provider === 'replay') return []
  return providerFaults('OCTAVO_ASSISTANT_MODEL', provider, text)
}
