/** The providers by name: where each is, and which key it is given. Libraries read addresses and keys from the environment when they are given none. */

export const PROVIDERS = {
  anthropic: { label: 'Anthropic', url: 'https://api.anthropic.com/v1', key: 'anthropic' },
  openai: { label: 'OpenAI', url: 'https://api.openai.com/v1', key: 'openai' },
  google: {
    label: 'Google',
    url: 'https://generativelanguage.googleapis.com/v1beta',
    key: 'google',
  },
  /** Any server that speaks chat completions; it has no address of its own. */
  'openai-compatible': { label: null, url: null, key: 'compatible' },
  ollama: { label: null, url: 'http://127.0.0.1:11434/v1', key: 'compatible' },
  vllm: { label: null, url: 'http://127.0.0.1:8000/v1', key: 'compatible' },
  lmstudio: { label: null, url: 'http://127.0.0.1:1234/v1', key: 'compatible' },
} as const

/** `replay` plays a recorded conversation back. */
export type Provider = keyof typeof PROVIDERS | 'replay'

export const PROVIDER_NAMES: readonly Provider[] = [...(Object.keys(PROVIDERS) as Provider[]), 'replay']

/** Of `<provider>:<model>`; the model's own name may hold colons. Throws RangeError with a sentence. */
export function parseModelName(name: string): { provider: Provider; modelId: string } {
  const [, first, modelId] = /^([a-z-]+):(\S.*)$/s.exec(name) ?? []
  const provider = PROVIDER_NAMES.find((one) => one === first)
  if (provider === undefined || modelId === undefined)
    throw new RangeError(
      `A model is named <provider>:<model>, with one of the providers ${PROVIDER_NAMES.join(', ')}.`,
    )
  return { provider, modelId }
}
