/** Opens configured models. Loads provider libraries on first use. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Effort } from '../base/api/form-choices.ts'
import type { AddressGuard } from '../base/net/address-guard.ts'
import {
  type BoundedFetch,
  createBoundedFetch,
  type ModelConnections,
  type ResponseLimits,
  responseLimits,
} from './bounded-fetch.ts'
import { type Model, ModelError } from './model.ts'
import type { ModelTarget } from './model-failure.ts'
import { requestResponse } from './provider-answer.ts'
import type { ProviderModel } from './provider-prompt.ts'
import { PROVIDERS, type Provider, parseModelName } from './providers.ts'
import { openRecording } from './recording.ts'
import { openReplay } from './replay-model.ts'

export interface ModelSettings {
  /** `<provider>:<model>`, or `replay:<any name>`. Projects may override it. */
  name: string
  /** Overrides the URL of the provider. */
  url: string | null
  /** File of a replay. Only the operator sets it, so that a model name cannot refer to an arbitrary file. */
  replayFile: string | null
  /** File to which answers are recorded for a replay. */
  recordFile: string | null
  /** Default depends on the model. */
  effort?: Effort
}

/** Keys by provider. Secret. */
export type ModelKeys = Partial<Record<'anthropic' | 'openai' | 'google' | 'compatible', string>>

const MODEL_FIRST_BYTE_TIMEOUT_MS = 300_000

/** Opens a model. Throws RangeError with a message if the name is invalid. */
export function openModel(
  settings: ModelSettings,
  keys: ModelKeys,
  guard: AddressGuard,
  limits: ResponseLimits = responseLimits(MODEL_FIRST_BYTE_TIMEOUT_MS),
): Model {
  const { provider, modelId } = parseModelName(settings.name)
  if (provider === 'replay') {
    if (settings.replayFile === null) throw new RangeError('No recorded conversation is configured.')
    return openReplay(settings.name, settings.replayFile)
  }
  const model = openProvider(settings, keys, { guard, limits }, { provider, modelId })
  return settings.recordFile === null ? model : openRecording(model, settings.recordFile)
}

function openProvider(
  settings: ModelSettings,
  keys: ModelKeys,
  connectionOptions: ModelConnections,
  { provider, modelId }: { provider: Exclude<Provider, 'replay'>; modelId: string },
): Model {
  const { label, url: ownUrl, key: keyName } = PROVIDERS[provider]
  const url = settings.url ?? ownUrl
  if (url === null) throw new RangeError(`Models of ${provider} need a URL, and none is configured.`)
  const secrets = Object.values(keys).filter((key) => key !== '')
  const displayName =
    label !== null && settings.url === null ? label : `The model server at ${URL.parse(url)?.origin}`
  const apiKey = keys[keyName] ?? ''
  const modelTarget: ModelTarget = { subject: displayName, modelId, keys: secrets }
  // The model object of the library is reused, because creating it is expensive. Each answer has a separate
  // connection.
  const connections = new AsyncLocalStorage<BoundedFetch>()
  const fetchPerAnswer: typeof fetch = (input, init) => {
    const connection = connections.getStore()
    if (connection === undefined) throw new Error('requests to the model are paused')
    return connection.fetch(input, init)
  }
  let opening: Promise<ProviderModel> | undefined
  return {
    name: settings.name,
    async answer(request, signal, onLine) {
      signal.throwIfAborted()
      if (apiKey === '' && label !== null)
        throw new ModelError('credentials_refused', `There is no key for ${label}.`)
      opening ??= PROVIDER_OPENERS[keyName]({ modelId, apiKey, url, fetch: fetchPerAnswer })
      const model = await opening // awaited before the time limit for the first byte starts
      using connection = await createBoundedFetch(modelTarget, connectionOptions, signal)
      return await connections.run(connection, () =>
        requestResponse(model, connection, modelTarget, { request, signal, onLine, effort: settings.effort }),
      )
    },
  }
}

interface Opening {
  modelId: string
  apiKey: string
  url: string
  fetch: typeof globalThis.fetch
}

const PROVIDER_OPENERS: Record<keyof ModelKeys, (opening: Opening) => Promise<ProviderModel>> = {
  async anthropic({ modelId, apiKey, url, fetch }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ apiKey, fetch, baseURL: url }).languageModel(modelId)
  },
  async openai({ modelId, apiKey, url, fetch }) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ apiKey, fetch, baseURL: url }).responses(modelId)
  },
  async google({ modelId, apiKey, url, fetch }) {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
    return createGoogleGenerativeAI({ apiKey, fetch, baseURL: url }).languageModel(modelId)
  },
  async compatible({ modelId, apiKey, url, fetch }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const provider = createOpenAICompatible({
      name: 'compatible',
      baseURL: url,
      fetch: withTextArguments(fetch),
      includeUsage: true,
      ...(apiKey && { apiKey }),
    })
    return provider.chatModel(modelId)
  },
}

/**
 * Converts tool call arguments from objects to strings. Some servers violate the protocol by sending objects,
 * which the library would reject.
 */
function withTextArguments(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    let rest = ''
    const rewriting = new TransformStream<string, string>({
      transform(piece, controller) {
        const lines = (rest + piece).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) controller.enqueue(`${textArguments(line)}\n`)
      },
      flush: (controller) => controller.enqueue(textArguments(rest)),
    })
    const body = response.body
      ?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(rewriting)
      .pipeThrough(new TextEncoderStream())
    return new Response(body ?? null, { status: response.status, headers: response.headers })
  }
}

function textArguments(line: string): string {
  if (!line.startsWith('data:') || !/"arguments"\s*:\s*[{[]/.test(line)) return line
  try {
    const asText = (key: string, value: unknown) =>
      key === 'arguments' && value !== null && typeof value === 'object' ? JSON.stringify(value) : value
    return `data: ${JSON.stringify(JSON.parse(line.slice('data:'.length)), asText)}`
  } catch {
    return line
  }
}
