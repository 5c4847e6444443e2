/** Form state of the language model, and the request body built from it. */
import type {
  InstanceModel,
  InstanceModelBody,
} from '../../../../../src/features/accounts/operations/instance.ts'
import { t } from '../../words/words.ts'

export const OFF = ''

export interface ModelDraft {
  /** Empty for no model. */
  provider: string
  name: string
  url: string
  contextTokens: string
  assistant: 'off' | 'same' | 'other'
  assistantName: string
  /** Empty leaves the stored key unchanged. */
  key: string
  removesKey: boolean
}

export const PROVIDER_LABELS: Record<string, string> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google Gemini',
  'openai-compatible': t('OpenAI-compatible server'),
  ollama: 'Ollama',
  vllm: 'vLLM',
  lmstudio: 'LM Studio',
}

export function toModelDraft({ model, url, contextTokens, assistant }: InstanceModel): ModelDraft {
  const named = model ?? assistant ?? ''
  return {
    provider: parseProvider(named),
    name: parseModelName(model ?? ''),
    url: url ?? '',
    contextTokens: contextTokens?.toString() ?? '',
    assistant: assistant === null ? 'off' : assistant === model ? 'same' : 'other',
    assistantName: assistant === null || assistant === model ? '' : parseModelName(assistant),
    key: '',
    removesKey: false,
  }
}

export function toModelBody(draft: ModelDraft): InstanceModelBody {
  const { provider, name, url, contextTokens, assistant, assistantName, key, removesKey } = draft
  if (provider === OFF) return { model: null, url: null, contextTokens: null, assistant: null, key: null }
  const named = (text: string) => (text.trim() === '' ? null : `${provider}:${text.trim()}`)
  const digits = contextTokens.replace(/[\s,_.]/g, '')
  return {
    // Without a name, the server reports that it is missing.
    model: named(name) ?? (assistant === 'other' ? null : `${provider}:`),
    url: url.trim() === '' ? null : url.trim(),
    // Anything but a number is sent unchanged, so that the server's error appears at the field.
    contextTokens: digits === '' ? null : ((/^\d+$/.test(digits) ? Number(digits) : contextTokens) as number),
    assistant: assistant === 'off' ? null : named(assistant === 'same' ? name : assistantName),
    ...(key.trim() === '' ? (removesKey ? { key: null } : {}) : { key: key.trim() }),
  }
}

function parseProvider(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf(':')))
}

function parseModelName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
