/** Requests one answer through the provider's library, collects its stream, and converts it. */
import type { Effort } from '../base/api/form-choices.ts'
import { storableText } from '../base/text/storable.ts'
import type { BoundedFetch } from './bounded-fetch.ts'
import { cutWholeKeys } from './cut-keys.ts'
import {
  type LineListener,
  type ModelAnswer,
  ModelError,
  type ModelRequest,
  type Reasoning,
  type ToolCall,
} from './model.ts'
import {
  type Asked,
  brokeOff,
  emptyAnswer,
  failureInStream,
  notTheProtocol,
  onlyThoughts,
  unreadableCall,
} from './model-failure.ts'
import { type ProviderModel, toCallOptions } from './provider-prompt.ts'
import { parseToolInput, settleCallId } from './tool-input.ts'
import { countUsage } from './usage.ts'

type Streamed = Awaited<ReturnType<ProviderModel['doStream']>>['stream']
type StreamPart = Streamed extends ReadableStream<infer Piece> ? Piece : never
type Finished = Extract<StreamPart, { type: 'finish' }>
type Called = Extract<StreamPart, { type: 'tool-call' }>

export async function askProvider(
  model: ProviderModel,
  connection: BoundedFetch,
  asked: Asked,
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
): Promise<ModelAnswer> {
  const lines = onLine && createLines(onLine, asked)
  try {
    const options = toCallOptions(request, signal, effort)
    const { stream } = await model.doStream(options)
    const collected = await collect(stream, asked, connection, lines?.add)
    const answer = toAnswer(collected, asked, request)
    lines?.end()
    return answer
  } catch (error) {
    signal.throwIfAborted()
    const failure = connection.failure()
    if (failure !== null) throw failure
    if (error instanceof ModelError) throw error
    // The library throws errors reported at the start of a stream, and various own errors for a stream that it cannot
    // parse.
    throw isReport(error) ? failureInStream(asked, error) : notTheProtocol(asked)
  }
}

function isReport(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as { statusCode?: unknown }
  return typeof statusCode === 'number' && statusCode >= 400
}

interface Collected {
  text: string
  calls: Called[]
  /** Reasoning by stream id, in order. */
  reasoning: Map<string, Reasoning>
  finish: Finished['finishReason']['unified']
  usage: Finished['usage'] | null
}

/** Assembles pieces of text to complete lines, so that keys can be removed. */
function createLines(tell: LineListener, asked: Asked) {
  let rest = ''
  const tellClean = (line: string) => tell(storableText(cutWholeKeys(line, asked.keys)))
  return {
    add(piece: string) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) tellClean(line)
    },
    end: () => tellClean(rest),
  }
}

async function collect(
  stream: Streamed,
  asked: Asked,
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
      if (!saysNoFinish(part.error)) throw connection.failure() ?? failureInStream(asked, part.error)
      isWithoutFinish = true
    }
  }
  if (isWithoutFinish) collected.finish = connection.sawDone() ? 'other' : 'interrupted'
  return collected
}

/**
 * Detects the library's error for a stream without a finish reason: it was interrupted, or the server omits reasons.
 */
function saysNoFinish(error: unknown): boolean {
  const { name, data } = (error ?? {}) as { name?: unknown; data?: unknown }
  return name === 'AI_InvalidResponseDataError' && data === undefined
}

function toAnswer(collected: Collected, asked: Asked, request: ModelRequest): ModelAnswer {
  const { finish, usage } = collected
  if (finish === 'interrupted') throw hasNothing(collected) ? notTheProtocol(asked) : brokeOff(asked)
  if (finish === 'error') throw unreadableCall(asked)
  const text = storableText(cutWholeKeys(collected.text, asked.keys))
  const toolCalls = toToolCalls(collected.calls, asked, request)
  const reasoning = toReasoning(collected.reasoning, asked)
  const answer = {
    text,
    toolCalls,
    ...(reasoning.length > 0 && { reasoning }),
    finish: finishOf(finish, toolCalls),
  }
  if (text.trim() === '' && toolCalls.length === 0 && answer.finish !== 'refused')
    throw finish === 'length' ? onlyThoughts(asked, request.maxOutputTokens) : emptyAnswer(asked)
  const counted = {
    inputTokens: usage?.inputTokens.total,
    outputTokens: usage?.outputTokens.total,
    cachedTokens: usage?.inputTokens.cacheRead,
  }
  return { ...answer, usage: countUsage(counted, JSON.stringify(request), JSON.stringify(answer)) }
}

function hasNothing({ text, calls }: Collected): boolean {
  return text === '' && calls.length === 0
}

/** Drops reasoning from which a key would have to be removed, since the provider has signed its text. */
function toReasoning(reasoning: Collected['reasoning'], asked: Asked): Reasoning[] {
  return [...reasoning.values()]
    .filter(({ text, metadata }) => text !== '' || metadata !== undefined)
    .filter((thought) => {
      const json = JSON.stringify(thought)
      return cutWholeKeys(json, asked.keys) === json && storableText(json) === json
    })
}

function toToolCalls(calls: readonly Called[], asked: Asked, request: ModelRequest): ToolCall[] {
  const taken = new Set(request.messages.flatMap(callIdsOf))
  return calls.map(({ toolCallId, toolName, input, providerMetadata }) => {
    const signature = providerMetadata?.google?.thoughtSignature
    return {
      id: settleCallId(toolCallId, taken),
      name: storableText(toolName),
      ...parseToolInput(cutWholeKeys(input, asked.keys)),
      ...(typeof signature === 'string' && { signature }),
    }
  })
}

function callIdsOf(message: ModelRequest['messages'][number]): string[] {
  return message.role === 'assistant' ? message.toolCalls.map((call) => call.id) : []
}

function finishOf(finish: Collected['finish'], toolCalls: readonly ToolCall[]): ModelAnswer['finish'] {
  if (finish === 'content-filter') return 'refused'
  if (finish === 'length') return 'length'
  return toolCalls.length > 0 ? 'tool_calls' : 'stop'
}
