/** Invalid and unusual answers. */
import { gzipSync } from 'node:zlib'
import { beginStream, chunkOf, endStream, sendChunk } from '../model-server.ts'
import {
  after,
  call,
  calls,
  dataLine,
  flood,
  MEGABYTE,
  type Misbehaviour,
  PLAN,
  raw,
  status,
  streams,
  TEXT,
} from './behaviour.ts'

export const ODD_ANSWERS = {
  // Protocol
  'an answer without a body': { behave: raw(''), becomes: { error: 'nonsense' } },
  'lines that are no events': { behave: raw('Hello!\nI am a model.\n\n'), becomes: { error: 'nonsense' } },
  'an event that is not JSON': {
    behave: raw('data: {"choices":[{"del\n\ndata: [DONE]\n\n'),
    becomes: { error: 'nonsense' },
  },
  'an event of another shape': {
    behave: raw('data: [1,2,3]\n\ndata: [DONE]\n\n'),
    becomes: { error: 'nonsense' },
  },
  'a page instead of a stream': {
    behave: raw('<!doctype html><title>Welcome</title>', { 'content-type': 'text/html' }),
    becomes: { error: 'nonsense' },
  },
  'plain JSON instead of a stream': {
    behave: status(200, JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Hi' } }] })),
    becomes: { error: 'nonsense' },
  },
  'says that it is overloaded, within the stream': {
    behave: after(TEXT, ({ response }) => {
      response.end(dataLine({ error: { message: 'Overloaded', type: 'overloaded_error' } }))
    }),
    becomes: { error: 'busy' },
  },
  'says that it failed, within the stream': {
    behave: after(
      TEXT,
      ({ response }) => void response.end(dataLine({ error: 'llama runner process has terminated' })),
    ),
    becomes: { error: 'unreachable' },
  },
  'no reason for its end': { behave: streams([{ content: 'Done.' }], null), becomes: { finish: 'stop' } },
  'an unknown reason for its end': {
    behave: streams([{ content: 'Done.' }], 'because'),
    becomes: { finish: 'stop' },
  },
  'a bomb of packed bytes': {
    behave: raw(gzipSync(Buffer.concat([Buffer.from('data: "'), Buffer.alloc(40 * MEGABYTE, 'x')])), {
      'content-encoding': 'gzip',
    }),
    becomes: { error: 'too_large' },
  },

  // Tool calls
  'arguments that break off': {
    behave: calls(call('write_file', '{"path":"index.mdx","text":"Hel')),
    becomes: { finish: 'tool_calls' },
  },
  'arguments that are a list': {
    behave: calls(call('read_file', '["index.mdx"]')),
    becomes: { finish: 'tool_calls' },
  },
  'arguments that are a text': {
    behave: calls(call('read_file', JSON.stringify('{"path":"index.mdx"}'))),
    becomes: { finish: 'tool_calls' },
  },
  'arguments that are an object': {
    behave: calls(call('read_file', '', { function: { name: 'read_file', arguments: { path: 'a.mdx' } } })),
    becomes: { finish: 'tool_calls' },
  },
  'no arguments at all': { behave: calls(call('read_file', '')), becomes: { finish: 'tool_calls' } },
  'arguments a hundred thousand levels deep': {
    behave: calls(call('read_file', `{"path":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)),
    becomes: { finish: 'tool_calls' },
  },
  'arguments that name __proto__': {
    behave: calls(call('read_file', '{"path":"index.mdx","__proto__":{"isAdmin":true}}')),
    becomes: { finish: 'tool_calls' },
  },
  'a tool that there is not': {
    behave: calls(call('run_shell', '{"command":"env"}')),
    becomes: { finish: 'tool_calls' },
  },
  'a tool with a name of 5,000 odd characters': {
    behave: calls(call('räd file '.repeat(600), '{}')),
    becomes: { finish: 'tool_calls' },
  },
  'a tool call without a name': {
    behave: calls({ index: 0, id: 'call_1', type: 'function', function: { arguments: '{}' } }),
    becomes: { error: 'nonsense' },
  },
  'calls that share one id': {
    behave: calls(PLAN, { ...PLAN, index: 1 }, { ...PLAN, index: 2 }),
    becomes: { finish: 'tool_calls' },
  },
  'calls without ids': {
    behave: calls({ ...PLAN, id: undefined }, { ...PLAN, index: 1, id: undefined }),
    becomes: { finish: 'tool_calls' },
  },
  'calls with odd ids': {
    behave: calls(call('plan', '{"items":[]}', { id: 'no id: ☃ "' })),
    becomes: { finish: 'tool_calls' },
  },
  'four hundred calls at once': {
    behave: calls(...Array.from({ length: 400 }, (_, index) => ({ ...PLAN, index, id: `call_${index}` }))),
    becomes: { finish: 'tool_calls' },
  },
  'the same tool call for ever': {
    behave: calls(call('read_file', '{"path":"index.mdx"}')),
    becomes: { finish: 'tool_calls' },
  },
  'says that it stops, and calls a tool': {
    behave: streams([{ tool_calls: [PLAN] }], 'stop'),
    becomes: { finish: 'tool_calls' },
  },
  'says that it calls a tool, and calls none': {
    behave: streams([{ content: 'I will.' }], 'tool_calls'),
    becomes: { finish: 'stop' },
  },

  // Size
  'a text without end': {
    behave: after(TEXT, (exchange) => flood(exchange, dataLine(chunkOf({ content: 'x'.repeat(64 * 1024) })))),
    becomes: { error: 'too_large' },
  },
  'arguments without end': {
    behave: after([{ tool_calls: [call('write_file', '{"text":"')] }], (exchange) =>
      flood(
        exchange,
        dataLine(chunkOf({ tool_calls: [{ index: 0, function: { arguments: 'x'.repeat(64 * 1024) } }] })),
      ),
    ),
    becomes: { error: 'too_large' },
  },
  'a line without end': {
    behave: after([], (exchange) => flood(exchange, `data: ${'x'.repeat(64 * 1024)}`)),
    becomes: { error: 'too_large' },
  },

  // Content
  'an empty answer': {
    behave: streams([{ role: 'assistant', content: '' }]),
    becomes: { error: 'nonsense' },
  },
  'only blanks': { behave: streams([{ content: ' \n ' }]), becomes: { error: 'nonsense' } },
  'no choices': {
    behave: ({ response }) => {
      beginStream(response)
      sendChunk(response, { ...chunkOf({}), choices: [] })
      endStream(response)
    },
    becomes: { error: 'nonsense' },
  },
  'cut at the limit of tokens': { behave: streams(TEXT, 'length'), becomes: { finish: 'length' } },
  'thinks until the limit of tokens': {
    behave: streams([{ reasoning_content: 'Let me think. '.repeat(50) }], 'length'),
    becomes: { error: 'nonsense' },
  },
  'filtered by the provider': { behave: streams([], 'content_filter'), becomes: { finish: 'refused' } },
  'refuses in a field of its own': {
    behave: streams([{ refusal: 'I cannot help with that.' }]),
    becomes: { finish: 'refused' },
  },
  'only talks, for ever': {
    behave: streams([{ content: 'I would rather not use a tool.' }]),
    becomes: { finish: 'stop' },
  },
  'control characters': {
    behave: streams([
      { content: 'a\u0000b\u001b[31mc\u0007' },
      { tool_calls: [call('plan', '{"it\\u0000ems":"\\u0000"}')] },
    ]),
    becomes: { finish: 'tool_calls' },
  },
  'halves of characters': {
    behave: raw(
      `data: {"choices":[{"index":0,"delta":{"content":"a\\ud800b"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
    ),
    becomes: { finish: 'stop' },
  },
  'bytes that are not UTF-8': {
    behave: raw(
      Buffer.concat([
        Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"a'),
        Buffer.from([0xff, 0xc3, 0x28]),
        Buffer.from('b"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'),
      ]),
    ),
    becomes: { finish: 'stop' },
  },
  'says the key back': {
    behave: (exchange) =>
      streams([
        { content: `You sent ${exchange.authorization.slice(7)}` },
        { tool_calls: [call('write_file', JSON.stringify({ text: exchange.authorization.slice(7) }))] },
      ])(exchange),
    becomes: { finish: 'tool_calls' },
  },

  // Token usage
  'no usage': { behave: streams(TEXT), becomes: { finish: 'stop' } },
  'usage of nothing': {
    behave: streams(TEXT, 'stop', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }),
    becomes: { finish: 'stop' },
  },
  'usage below zero': {
    behave: streams(TEXT, 'stop', { prompt_tokens: -5, completion_tokens: -1, total_tokens: -6 }),
    becomes: { finish: 'stop' },
  },
  'usage beyond all measure': {
    behave: streams(TEXT, 'stop', { prompt_tokens: 1e300, completion_tokens: 1e17, total_tokens: 1e300 }),
    becomes: { finish: 'stop' },
  },
} as const satisfies Record<string, Misbehaviour>
