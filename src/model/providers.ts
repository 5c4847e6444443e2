/**
 * Providers by name, with their URL and the name of their key. URL and key are passed explicitly, to prevent the
 * libraries from reading them from the environment.
 */

export const PROVIDERS = {
  anthropic: { label: 'Anthropic', url: 'https://api.anthropic.com/v1', key: 'anthropic' },
  openai: { label: 'OpenAI', url: 'https://api.openai.com/v1', key: 'openai' },
  google: {
    label: 'Google',
    url: 'https://generativelanguage.googleapis.com/v1beta',
    key: 'google',
  },
  /** Any server with a chat completions API. Requires a URL. */
  'openai-compatible': { label: null, url: null, key: 'compatible' },
  ollama: { label: null, url: 'http://127.0.0.1:11434/v1', key: 'compatible' },
  vllm: { label: null, url: 'http://127.0.0.1:8000/v1', key: 'compatible' },
  lmstudio: { label: null, url: 'http://127.0.0.1:1234/v1', key: 'compatible' },
} as const

/** `replay` plays back a recorded conversation. */
export type Provider = keyof typeof PROVIDERS | 'replay'

export const PROVIDER_NAMES: readonly Provider[] = [...(Object.keys(PROVIDERS) as Provider[]), 'replay']

/** Parses `<provider>:<model>`, where the model may contain colons. Throws RangeError with a message. */
export function parseModelName(name: string): { provider: Provider; modelId: string } {
  const [, first, modelId] = /^([a-z-]+):(\S.*)$/s.exec(name) ?? []
  const provider = PROVIDER_NAMES.find((one) => one === first)
  if (provider === undefined || modelId === undefined)
    throw new RangeError(
      `A model is named <provider>:<model>, with one of the providers ${PROVIDER_NAMES.join(', ')}.`,
    )
  return { provider, modelId }
}
