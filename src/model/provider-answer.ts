/** Requests an answer through a provider library and collects the stream. */
import type { Effort } from '../base/api/form-choices.ts'
import { toStorableText } from '../base/text/storable.ts'
import type { BoundedFetch } from './bounded-fetch.ts'
import {
  type LineListener,
  ModelError,
  type ModelRequest,
  type ModelResponse,
  type Reasoning,
  type ToolCall,
} from './model.ts'
import {
  emptyResponseError,
  errorFromStream,
  interruptedError,
  invalidProtocolError,
  type ModelTarget,
  onlyReasoningError,
  unreadableToolCallError,
} from './model-failure.ts'
import { type ProviderModel, toCallOptions } from './provider-prompt.ts'
import { redactWholeKeys } from './redact-keys.ts'
import { parseToolInput, uniqueCallId } from './tool-input.ts'
import { countUsage } from './usage.ts'

type Streamed = Awaited<ReturnType<ProviderModel['doStream']>>['stream']
type StreamPart = Streamed extends ReadableStream<infer Piece> ? Piece : never
type Finished = Extract<StreamPart, { type: 'finish' }>
type Called = Extract<StreamPart, { type: 'tool-call' }>

export async function requestResponse(
  model: ProviderModel,
  connection: BoundedFetch,
  modelTarget: ModelTarget,
  {
    request,
    signal,
    onLine,
    effort,
  }: {
    request: ModelRequest
    signal: AbortSignal
    onLine?: LineListener | undefined
    effort?: Effort | undefined
  },
): Promise<ModelResponse> {
  const lines = onLine && createLineSplitter(onLine, modelTarget)
  try {
    const options = toCallOptions(request, signal, effort)
    const { stream } = await model.doStream(options)
    const collected = await collect(stream, modelTarget, connection, lines?.add)
    const answer = toResponse(collected, modelTarget, request)
    lines?.end()
    return answer
  } catch (error) {
    signal.throwIfAborted()
    const failure = connection.failure()
    if (failure !== null) throw failure
    if (error instanceof ModelError) throw error
    // The library throws the provider's error if the stream starts with one, and an error without a status if the
    // stream is invalid.
    throw isErrorResponse(error) ? errorFromStream(modelTarget, error) : invalidProtocolError(modelTarget)
  }
}

function isErrorResponse(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as { statusCode?: unknown }
  return typeof statusCode === 'number' && statusCode >= 400
}

interface Collected {
  text: string
  calls: Called[]
  /** Keyed by id in the stream, in stream order. */
  reasoning: Map<string, Reasoning>
  finish: Finished['finishReason']['unified']
  usage: Finished['usage'] | null
}

/** Buffers text until a line is complete, because a key may be split between chunks. */
function createLineSplitter(onCompleteLine: LineListener, modelTarget: ModelTarget) {
  let rest = ''
  const emitRedacted = (line: string) =>
    onCompleteLine(toStorableText(redactWholeKeys(line, modelTarget.keys)))
  return {
    add(piece: string) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) emitRedacted(line)
    },
    end: () => emitRedacted(rest),
  }
}

async function collect(
  stream: Streamed,
  modelTarget: ModelTarget,
  connection: BoundedFetch,
  onText?: (piece: string) => void,
): Promise<Collected> {
  const collected: Collected = {
    text: '',
    calls: [],
    reasoning: new Map(),
    finish: 'interrupted',
    usage: null,
  }
  let isWithoutFinish = false
  for await (const part of stream) {
    if (part.type === 'text-delta') {
      collected.text += part.delta
      onText?.(part.delta)
    } else if (part.type === 'tool-call') collected.calls.push(part)
    else if (
      part.type === 'reasoning-start' ||
      part.type === 'reasoning-delta' ||
      part.type === 'reasoning-end'
    ) {
      const thought = collected.reasoning.get(part.id) ?? { text: '' }
      collected.reasoning.set(part.id, thought)
      if (part.type === 'reasoning-delta') thought.text += part.delta
      if (part.providerMetadata !== undefined)
        thought.metadata = { ...thought.metadata, ...part.providerMetadata }
    } else if (part.type === 'finish') {
      collected.finish = part.finishReason.unified
      collected.usage = part.usage
    } else if (part.type === 'error') {
      if (!isMissingFinishError(part.error))
        throw connection.failure() ?? errorFromStream(modelTarget, part.error)
      isWithoutFinish = true
    }
  }
  if (isWithoutFinish) collected.finish = connection.sawDone() ? 'other' : 'interrupted'
  return collected
}

/**
 * Returns whether the stream ended without a finish reason, because it was interrupted or because the server never
 * sends one.
 */
function isMissingFinishError(error: unknown): boolean {
  const { name, data } = (error ?? {}) as { name?: unknown; data?: unknown }
  return name === 'AI_InvalidResponseDataError' && data === undefined
}

function toResponse(collected: Collected, modelTarget: ModelTarget, request: ModelRequest): ModelResponse {
  const { finish, usage } = collected
  if (finish === 'interrupted')
    throw isEmptyResponse(collected) ? invalidProtocolError(modelTarget) : interruptedError(modelTarget)
  if (finish === 'error') throw unreadableToolCallError(modelTarget)
  const text = toStorableText(redactWholeKeys(collected.text, modelTarget.keys))
  const toolCalls = toToolCalls(collected.calls, modelTarget, request)
  const reasoning = toReasoning(collected.reasoning, modelTarget)
  const answer = {
    text,
    toolCalls,
    ...(reasoning.length > 0 && { reasoning }),
    finish: toFinishReason(finish, toolCalls),
  }
  if (text.trim() === '' && toolCalls.length === 0 && answer.finish !== 'refused')
    throw finish === 'length'
      ? onlyReasoningError(modelTarget, request.maxOutputTokens)
      : emptyResponseError(modelTarget)
  const counted = {
    inputTokens: usage?.inputTokens.total,
    outputTokens: usage?.outputTokens.total,
    cachedTokens: usage?.inputTokens.cacheRead,
  }
  return { ...answer, usage: countUsage(counted, JSON.stringify(request), JSON.stringify(answer)) }
}

function isEmptyResponse({ text, calls }: Collected): boolean {
  return text === '' && calls.length === 0
}

/** Drops reasoning that contains a key, because the provider signs the text and it cannot be redacted. */
function toReasoning(reasoning: Collected['reasoning'], modelTarget: ModelTarget): Reasoning[] {
  return [...reasoning.values()]
    .filter(({ text, metadata }) => text !== '' || metadata !== undefined)
    .filter((thought) => {
      const json = JSON.stringify(thought)
      return redactWholeKeys(json, modelTarget.keys) === json && toStorableText(json) === json
    })
}

function toToolCalls(calls: readonly Called[], modelTarget: ModelTarget, request: ModelRequest): ToolCall[] {
  const usedIds = new Set(request.messages.flatMap(listCallIds))
  return calls.map(({ toolCallId, toolName, input, providerMetadata }) => {
    const signature = providerMetadata?.google?.thoughtSignature
    return {
      id: uniqueCallId(toolCallId, usedIds),
      name: toStorableText(toolName),
      ...parseToolInput(redactWholeKeys(input, modelTarget.keys)),
      ...(typeof signature === 'string' && { signature }),
    }
  })
}

function listCallIds(message: ModelRequest['messages'][number]): string[] {
  return message.role === 'assistant' ? message.toolCalls.map((call) => call.id) : []
}

function toFinishReason(
  finish: Collected['finish'],
  toolCalls: readonly ToolCall[],
): ModelResponse['finish'] {
  if (finish === 'content-filter') return 'refused'
  if (finish === 'length') return 'length'
  return toolCalls.length > 0 ? 'tool_calls' : 'stop'
}
