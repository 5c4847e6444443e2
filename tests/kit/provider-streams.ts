/**
 * Mock servers for providers with their own protocols, based on their public references: the URL, the header with the
 * API key, and the events of an answer. Each sends the given replies and records the requests.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ProviderServer {
  readonly url: string
  readonly asked: { path: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }[]
  [Symbol.asyncDispose](): Promise<void>
}

export interface ProviderReply {
  status?: number
  headers?: Record<string, string>
  /** Stream events, or the response body for an error status. */
  body: string
}

/** Starts a server that sends the replies in order and repeats the last one. */
export async function startProvider(...replies: ProviderReply[]): Promise<ProviderServer> {
  const asked: ProviderServer['asked'] = []
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString('utf8')
    const reply = replies[Math.min(asked.length, replies.length - 1)]
    asked.push({ path: incoming.url ?? '', headers: incoming.headers, body: JSON.parse(body) })
    const { status = 200, headers = {} } = reply ?? {}
    const type = status === 200 ? 'text/event-stream' : 'application/json'
    response.writeHead(status, { 'content-type': type, ...headers }).end(reply?.body)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Formats server-sent events with an `event` field from their type. */
const named = (events: object[]) =>
  events
    .map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
const unnamed = (events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

export interface Said {
  /** Reasoning that the provider signs and expects back. */
  thought?: string
  text: string
  call?: { id: string; name: string; input: object }
}

/** Anthropic Messages API. `ending` null breaks the stream off. */
export function anthropicStream(
  { thought, text, call }: Said,
  ending: string | null = call ? 'tool_use' : 'end_turn',
): string {
  const usage = {
    input_tokens: 25,
    output_tokens: 1,
    cache_creation_input_tokens: 10,
    cache_read_input_tokens: 5,
  }
  const message = { id: 'msg_01', type: 'message', role: 'assistant', model: 'claude', content: [], usage }
  const block = (index: number, content_block: object, deltas: object[]) => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
  return named([
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } } as {
      type: string
    },
    { type: 'ping' },
    ...(thought === undefined
      ? []
      : block(2, { type: 'thinking', thinking: '' }, [
          { type: 'thinking_delta', thinking: thought },
          { type: 'signature_delta', signature: 'c2lnbmVkIHRob3VnaHQ=' },
        ])),
    ...(text === '' ? [] : block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text }])),
    ...(call === undefined
      ? []
      : block(1, { type: 'tool_use', id: call.id, name: call.name, input: {} }, [
          { type: 'input_json_delta', partial_json: '' },
          { type: 'input_json_delta', partial_json: JSON.stringify(call.input).slice(0, 7) },
          { type: 'input_json_delta', partial_json: JSON.stringify(call.input).slice(7) },
        ])),
    ...(ending === null
      ? []
      : [
          {
            type: 'message_delta',
            delta: { stop_reason: ending, stop_sequence: null },
            usage: { output_tokens: 15 },
          },
          { type: 'message_stop' },
        ]),
  ])
}

export const anthropicError = (type: string, message: string) =>
  named([{ type: 'error', error: { type, message } }])

/** Google generateContent API. */
export function googleStream({ text, call }: Said, ending: string | null = 'STOP'): string {
  const candidate = (parts: object[], more: object = {}) => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    usageMetadata: {
      promptTokenCount: 30,
      candidatesTokenCount: 12,
      thoughtsTokenCount: 8,
      totalTokenCount: 50,
    },
    modelVersion: 'gemini',
  })
  const called = call && {
    functionCall: { name: call.name, args: call.input },
    thoughtSignature: 'c2lnbmVk',
  }
  return unnamed([
    ...(text === '' ? [] : [candidate([{ text }])]),
    ...(called === undefined ? [] : [candidate([called])]),
    ...(ending === null ? [] : [candidate([], { finishReason: ending })]),
  ])
}

/** OpenAI Responses API. */
export function openaiStream(
  { thought, text, call }: Said,
  ending: 'completed' | 'incomplete' | null = 'completed',
): string {
  let sequence_number = 0
  const event = (type: string, more: object) => ({ type, sequence_number: sequence_number++, ...more })
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'gpt', output: [] }
  const item = (output_index: number, before: object, middle: object[], after: object) => [
    event('response.output_item.added', { output_index, item: before }),
    ...middle,
    event('response.output_item.done', { output_index, item: after }),
  ]
  const message = { id: 'msg_1', type: 'message', role: 'assistant' }
  const part = { type: 'output_text', text, annotations: [] }
  const called = call && { id: 'fc_1', type: 'function_call', call_id: call.id, name: call.name }
  const args = JSON.stringify(call?.input)
  const usage = {
    input_tokens: 40,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 60,
  }
  return named([
    event('response.created', { response: { ...response, status: 'in_progress', usage: null } }),
    ...(thought === undefined
      ? []
      : item(2, { type: 'reasoning', id: 'rs_1', summary: [] }, [], {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: thought }],
          encrypted_content: 'c2lnbmVkIHRob3VnaHQ=',
        })),
    ...(text === ''
      ? []
      : item(
          0,
          { ...message, status: 'in_progress', content: [] },
          [
            event('response.output_text.delta', {
              item_id: 'msg_1',
              output_index: 0,
              content_index: 0,
              delta: text,
            }),
          ],
          { ...message, status: 'completed', content: [part] },
        )),
    ...(called === undefined
      ? []
      : item(
          1,
          { ...called, status: 'in_progress', arguments: '' },
          [
            event('response.function_call_arguments.delta', {
              item_id: 'fc_1',
              output_index: 1,
              delta: args,
            }),
          ],
          { ...called, status: 'completed', arguments: args },
        )),
    ...(ending === null
      ? []
      : [
          event(`response.${ending}`, {
            response: {
              ...response,
              status: ending,
              incomplete_details: ending === 'incomplete' ? { reason: 'max_output_tokens' } : null,
              usage,
            },
          }),
        ]),
  ])
}

export const openaiError = (code: string, message: string) =>
  named([{ type: 'error', sequence_number: 0, code, message, param: null }])
