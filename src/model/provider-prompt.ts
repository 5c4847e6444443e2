/**
 * Converts a conversation for the provider library. Normalizes text and tool calls written by models, because
 * providers reject a whole conversation for an invalid tool name, empty text, or input that is not an object.
 */
import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible'
import type { Effort } from '../base/api/form-choices.ts'
import type { InputImage, ModelMessage, ModelRequest, Reasoning, ToolCall } from './model.ts'
import { quoteUntrusted } from './quote-untrusted.ts'

export type ProviderModel = ReturnType<OpenAICompatibleProvider['chatModel']>

export type CallOptions = Parameters<ProviderModel['doStream']>[0]

type Prompt = CallOptions['prompt']
type MessageWithRole<Role> = Extract<Prompt[number], { role: Role }>

type SharedOptions = NonNullable<CallOptions['providerOptions']>

const SIGNATURE_PROVIDER = 'google'

export function toCallOptions(
  request: ModelRequest,
  signal: AbortSignal,
  effort: Effort | undefined,
): CallOptions {
  return {
    ...(effort !== undefined && { reasoning: effort }),
    prompt: toPrompt(request),
    tools: request.tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      inputSchema,
    })),
    maxOutputTokens: request.maxOutputTokens,
    abortSignal: signal,
    // Prevents the provider from storing the conversation.
    providerOptions: { openai: { store: false } },
  }
}

function toPrompt(request: ModelRequest): Prompt {
  const prompt: Prompt = [{ role: 'system', content: request.system, ...PROMPT_CACHE_OPTIONS }]
  // Only the reasoning since the last user message is required. Earlier reasoning would add cost.
  const begun = request.messages.findLastIndex(({ role }) => role === 'user')
  for (const [index, message] of request.messages.entries()) addMessage(prompt, message, index > begun)
  const last = prompt.at(-1)
  if (last !== undefined) Object.assign(last, PROMPT_CACHE_OPTIONS)
  return prompt
}

/**
 * Enables caching of the conversation up to this message, because the next request repeats it. Some providers cache
 * only on request.
 */
const PROMPT_CACHE_OPTIONS = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }

function addMessage(prompt: Prompt, message: ModelMessage, withReasoning: boolean): void {
  if (message.role === 'user') addUserText(prompt, message.text)
  else if (message.role === 'assistant')
    prompt.push({
      role: 'assistant',
      content: [
        ...(withReasoning ? reasoningParts(message.reasoning ?? []) : []),
        ...assistantParts(message.text, message.toolCalls),
      ],
    })
  else {
    prompt.push({
      role: 'tool',
      content: message.results.map(({ callId, name, text, isError }) => ({
        type: 'tool-result',
        toolCallId: callId,
        toolName: toValidToolName(name),
        output: { type: isError ? 'error-text' : 'text', value: visible(text) },
      })),
    })
    addImages(
      prompt,
      message.results.flatMap(({ picture }) => picture ?? []),
    )
  }
}

/** Adds images as a user message, because few providers accept images in tool results. */
function addImages(prompt: Prompt, pictures: readonly InputImage[]): void {
  if (pictures.length === 0) return
  const shown = pictures.flatMap(({ path, mediaType, base64 }) => [
    { type: 'text' as const, text: quoteUntrusted('picture', path) },
    { type: 'file' as const, mediaType, data: { type: 'data' as const, data: base64 } },
  ])
  prompt.push({ role: 'user', content: shown })
}

/** Adds text to the previous message if that is a user message, because some models reject two in a row. */
function addUserText(prompt: Prompt, text: string): void {
  const last = prompt.at(-1)
  const [before] = last?.role === 'user' ? last.content : []
  if (before?.type === 'text' && last?.content.length === 1) before.text += `\n\n${visible(text)}`
  else prompt.push({ role: 'user', content: [{ type: 'text', text: visible(text) }] })
}

function assistantParts(
  text: string,
  toolCalls: readonly ToolCall[],
): MessageWithRole<'assistant'>['content'] {
  const calls = toolCalls.map((call) => ({
    type: 'tool-call' as const,
    toolCallId: call.id,
    toolName: toValidToolName(call.name),
    input: asObject(call.input),
    ...(call.signature !== undefined && {
      providerOptions: { [SIGNATURE_PROVIDER]: { thoughtSignature: call.signature } },
    }),
  }))
  if (text.trim() === '' && calls.length > 0) return calls
  return [{ type: 'text', text: visible(text) }, ...calls]
}

function reasoningParts(reasoning: readonly Reasoning[]): MessageWithRole<'assistant'>['content'] {
  return reasoning.map(({ text, metadata }) => ({
    type: 'reasoning',
    text,
    ...(metadata !== undefined && { providerOptions: metadata as SharedOptions }),
  }))
}

function toValidToolName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unnamed'
}

function asObject(input: unknown): unknown {
  const isObject = input !== null && typeof input === 'object' && !Array.isArray(input)
  return isObject ? input : { input }
}

function visible(text: string): string {
  return text.trim() === '' ? '(empty)' : text
}
