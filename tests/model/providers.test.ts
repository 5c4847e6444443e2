import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Effort } from '../../src/base/api/form-choices.ts'
import {
  ModelError,
  type ModelErrorReason,
  type ModelRequest,
  type ModelResponse,
} from '../../src/model/model.ts'
import { type ModelKeys, openModel } from '../../src/model/open-model.ts'
import { listedGuard } from '../kit/git.ts'
import {
  anthropicError,
  anthropicStream,
  googleStream,
  openaiError,
  openaiStream,
  type ProviderReply,
  type Said,
  startProvider,
} from '../kit/provider-streams.ts'
import { patience } from '../kit/until.ts'

const KEYS: ModelKeys = {
  anthropic: 'sk-ant-api03-0f9e8d7c6b5a4938',
  openai: 'sk-proj-a1b2c3d4e5f60718',
  google: 'AIzaSyZ9y8x7w6v5u4t3s2',
}

const REQUEST: ModelRequest = {
  system: 'You edit documentation.',
  messages: [{ role: 'user', text: 'Fix the typo.' }],
  tools: [
    {
      name: 'read_file',
      description: 'Text of a file.',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
        additionalProperties: false,
      },
    },
  ],
  maxOutputTokens: 1000,
}

const CALLS: Said = {
  text: 'I look.',
  call: { id: 'call_1', name: 'read_file', input: { path: 'index.mdx' } },
}
const DONE: Said = { text: 'Done.' }

type Name = 'anthropic' | 'google' | 'openai'

function open(provider: Name, origin: string, keys = KEYS, effort?: Effort) {
  const path = provider === 'google' ? '/v1beta' : '/v1'
  const name = `${provider}:${{ anthropic: 'claude-sonnet-4-5', google: 'gemini-3-pro-preview', openai: 'gpt-5' }[provider]}`
  const settings = { name, url: origin + path, replayFile: null, recordFile: null, ...(effort && { effort }) }
  return openModel(settings, keys, listedGuard)
}

async function ask(provider: Name, reply: ProviderReply, request = REQUEST): Promise<ModelResponse> {
  await using server = await startProvider(reply)
  return await open(provider, server.url).answer(request, patience())
}

async function refusal(provider: Name, reply: ProviderReply): Promise<ModelError> {
  const error = await ask(provider, reply).then(
    (answer) => assert.fail(`it answered ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  )
  if (!(error instanceof ModelError)) throw error
  for (const key of Object.values(KEYS)) assert.ok(!`${error.stack}${JSON.stringify(error)}`.includes(key))
  return error
}

const STREAMS = { anthropic: anthropicStream, google: googleStream, openai: openaiStream }

describe('each provider', () => {
  for (const provider of ['anthropic', 'google', 'openai'] as const) {
    test(`${provider}: completes a tool call, its result and the final answer`, async () => {
      const stream = STREAMS[provider]
      await using server = await startProvider({ body: stream(CALLS) }, { body: stream(DONE) })
      const model = open(provider, server.url)
      const first = await model.answer(REQUEST, patience())
      assert.equal(first.text, 'I look.')
      assert.equal(first.finish, 'tool_calls')
      assert.deepEqual(
        first.toolCalls.map(({ name, input }) => ({ name, input })),
        [{ name: 'read_file', input: { path: 'index.mdx' } }],
      )
      const [call] = first.toolCalls
      const second = await model.answer(
        {
          ...REQUEST,
          messages: [
            ...REQUEST.messages,
            { role: 'assistant', text: first.text, toolCalls: first.toolCalls },
            {
              role: 'tool',
              results: [{ callId: call?.id ?? '', name: 'read_file', text: '# Helo', isError: false }],
            },
          ],
        },
        patience(),
      )
      assert.equal(second.text, 'Done.')
      assert.equal(second.finish, 'stop')
      const told = JSON.stringify(server.asked[1]?.body)
      for (const part of ['Fix the typo.', 'I look.', 'index.mdx', '# Helo', call?.id ?? '?'])
        assert.ok(told.includes(part), `${part} is missing in ${told}`)
    })

    test(`${provider}: a truncated stream is reported as unreachable`, async () => {
      const error = await refusal(provider, { body: STREAMS[provider](CALLS, null) })
      assert.equal(error.reason, 'unreachable')
    })

    test(`${provider}: sends no request without a key`, async () => {
      await using server = await startProvider({ body: '' })
      await assert.rejects(open(provider, server.url, {}).answer(REQUEST, patience()), {
        reason: 'credentials_refused',
      })
      assert.equal(server.asked.length, 0)
    })
  }
})

test('sends each provider only its own key, at its own endpoint', async () => {
  const seen: Record<string, unknown> = {}
  for (const provider of ['anthropic', 'google', 'openai'] as const) {
    await using server = await startProvider({ body: STREAMS[provider](DONE) })
    await open(provider, server.url).answer(REQUEST, patience())
    const [asked] = server.asked
    seen[provider] = [asked?.path, keysIn(JSON.stringify(asked))]
  }
  assert.deepEqual(seen, {
    anthropic: ['/v1/messages', [KEYS.anthropic]],
    google: ['/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse', [KEYS.google]],
    openai: ['/v1/responses', [KEYS.openai]],
  })
})

const keysIn = (text: string) => Object.values(KEYS).filter((key) => text.includes(key))

test('usage includes the cached and reasoning tokens counted by the provider', async () => {
  assert.deepEqual((await ask('anthropic', { body: anthropicStream(DONE) })).usage, {
    inputTokens: 40,
    outputTokens: 15,
    cachedTokens: 5,
  })
  assert.deepEqual((await ask('google', { body: googleStream(DONE) })).usage, {
    inputTokens: 30,
    outputTokens: 20,
  })
  assert.deepEqual((await ask('openai', { body: openaiStream(DONE) })).usage, {
    inputTokens: 40,
    outputTokens: 20,
  })
})

test('marks the conversation for the Anthropic prompt cache', async () => {
  await using server = await startProvider({ body: anthropicStream(DONE) })
  await open('anthropic', server.url).answer(REQUEST, patience())
  const { system, messages } = server.asked[0]?.body ?? {}
  assert.match(JSON.stringify(system), /"cache_control":\{"type":"ephemeral"\}/)
  assert.match(JSON.stringify(messages), /"cache_control":\{"type":"ephemeral"\}/)
})

test('asks OpenAI not to store the conversation', async () => {
  await using server = await startProvider({ body: openaiStream(DONE) })
  await open('openai', server.url).answer(REQUEST, patience())
  assert.equal(server.asked[0]?.body.store, false)
})

test('sends the signature of a tool call back to Google with the call', async () => {
  await using server = await startProvider({ body: googleStream(CALLS) }, { body: googleStream(DONE) })
  const model = open('google', server.url)
  const { toolCalls } = await model.answer(REQUEST, patience())
  assert.equal(toolCalls[0]?.signature, 'c2lnbmVk')
  const messages: ModelRequest['messages'] = [...REQUEST.messages, { role: 'assistant', text: '', toolCalls }]
  await model.answer({ ...REQUEST, messages }, patience())
  assert.match(JSON.stringify(server.asked[1]?.body), /"thoughtSignature":"c2lnbmVk"/)
})

test('maps provider finish reasons to length and refused', async () => {
  const finish = async (provider: Name, body: string) => (await ask(provider, { body })).finish
  assert.equal(await finish('anthropic', anthropicStream({ text: 'Half' }, 'max_tokens')), 'length')
  assert.equal(await finish('anthropic', anthropicStream({ text: '' }, 'refusal')), 'refused')
  assert.equal(await finish('google', googleStream({ text: 'Half' }, 'MAX_TOKENS')), 'length')
  assert.equal(await finish('google', googleStream({ text: '' }, 'SAFETY')), 'refused')
  assert.equal(await finish('openai', openaiStream({ text: 'Half' }, 'incomplete')), 'length')
})

const FAILURES: [Name, ProviderReply, ModelErrorReason, number | null][] = [
  ['anthropic', { status: 529, body: errorOf('overloaded_error', 'Overloaded') }, 'busy', null],
  [
    'anthropic',
    { status: 429, headers: { 'retry-after': '17' }, body: errorOf('rate_limit_error', 'Slow down') },
    'busy',
    17,
  ],
  [
    'anthropic',
    { status: 401, body: errorOf('authentication_error', 'invalid x-api-key') },
    'credentials_refused',
    null,
  ],
  [
    'anthropic',
    { status: 404, body: errorOf('not_found_error', 'model: claude-sonnet-4-5') },
    'model_missing',
    null,
  ],
  [
    'anthropic',
    {
      status: 400,
      body: errorOf('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    },
    'too_long',
    null,
  ],
  [
    'anthropic',
    { status: 400, body: errorOf('invalid_request_error', 'Your credit balance is too low') },
    'refused',
    null,
  ],
  ['anthropic', { body: anthropicError('overloaded_error', 'Overloaded') }, 'busy', null],
  [
    'anthropic',
    { body: anthropicStream(DONE, null) + anthropicError('api_error', 'Internal server error') },
    'unreachable',
    null,
  ],
  [
    'google',
    {
      status: 400,
      body: '{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}',
    },
    'credentials_refused',
    null,
  ],
  [
    'google',
    {
      status: 429,
      body: '{"error":{"code":429,"message":"Resource exhausted","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}',
    },
    'busy',
    34.5,
  ],
  [
    'google',
    {
      status: 503,
      body: '{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}',
    },
    'busy',
    null,
  ],
  [
    'google',
    {
      status: 404,
      body: '{"error":{"code":404,"message":"models/gemini-3-pro-preview is not found","status":"NOT_FOUND"}}',
    },
    'model_missing',
    null,
  ],
  ['google', { body: googleStream({ text: '' }, 'MALFORMED_FUNCTION_CALL') }, 'nonsense', null],
  [
    'openai',
    {
      status: 429,
      headers: { 'retry-after-ms': '2500', 'retry-after': '3' },
      body: '{"error":{"message":"Rate limit reached","type":"tokens","code":"rate_limit_exceeded"}}',
    },
    'busy',
    2.5,
  ],
  [
    'openai',
    {
      status: 429,
      body: '{"error":{"message":"Rate limit reached. Please try again in 1m6.5s.","code":"rate_limit_exceeded"}}',
    },
    'busy',
    66.5,
  ],
  [
    'openai',
    {
      status: 429,
      body: '{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}',
    },
    'refused',
    null,
  ],
  [
    'openai',
    {
      status: 400,
      body: '{"error":{"message":"Your input exceeds the context window of this model.","code":"context_length_exceeded"}}',
    },
    'too_long',
    null,
  ],
  [
    'openai',
    {
      status: 401,
      body: `{"error":{"message":"Incorrect API key provided: ${KEYS.openai}.","code":"invalid_api_key"}}`,
    },
    'credentials_refused',
    null,
  ],
  ['openai', { body: openaiError('server_error', 'The server had an error') }, 'unreachable', null],
  ['openai', { body: openaiError('rate_limit_exceeded', 'Rate limit reached') }, 'busy', null],
]

function errorOf(type: string, message: string): string {
  return JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_1' })
}

describe('maps provider failures to error reasons', () => {
  for (const [provider, reply, reason, seconds] of FAILURES) {
    const told = reply.status === undefined ? 'within the stream' : `${reply.status}`
    test(`${provider} ${told} ${reply.body.trim().split('\n').at(-1)?.slice(0, 120)}: ${reason}`, async () => {
      const error = await refusal(provider, reply)
      assert.equal(error.reason, reason, error.message)
      assert.equal(error.retryAfterSeconds, seconds)
    })
  }
})

for (const provider of ['anthropic', 'openai'] as const)
  test(`${provider}: signed reasoning is sent back with its tool results and dropped after a new user message`, async () => {
    const stream = STREAMS[provider]
    await using server = await startProvider({ body: stream({ ...CALLS, thought: 'Which file?' }) })
    const model = open(provider, server.url)
    const { text, toolCalls, reasoning } = await model.answer(REQUEST, patience())
    const said = { role: 'assistant', text, toolCalls, ...(reasoning && { reasoning }) } as const
    const results = [{ callId: toolCalls[0]?.id ?? '', name: 'read_file', text: '# Helo', isError: false }]
    const messages = [...REQUEST.messages, said, { role: 'tool', results } as const]
    await model.answer({ ...REQUEST, messages }, patience())
    await model.answer({ ...REQUEST, messages: [...messages, { role: 'user', text: 'Go on.' }] }, patience())
    const [, during, after] = server.asked.map(({ body }) => JSON.stringify(body))
    assert.match(during ?? '', /c2lnbmVkIHRob3VnaHQ=/)
    assert.doesNotMatch(after ?? '', /c2lnbmVkIHRob3VnaHQ=/)
  })

test('sends the effort in the format of each provider', async () => {
  const asked: Record<string, string> = {}
  for (const provider of ['anthropic', 'google', 'openai'] as const) {
    await using server = await startProvider({ body: STREAMS[provider](DONE) })
    await open(provider, server.url, KEYS, 'high').answer(REQUEST, patience())
    asked[provider] = JSON.stringify(server.asked[0]?.body)
  }
  assert.match(asked.anthropic ?? '', /"thinking":\{|"effort":"high"/)
  assert.match(asked.google ?? '', /"thinkingLevel":"high"/)
  assert.match(asked.openai ?? '', /"effort":"high"/)
})

const OVERFLOWS: [server: string, status: number, says: string][] = [
  ['llama.cpp', 400, 'the request exceeds the available context size. try increasing the context size'],
  ['vLLM', 400, 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.'],
  ['TGI', 422, 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000'],
  ['TGI, older', 422, 'Input validation error: `inputs` must have less than 1024 tokens. Given: 1234'],
  ['Ollama', 500, 'the input length exceeds the context length'],
  ['Gemini', 400, 'The input token count (1189022) exceeds the maximum number of tokens allowed (1048576).'],
  ['Mistral', 400, 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length'],
  [
    'Azure',
    400,
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000",
  ],
  ['Anthropic', 400, 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000'],
  ['xAI', 400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  ['Bedrock', 400, 'Input is too long for requested model.'],
  [
    'OpenAI, by the minute',
    429,
    'Request too large for gpt-5 on tokens per min (TPM): Limit 10000, Requested 12000',
  ],
  ['a proxy', 413, ''],
]

test('recognizes a context overflow in the error messages of every known server', async () => {
  for (const [server, status, says] of OVERFLOWS) {
    const { reason } = await refusal('openai', { status, body: JSON.stringify({ error: { message: says } }) })
    assert.equal(reason, 'too_long', server)
  }
  const body = JSON.stringify({ error: { message: 'Too many tokens, please wait before trying again.' } })
  assert.equal((await refusal('openai', { status: 429, body })).reason, 'busy')
})

test('rejects a model name that lacks its replay file or URL', () => {
  const settings = { url: null, replayFile: null, recordFile: null }
  for (const name of ['replay:/etc/passwd', 'openai-compatible:qwen', 'qwen'])
    assert.throws(() => openModel({ ...settings, name }, KEYS, listedGuard), RangeError)
})
