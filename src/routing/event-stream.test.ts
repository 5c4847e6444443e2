import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventStream, type ServerEvent } from './event-stream.ts'

const open = new AbortController().signal

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(stream)).toString()
}

async function* two(): AsyncGenerator<ServerEvent> {
  yield { event: 'job', data: { text: 'line\nline' } }
  yield { event: 'job', data: 2 }
}

test('events are numbered, hold their data in one line, and the stream ends with its source', async () => {
  const stream = createEventStream(two(), { lastEventId: undefined, signal: open })
  assert.equal(
    await textOf(stream),
    'retry: 2000\n\nid: 1\nevent: job\ndata: {"text":"line\\nline"}\n\nid: 2\nevent: job\ndata: 2\n\n',
  )
})

test('numbers go on behind the one that was seen, and begin anew behind nonsense', async () => {
  for (const [lastEventId, first] of [
    ['41', 42],
    ['-1', 1],
    ['x', 1],
    ['', 1],
  ] as const) {
    assert.match(
      await textOf(createEventStream(two(), { lastEventId, signal: open })),
      new RegExp(`id: ${first}\n`),
    )
  }
})

test('a source that numbers its events itself keeps its numbers', async () => {
  async function* numbered(): AsyncGenerator<ServerEvent> {
    yield { id: 8, event: 'job', data: 1 }
    yield { id: 11, event: 'job', data: 2 }
  }
  const text = await textOf(createEventStream(numbered(), { lastEventId: '7', signal: open }))
  assert.deepEqual(text.match(/^id: .*$/gm), ['id: 8', 'id: 11'])
})

test('a comment comes while nothing happens', async () => {
  const happen = Promise.withResolvers<void>()
  async function* slow(): AsyncGenerator<ServerEvent> {
    await happen.promise
    yield { event: 'job', data: 1 }
  }
  const stream = createEventStream(slow(), { lastEventId: undefined, signal: open, heartbeatMs: 5 })
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    if (text.includes(': still here')) happen.resolve()
  }
  assert.match(text, /^retry: 2000\n\n(: still here\n\n)+id: 1\nevent: job\ndata: 1\n\n$/)
})

test('the signal ends the stream and the source', async () => {
  const stopping = new AbortController()
  const ended = Promise.withResolvers<void>()
  async function* endless(): AsyncGenerator<ServerEvent> {
    try {
      while (true) yield { event: 'job', data: 1 }
    } finally {
      ended.resolve()
    }
  }
  const stream = createEventStream(endless(), { lastEventId: undefined, signal: stopping.signal })
  for await (const chunk of stream) if (String(chunk).includes('id: ')) stopping.abort()
  await ended.promise
})

test('a source that is stopped in the middle of a wait fails unheard', async () => {
  const stopping = new AbortController()
  async function* waiting(): AsyncGenerator<ServerEvent> {
    yield { event: 'job', data: 1 }
    await new Promise((_resolve, reject) =>
      stopping.signal.addEventListener('abort', () => reject(new Error('stopped'))),
    )
  }
  const stream = createEventStream(waiting(), { lastEventId: undefined, signal: stopping.signal })
  for await (const chunk of stream) if (String(chunk).includes('id: 1')) stopping.abort()
})

test('a source that fails by itself breaks the stream', async () => {
  async function* failing(): AsyncGenerator<ServerEvent> {
    yield { event: 'job', data: 1 }
    throw new Error('the database has gone')
  }
  const stream = createEventStream(failing(), { lastEventId: undefined, signal: open })
  await assert.rejects(textOf(stream), /the database has gone/)
})
