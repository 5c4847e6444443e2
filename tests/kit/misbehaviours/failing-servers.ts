/** Servers that are slow, drop the connection, or answer with an error status. */
import { pause } from '../../../src/base/net/retry.ts'
import {
  beginStream,
  chunkOf,
  type Exchange,
  endStream,
  refuses,
  replies,
  sendChunk,
} from '../model-server.ts'
import {
  after,
  call,
  dataLine,
  failed,
  flood,
  hang,
  type Misbehaviour,
  SLOW_MS,
  status,
  TEXT,
} from './behaviour.ts'

export const FAILING_SERVERS = {
  // Timing
  'the first byte comes late': {
    behave: async (exchange) => {
      await pause(SLOW_MS * 4)
      await replies({ text: 'Late, but here.' })(exchange)
    },
    becomes: { finish: 'stop' },
  },
  'drips slowly': {
    behave: async ({ response }) => {
      beginStream(response)
      for (const letter of 'slowly') {
        sendChunk(response, chunkOf({ content: letter }))
        await pause(SLOW_MS)
      }
      sendChunk(response, chunkOf({}, 'stop'))
      endStream(response)
    },
    becomes: { finish: 'stop' },
  },
  'never says anything': { behave: hang, becomes: { error: 'unreachable' }, isSilent: true },
  'sends headers and nothing else': {
    behave: after([], (exchange) => {
      exchange.response.flushHeaders()
      return hang(exchange)
    }),
    becomes: { error: 'unreachable' },
    isSilent: true,
  },
  'stalls in the middle': { behave: after(TEXT, hang), becomes: { error: 'unreachable' }, isSilent: true },
  'stalls after an error status': {
    behave: (exchange) => {
      exchange.response.writeHead(429).write('{"error":')
      return hang(exchange)
    },
    becomes: { error: 'busy' },
    isSilent: true,
  },
  'sends keep-alive comments for ever': {
    behave: after([], (exchange) => flood(exchange, ': still here\n\n', SLOW_MS)),
    becomes: 'endless',
  },
  'drips for ever': {
    behave: after(TEXT, (exchange) => flood(exchange, dataLine(chunkOf({ content: '.' })), SLOW_MS)),
    becomes: 'endless',
  },

  // Connections
  'resets the connection': {
    behave: ({ response }) => void response.socket?.resetAndDestroy(),
    becomes: { error: 'unreachable' },
  },
  'cuts the connection in the middle': {
    behave: after(TEXT, ({ response }) => void response.socket?.destroy()),
    becomes: { error: 'unreachable' },
  },
  'cuts the connection in a tool call': {
    behave: after(
      [{ tool_calls: [call('write_file', '{"path":"index.mdx","text":"half')] }],
      ({ response }) => {
        response.socket?.resetAndDestroy()
      },
    ),
    becomes: { error: 'unreachable' },
  },
  'ends politely in the middle': {
    behave: after(TEXT, ({ response }) => void response.end()),
    becomes: { error: 'unreachable' },
  },
  'ends politely in a tool call': {
    behave: after(
      [{ tool_calls: [call('write_file', '{"path":"index.mdx","text":"half')] }],
      ({ response }) => {
        response.end()
      },
    ),
    becomes: { error: 'unreachable' },
  },
  'does not speak HTTP': {
    behave: ({ response }) => void response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'),
    becomes: { error: 'unreachable' },
  },
  'sends endless headers': {
    behave: ({ response }) => {
      response.writeHead(
        200,
        Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`x-${n}`, 'x'.repeat(500)])),
      )
      response.end()
    },
    becomes: { error: 'unreachable' },
  },

  // Status codes
  '429 without a word on when': {
    behave: status(429, failed('Rate limit reached')),
    becomes: { error: 'busy' },
  },
  '429 with seconds': {
    behave: status(429, failed('Rate limit reached'), { 'retry-after': '1' }),
    becomes: { error: 'busy' },
  },
  '429 with a date': {
    behave: ({ response }) => {
      const date = new Date(Date.now() + 2000).toUTCString()
      return status(429, failed('Rate limit reached'), { 'retry-after': date })({ response } as Exchange)
    },
    becomes: { error: 'busy' },
  },
  '429 with a date that is none': {
    behave: status(429, failed('Rate limit reached'), { 'retry-after': 'soon' }),
    becomes: { error: 'busy' },
  },
  '429 with a wait of a year': {
    behave: status(429, failed('Rate limit reached'), { 'retry-after': '31536000' }),
    becomes: { error: 'busy' },
  },
  '429 over an unpaid bill': {
    behave: status(429, failed('You exceeded your current quota', { code: 'insufficient_quota' })),
    becomes: { error: 'refused' },
  },
  '500': { behave: status(500, failed('The server had an error')), becomes: { error: 'unreachable' } },
  '500 with an endless page': {
    behave: (exchange) => {
      exchange.response.writeHead(500, { 'content-type': 'text/plain' })
      return flood(exchange, 'x'.repeat(64 * 1024))
    },
    becomes: { error: 'unreachable' },
  },
  '502 as a page': {
    behave: status(502, '<html><body><h1>502 Bad Gateway</h1></body></html>', {
      'content-type': 'text/html',
    }),
    becomes: { error: 'unreachable' },
  },
  '503 for ever': { behave: status(503, ''), becomes: { error: 'unreachable' } },
  '503 because it is overloaded': {
    behave: status(503, failed('That model is currently overloaded')),
    becomes: { error: 'busy' },
  },
  '401 that quotes the key': {
    behave: (exchange) =>
      refuses(401, `Incorrect API key provided: ${exchange.authorization.slice(7)}. Try another.`)(exchange),
    becomes: { error: 'credentials_refused' },
  },
  '403 that quotes half of the key': {
    behave: (exchange) =>
      refuses(403, `Key ${exchange.authorization.slice(7, 23)}**** may not do this`)(exchange),
    becomes: { error: 'credentials_refused' },
  },
  '404 for the model': {
    behave: status(404, failed('model "stand-in" not found, try pulling it first')),
    becomes: { error: 'model_missing' },
  },
  '400 for a long conversation': {
    behave: status(
      400,
      failed("This model's maximum context length is 8192 tokens", { code: 'context_length_exceeded' }),
    ),
    becomes: { error: 'too_long' },
  },
  '400 for anything': {
    behave: status(400, failed('Unsupported parameter: tools')),
    becomes: { error: 'refused' },
  },
  '413': { behave: status(413, '<h1>Request Entity Too Large</h1>'), becomes: { error: 'too_long' } },
  '400 with an essay': {
    behave: status(400, failed(`no ${'really '.repeat(20_000)}`)),
    becomes: { error: 'refused' },
  },
  'redirects to elsewhere': {
    behave: ({ response }) => void response.writeHead(307, { location: 'http://127.0.0.1:9/v1' }).end(),
    becomes: { error: 'refused' },
  },
  'redirects to itself': {
    behave: ({ response }) => void response.writeHead(302, { location: '/v1/chat/completions' }).end(),
    becomes: { error: 'refused' },
  },
} as const satisfies Record<string, Misbehaviour>
