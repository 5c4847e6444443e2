/**
 * A mock model server that streams chat completions over real HTTP. Each request is validated against the published
 * description of the protocol; an invalid one is answered with 400 and recorded in `faults`. A script provides the
 * answers.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content?: string | null
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

export interface ChatRequest {
  model: string
  messages: ChatMessage[]
  tools?: { function: { name: string } }[]
  max_tokens?: number
}

export interface Exchange {
  request: ChatRequest
  /** Number of this request at the server, starting at 1. */
  number: number
  authorization: string
  response: ServerResponse
  /** Aborted when the caller closes the connection. */
  gone: AbortSignal
}

export type Behaviour = (exchange: Exchange) => void | Promise<void>
/** `number` counts requests, starting at 1. */
export type Script = (request: ChatRequest, number: number) => Behaviour

export interface ModelServer {
  /** Value for OCTAVO_MODEL_URL. */
  readonly url: string
  readonly requests: readonly ChatRequest[]
  /** `Authorization` headers of all requests. */
  readonly authorizations: readonly string[]
  /** Messages about invalid requests. */
  readonly faults: readonly string[]
  [Symbol.asyncDispose](): Promise<void>
}

export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: ChatRequest[] = []
  const authorizations: string[] = []
  const faults: string[] = []
  const server = createServer((incoming, response) => {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    response.on('error', () => undefined)
    serve(incoming, response, gone.signal).catch((error: unknown) => {
      if (gone.signal.aborted) return
      faults.push(String(error))
      response.destroy()
    })
  })

  async function serve(incoming: IncomingMessage, response: ServerResponse, gone: AbortSignal) {
    const authorization = incoming.headers.authorization ?? ''
    authorizations.push(authorization)
    const body = Buffer.concat(await incoming.toArray()).toString('utf8')
    const fault = faultOf(incoming, body)
    if (fault !== null) {
      faults.push(fault)
      return sendJson(response, 400, { error: { message: fault, type: 'invalid_request_error' } })
    }
    const request = JSON.parse(body) as ChatRequest
    const number = requests.push(request)
    await script(request, number)({ request, number, authorization, response, gone })
  }

  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    authorizations,
    faults,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const description = JSON.parse(
  readFileSync(new URL('../fixtures/openai/chat-completions.json', import.meta.url), 'utf8'),
)
const validators = new Map<string, ValidateFunction>()

function mismatch(name: string, value: unknown): string | null {
  let validate = validators.get(name)
  if (validate === undefined) {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    validate = ajv.compile({ ...description, $ref: `#/$defs/${name}` })
    validators.set(name, validate)
  }
  if (validate(value)) return null
  return `${name}: ${(validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`).join('; ')}`
}

/** Checks a request against the published description and the rules for tool calls. Returns null if it is valid. */
function faultOf(incoming: IncomingMessage, body: string): string | null {
  if (incoming.method !== 'POST' || incoming.url !== '/v1/chat/completions')
    return `${incoming.method} ${incoming.url} is no operation`
  if (incoming.headers['content-type'] !== 'application/json') return 'the body is not JSON'
  const request = JSON.parse(body) as ChatRequest
  const known = Object.keys(description.$defs.CreateChatCompletionRequest.properties)
  const unknown = Object.keys(request).filter((name) => !known.includes(name))
  if (unknown.length > 0) return `unknown: ${unknown.join(', ')}`
  return mismatch('CreateChatCompletionRequest', request) ?? nameFault(request) ?? pairFault(request)
}

/** Checks function names here because the description only gives their pattern in prose. */
function nameFault({ messages, tools = [] }: ChatRequest): string | null {
  const called = messages.flatMap((message) => message.tool_calls ?? []).map((call) => call.function.name)
  const wrong = [...tools.map((tool) => tool.function.name), ...called].find(
    (name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name),
  )
  return wrong === undefined ? null : `no name of a function: ${JSON.stringify(wrong)}`
}

/** Checks that each call is directly followed by its result, each result has a call, and arguments are objects. */
function pairFault({ messages }: ChatRequest): string | null {
  let open = new Set<string>()
  for (const message of [...messages, null]) {
    if (message?.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? '')) return `a result without a call: ${message.tool_call_id}`
      continue
    }
    if (open.size > 0) return `calls without a result: ${[...open].join(', ')}`
    const calls = message?.tool_calls ?? []
    const odd = calls.find((call) => !call.function.arguments.trimStart().startsWith('{'))
    if (odd !== undefined) return `arguments are no object: ${odd.function.arguments}`
    open = new Set(calls.map((call) => call.id))
    if (open.size < calls.length) return 'two calls have one id'
  }
  return null
}

export interface ScriptedAnswer {
  text?: string
  toolCalls?: { name: string; input: unknown; id?: string }[]
  finish?: 'stop' | 'tool_calls' | 'length' | 'content_filter'
  usage?: { inputTokens: number; outputTokens: number }
}

/**
 * Returns a script that sends the answers in order. The index is the number of answers in the conversation since the
 * last `user` message that `begins` accepts (by default the first one), so that a retried request gets the same answer.
 * After the last answer, it sends 400.
 */
export function answersWith(
  answers: readonly ScriptedAnswer[],
  begins: (text: string, index: number) => boolean = (_text, index) => index === 0,
): Script {
  return ({ messages }) => {
    const prompts = messages.filter(({ role }) => role === 'user')
    const start = messages.lastIndexOf(
      prompts.findLast((prompt, index) => begins(prompt.content ?? '', index)) ??
        (messages[0] as ChatMessage),
    )
    const number = messages.slice(start).filter(({ role }) => role === 'assistant').length
    const answer = answers[number]
    return answer === undefined ? refuses(400, `the script has ${answers.length} answers`) : replies(answer)
  }
}

/** Streams a valid answer in small chunks, validated against the published description. */
export function replies(answer: ScriptedAnswer): Behaviour {
  return ({ request, response }) => {
    const { text = '', toolCalls = [], usage = { inputTokens: 100, outputTokens: 20 } } = answer
    const finish = answer.finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')
    beginStream(response)
    const send = (delta: object, finishReason: string | null = null) =>
      sendChunk(response, checked(chunkOf(delta, finishReason, request.model)))
    send({ role: 'assistant', content: '' })
    for (const piece of text.match(/[\s\S]{1,16}/g) ?? []) send({ content: piece })
    toolCalls.forEach(({ name, input, id = `call_${request.messages.length}_${name}` }, index) => {
      send({
        tool_calls: [{ index, id: `${id}_${index}`, type: 'function', function: { name, arguments: '' } }],
      })
      for (const piece of piecesOf(JSON.stringify(input)))
        send({ tool_calls: [{ index, function: { arguments: piece } }] })
    })
    send({}, finish)
    const { inputTokens: prompt_tokens, outputTokens: completion_tokens } = usage
    const counted = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
    sendChunk(response, checked({ ...chunkOf({}, null, request.model), choices: [], usage: counted }))
    endStream(response)
  }
}

/** Splits a text into small pieces, at most 4000. */
function piecesOf(text: string): string[] {
  const size = Math.max(24, Math.ceil(text.length / 4000))
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
}

export function refuses(status: number, message: string, headers: Record<string, string> = {}): Behaviour {
  return ({ response }) => sendJson(response, status, { error: { message } }, headers)
}

export function beginStream(response: ServerResponse, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
}

export function sendChunk(response: ServerResponse, chunk: unknown): void {
  response.write(`data: ${JSON.stringify(chunk)}\n\n`)
}

export function endStream(response: ServerResponse): void {
  response.end('data: [DONE]\n\n')
}

export function chunkOf(delta: object, finishReason: string | null = null, model = 'stand-in') {
  const choices = [{ index: 0, delta, finish_reason: finishReason }]
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_760_000_000, model, choices }
}

function checked<Chunk>(chunk: Chunk): Chunk {
  const fault = mismatch('CreateChatCompletionStreamResponse', chunk)
  if (fault !== null) throw new Error(fault)
  return chunk
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
